/**
 * The site of the frameworks, as it is usually written: a prepared statement for the session,
 * ua-parser-js for each request, and one plain insert in WAL mode with synchronous=NORMAL. It has
 * no totals, and does not sync before it replies.
 */
import Database from 'better-sqlite3';
import { UAParser } from 'ua-parser-js';
import { readSetup, type Sample } from './setup.ts';

type Session = { readonly id: string; readonly email: string; readonly expires_at: number };

const { store, sessions, samples } = readSetup();

const db = new Database(store);
db.pragma('journal_mode = WAL');
db.pragma('synchronous = NORMAL');
db.exec(`
  create table invites (email text primary key, first_name text);
  create table sessions (id text primary key, email text not null, expires_at integer not null);
  create table events (
    id integer primary key autoincrement, event_type text not null, email text not null,
    occurred_at integer not null, session_id text not null, device_type text, os text, browser text,
    meta text
  );
  create index events_by_person on events (email);
  create table project_joins (
    id integer primary key autoincrement, email text not null, session_id text not null,
    clicked_at integer not null
  );
  create index project_joins_by_person on project_joins (email);
`);
const addInvite = db.prepare('insert into invites values (?, ?)');
const addSession = db.prepare('insert into sessions values (?, ?, ?)');
for (const { token, email, firstName } of sessions) {
  addInvite.run(email, firstName);
  addSession.run(token, email, Date.now() + 86_400_000);
}

const selectSession = db.prepare<[string], Session>('select * from sessions where id = ?');
const selectName = db
  .prepare<[string], string | null>('select first_name from invites where email = ?')
  .pluck();
const insertEvent = db.prepare(
  `insert into events (event_type, email, occurred_at, session_id, device_type, os, browser, meta)
   values ('timeline_view', ?, ?, ?, ?, ?, ?, ?)`,
);
const insertJoin = db.prepare(
  'insert into project_joins (email, session_id, clicked_at) values (?, ?, ?)',
);

/** The headers of a reply, as frameworks expect them. */
const ready = ({ headers, body }: Sample) => ({
  headers: Object.fromEntries(
    headers.flatMap((name, i) => (i % 2 === 0 ? [[name, headers[i + 1] ?? '']] : [])),
  ) as Record<string, string>,
  body,
});

export const entry = ready(samples.entry);
export const me = ready(samples.me);
export const join = ready(samples.join);
const desktop = ready(samples.desktop);
const mobile = ready(samples.mobile);

/** The session of a cookie, if it is valid. */
export function findSession(cookie: string | undefined): Session | undefined {
  const session = cookie === undefined ? undefined : selectSession.get(cookie);
  return session && session.expires_at > Date.now() ? session : undefined;
}

export const firstName = (email: string): string | null => selectName.get(email) ?? null;

/** Records a view. @returns the layout to send */
export function viewTimeline({ id, email }: Session, userAgent: string | undefined) {
  const { device, os, browser } = new UAParser(userAgent).getResult();
  const view = device.type === 'mobile' ? 'mobile' : 'desktop';
  const meta = JSON.stringify({ view, forced: false });
  const type = device.type ?? 'desktop';
  insertEvent.run(email, Date.now(), id, type, os.name, browser.name, meta);
  return view === 'mobile' ? mobile : desktop;
}

export function recordJoin({ id, email }: Session): void {
  insertJoin.run(email, id, Date.now());
}
