/** What visitors, administrators, operators and other programs do while they are recorded. */
import fs from 'node:fs';
import type Database from 'better-sqlite3';
import { openStore } from '../../../lib/store/open.ts';
import { sessionCookie, sessionId } from '../../support/client.ts';
import { withDatabase } from '../../support/database.ts';
import type { Contents } from './examine.ts';
import type { Effects, Recorder } from './recording.ts';

export type Running = Awaited<ReturnType<Recorder['start']>>;

const BETTER_SQLITE3 = import.meta.resolve('better-sqlite3');

export const ADA = 'ada@example.com';
export const NEW = 'new@example.com';

/** Logs in. @returns the cookie */
export async function logIn(server: Running, email: string): Promise<string> {
  const answer = await server.ask('POST /auth/login', { json: { email } }, (login) => {
    const session = `${email} ${sessionId(sessionCookie(login))}`;
    return [
      [`session ${session}`, 1],
      [`login ${session}`, 1],
    ];
  });
  return sessionCookie(answer);
}

export const view = (server: Running, email: string, cookie: string) =>
  server.ask('GET /timeline', { cookie }, () => [
    [`timeline_view ${email} ${sessionId(cookie)}`, 1],
  ]);

const join = (server: Running, email: string, cookie: string) =>
  server.ask('POST /api/project-join', { cookie }, () => [
    [`join ${email} ${sessionId(cookie)}`, 1],
  ]);

const logOut = (server: Running, email: string, cookie: string) =>
  server.ask('POST /auth/logout', { cookie }, () => [
    [`session ${email} ${sessionId(cookie)}`, -1],
  ]);

/** A visitor's whole way. */
export async function visit(server: Running, email: string, clicks = 1): Promise<void> {
  const cookie = await logIn(server, email);
  await view(server, email, cookie);
  for (let i = 0; i < clicks; i += 1) await join(server, email, cookie);
  await logOut(server, email, cookie);
}

/** An administrator invites people by the web. */
export const inviteByWeb = (server: Running, cookie: string, email: string) =>
  server.ask('POST /api/svcops/invites', { cookie, json: { email } }, () => [
    [`invite ${email}`, 1],
  ]);

export const inviteByTool = ({ tool }: Recorder, email: string) =>
  tool('invite', ['add', email], [[`invite ${email}`, 1]]);

/** Another program that changes the store, such as `sqlite3` or a standby. */
export const runSql = (
  { run }: Recorder,
  store: string,
  statements: readonly string[],
  effects: Effects = [],
) =>
  run(
    effects,
    process.execPath,
    ...['--input-type=module', '-e'],
    `import Database from ${JSON.stringify(BETTER_SQLITE3)};
     const db = new Database(${JSON.stringify(store)});
     for (const sql of ${JSON.stringify(statements)}) db.exec(sql)`,
  );

export const CHECKPOINT = 'pragma wal_checkpoint(passive)';

/** Statements that leave an address in free pages. */
export const leaveTraces = (email: string): readonly string[] => [
  // Its deletion is on disk when it ends.
  'pragma synchronous = full; pragma secure_delete = off',
  `with recursive n (n) as (select 1 union all select n + 1 from n where n < 200)
   insert into events (event_type, email, occurred_at, session_id, device_type, os, browser)
   select 'login', '${email}', n, 's', 'desktop', '', '' from n`,
  `delete from events where session_id = 's'`,
];

/** Effects that lead from one state of a store to another. */
export const difference = (from: Contents, to: Contents): Effects =>
  [...new Set([...from.keys(), ...to.keys()])]
    .map((name) => [name, (to.get(name) ?? 0) - (from.get(name) ?? 0)] as const)
    .filter(([, number]) => number !== 0);

/** A store with an administrator. */
export function makeStore(file: string): void {
  const store = openStore(file);
  store.transaction(({ invites }) => {
    invites.add({ email: ADA, firstName: null, invitedBy: 'cli', invitedAt: 1 });
    invites.setAdmin(ADA, true);
  });
  store.close();
}

/** Changes a store as a server does that is killed then: the changes stay in the log. */
export function changeAndDie(file: string, change: (db: Database.Database) => void): void {
  withDatabase(file, (db) => {
    db.pragma('wal_autocheckpoint = 0');
    db.pragma('synchronous = off');
    change(db);
    for (const name of [file, `${file}-wal`]) fs.copyFileSync(name, `${name}.kept`);
  });
  for (const name of [file, `${file}-wal`]) fs.renameSync(`${name}.kept`, name);
}

/** A store with so many pages in its log. */
export function makeLongLog(file: string, pages: number): void {
  makeStore(file);
  changeAndDie(file, (db) => {
    const change = db.prepare('update invites set invited_at = invited_at + 1');
    do change.run();
    while (fs.statSync(`${file}-wal`).size < pages * 4120);
  });
}
