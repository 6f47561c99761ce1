/**
 * A snapshot is restored if its schema is that of its version; what differs is named, and not run.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, it } from 'node:test';
import Database from 'better-sqlite3';
import { APPLICATION_ID } from '../../../lib/store/inspection.ts';
import { currentSchema } from '../../../lib/store/migrate.ts';
import { openServerStore } from '../../../lib/store/open.ts';
import { applyMigrations } from '../../../lib/store/schema.ts';
import { takeSnapshot } from '../../../lib/store/snapshots.ts';
import { logIn } from '../../support/client.ts';
import { damagePage, invitedIn, queryOne, withDatabase } from '../../support/database.ts';
import { lacks } from '../../support/lacks.ts';
import { recordJoin, recordLogin } from '../../support/rows.ts';
import { installationForAll } from '../../support/temporary.ts';
import { toolsOn } from '../../support/tools.ts';

const ADA = 'ada@example.com';
const GRACE = 'grace@example.com';

const installation = installationForAll();
const { store } = installation;
const backups = path.join(path.dirname(store), 'backups');
const { invite, says, tool, write } = toolsOn(store);

/** A snapshot in which Ada is invited. Afterwards, Grace is too. */
let snapshot: string;
beforeEach(async () => {
  await installation.clear();
  invite(ADA);
  write((writer) => {
    recordLogin(writer, ADA, 1);
    recordJoin(writer, ADA, 1);
  });
  snapshot = takeSnapshot(store).file;
  invite(GRACE);
});

const run = (sql: string) => (): void => withDatabase(snapshot, (db) => void db.exec(sql));

/** Changes the schema table itself. */
const runOnSchema = (sql: string) => (): void => {
  const db = new Database(snapshot);
  db.unsafeMode();
  db.pragma('writable_schema = on');
  db.exec(sql);
  db.close();
};

/** Replaces text in the definition of a table. */
const redefine = (table: string, from: string, to: string) =>
  runOnSchema(`update sqlite_master set sql = replace(sql, '${from}', '${to}')
    where name = '${table}'`);

/** Replaces the snapshot by what SQLite's shell makes of it. */
function replaceByShell(make: (copy: string) => void): () => void {
  return () => {
    const copy = `${snapshot}-copy`;
    make(copy);
    fs.renameSync(copy, snapshot);
    const ids = ['user_version', 'application_id'].map((id) => queryOne(snapshot, `pragma ${id}`));
    assert.deepEqual(ids, [0, 0]);
  };
}
const dump = (): Buffer => execFileSync('sqlite3', [snapshot, '.dump']);
const byDump = replaceByShell((copy) => execFileSync('sqlite3', [copy], { input: dump() }));
const byClone = replaceByShell((copy) =>
  execFileSync('sqlite3', [snapshot, `.clone ${copy}`], { stdio: 'ignore' }),
);

function makeVersion(version: number, ids = true): void {
  fs.rmSync(snapshot);
  withDatabase(snapshot, (db) => {
    applyMigrations(db, 0, version);
    db.exec(`insert into invites (email, invited_by, invited_at) values ('${ADA}', 'cli', 1)`);
    if (!ids) return;
    db.pragma(`user_version = ${version}`);
    db.pragma(`application_id = ${APPLICATION_ID}`);
  });
}

const SHELL = lacks('sqlite3');

/** A login as the server writes it, in its own store. */
async function logInOnce(email: string): Promise<void> {
  const opened = openServerStore(store);
  await opened.write((writer) => {
    writer.sessions.begin(email, Date.now());
    recordLogin(writer, email, Date.now());
  });
  opened.close();
}

const renameThereAndBack = run(
  ['invites', 'deletions', 'events', 'sessions']
    .map((name) => `alter table ${name} rename to x; alter table x rename to ${name};`)
    .join(''),
);

const SOUND: readonly (readonly [what: string, change: () => void, skip?: string | false])[] = [
  [
    'with the tables of Litestream',
    run(`create table _litestream_seq (id integer primary key, seq integer);
      create table _litestream_lock (id integer)`),
  ],
  ['that was analyzed', run('analyze')],
  ['that was optimized', run('pragma optimize = 0x10002')],
  ['with nonsense in the statistics', run("analyze; update sqlite_stat1 set stat = 'x y 0 -1'")],
  ['with its tables renamed, and renamed back', renameThereAndBack],
  [
    'with a column renamed, and renamed back',
    run('alter table events rename column os to x; alter table events rename column x to "os"'),
  ],
  ['whose WAL is on', run('pragma journal_mode = wal')],
  ['with a table of SQLite\'s ".recover"', run('create table lost_and_found (rootpgno, c0)')],
  [
    "with an owner's table, view and plain index",
    run(`create table notes (email text unique, note text check (note <> ''));
      create view guests as select email from invites;
      create virtual table words using fts5(word);
      create index invites_by_name on invites (first_name collate nocase desc)`),
  ],
  [
    "with an owner's table that refers to all rows",
    run(`create table notes (email text references invites, session text references sessions);
      insert into sessions values ('s', '${ADA}', x'00', 1, 9e15);
      insert into notes values ('${ADA}', 's')`),
  ],
  ['that was dumped and loaded', byDump, SHELL],
  [
    'that was renamed, dumped and loaded',
    () => {
      renameThereAndBack();
      byDump();
    },
    SHELL,
  ],
  ['that was cloned', byClone, SHELL],
  ...[1, 2, 3, 4, 5].flatMap((version) => [
    [`of version ${version}`, () => makeVersion(version)] as const,
    [`of version ${version} without its ids`, () => makeVersion(version, false)] as const,
  ]),
];

describe('restores, and the server opens, a store', () => {
  for (const [what, change, skip = false] of SOUND)
    it(what, { skip }, async () => {
      change();
      assert.match(await says('backup list'), / ok\n/);
      const { stdout } = await tool('backup restore', snapshot);
      assert.match(stdout, /\nsnapshot {2}invites 1, .*\nstore {5}invites 2, /);
      assert.deepEqual(invitedIn(store), [ADA, GRACE]);
      await says('backup restore', snapshot, '--yes');
      assert.ok(!fs.existsSync(`${store}-wal`));
      assert.equal(queryOne(store, 'pragma user_version'), currentSchema);
      assert.equal(queryOne(store, 'pragma application_id'), APPLICATION_ID);
      await logInOnce(ADA);
      await says('invite remove', ADA);
      assert.deepEqual(invitedIn(store), []);
    });
});

const KEEP = 'before delete on sessions begin select raise(ignore); end';
const SLOW =
  'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n';

const REFUSED: readonly (readonly [what: string, change: () => void, fault: RegExp])[] = [
  ['lacks a table', run('drop table events'), /the table events is missing/],
  ['lacks an index', run('drop index logins'), /the index logins is missing/],
  ['lacks a trigger', run('drop trigger events_update'), /the trigger events_update is missing/],
  [
    'has a trigger',
    run(`create trigger keep ${KEEP}`),
    /the trigger keep is not part of Guestlist \(drop it with sqlite3\)/,
  ],
  [
    'has a trigger on a view',
    run(`create view v as select 1 as a;
      create trigger vt instead of insert on v begin select 1; end`),
    /the trigger vt is not part of/,
  ],
  [
    "has a trigger on an owner's table",
    run(`create table own (a); create trigger t after insert on own begin
      update invites set is_admin = 1; end`),
    /the trigger t is not part of/,
  ],
  [
    'has another trigger under a name of ours',
    run(`drop trigger events_update; create trigger events_update ${KEEP}`),
    /the trigger events_update differs from/,
  ],
  [
    'has a trigger in upper case',
    () => {
      run(`create trigger keep ${KEEP}`)();
      runOnSchema("update sqlite_master set type = 'TRIGGER' where name = 'keep'")();
    },
    /unknown entry, keep/,
  ],
  [
    'has a trigger with a hidden type',
    () => {
      run(`create trigger keep ${KEEP}`)();
      runOnSchema(`update sqlite_master set type = cast(x'7472696767657200' as text)
        where name = 'keep'`)();
    },
    /unknown entry, keep/,
  ],
  [
    'has a view in the place of a table',
    run(`drop table invites; create view invites as ${SLOW}`),
    /the table invites is missing/,
  ],
  [
    'has a virtual table in the place of a table',
    run('drop table changes; create virtual table changes using fts5(at)'),
    /the table changes differs from/,
  ],
  [
    'has a table with another column',
    run('alter table events add column note text'),
    /the column note of the table events differs from/,
  ],
  [
    'has a table without a column',
    run('alter table changes drop column detail'),
    /the column detail of the table changes is missing/,
  ],
  [
    'has a computed column',
    run('alter table changes add column more text as (what)'),
    /the column more of the table changes differs from/,
  ],
  [
    'has another default',
    redefine('invites', 'default 0', 'default 1'),
    /the column is_admin of the table invites differs from/,
  ],
  [
    'has text in another case',
    redefine('changes', "''cli''", "''CLI''"),
    /the table changes differs from/,
  ],
  [
    'lacks a check',
    redefine('sessions', 'check (email = lower(trim(email)))', 'check (true)'),
    /the table sessions differs from/,
  ],
  [
    'has a unique column',
    redefine('invites', 'first_name text', 'first_name text unique'),
    /the table invites differs from|malformed/,
  ],
  [
    'has a table without rowids',
    redefine('sessions', ') strict', ') strict, without rowid'),
    /the table sessions differs from|malformed/,
  ],
  [
    'lacks the index of a primary key',
    runOnSchema("delete from sqlite_master where name = 'sqlite_autoindex_invites_1'"),
    /the index sqlite_autoindex_invites_1 is missing/,
  ],
  [
    "lacks SQLite's table of the last ids",
    runOnSchema("delete from sqlite_master where name = 'sqlite_sequence'"),
    /the table sqlite_sequence is missing/,
  ],
  [
    'names a column almost as ours',
    redefine('project_joins', 'clicked_at', 'clic\u212aed_at'),
    /the column clicked_at of the table project_joins is missing/,
  ],
  [
    'has a primary key in quotes',
    redefine('deletions', 'number integer not null', 'number "integer not null"'),
    /malformed|the table deletions differs from/,
  ],
  ['is not strict', redefine('deletions', ' strict', ''), /the table deletions differs from/],
  [
    'compares in another way',
    redefine('sessions', 'email       text', 'email text collate nocase'),
    /the table sessions differs from/,
  ],
  [
    'hides a rule in a comment',
    redefine('sessions', 'check (email = lower(trim(email)))', 'check (/* email */ true)'),
    /the table sessions differs from/,
  ],
  [
    'has an index of ours on another column',
    run('drop index sessions_by_expiry; create index sessions_by_expiry on sessions (created_at)'),
    /the index sessions_by_expiry differs from/,
  ],
  [
    'has a unique index',
    run('create unique index one on project_joins (email)'),
    /the index one of the table project_joins is not part of/,
  ],
  [
    'has a partial index',
    run('create index some on sessions (email) where expires_at > 1'),
    /the index some of the table sessions is not part of/,
  ],
  [
    'has an index on an expression',
    run('create index "an ""index" on invites (lower(email))'),
    /the index an "index of the table invites is not part of/,
  ],
  [
    'names an object with control characters',
    run(`create trigger "a\u001b[2Jb\nc" ${KEEP}`),
    /the trigger a\\u001b\[2Jb\\u000ac is not part of/,
  ],
  [
    'has another schema than its version',
    () => {
      makeVersion(4);
      run('drop table deletions')();
    },
    /the table deletions is missing/,
  ],
  ['has no version', run('pragma user_version = 0'), /its user_version is 0, which no store has/],
  ['has a version below 0', run('pragma user_version = -1'), /its user_version is -1/],
  [
    'has neither ids nor our schema',
    run('pragma user_version = 0; pragma application_id = 0; drop table events'),
    /it is not a store of Guestlist: its ids are 0, and the table events is missing/,
  ],
  [
    'is damaged beside a table that says that it is not',
    () => {
      run("create table pragma_integrity_check as select 'ok' as integrity_check")();
      damagePage(snapshot, 'sessions_by_email');
    },
    /damaged: /,
  ],
];

describe('names the difference, and restores nothing, from a store that', () => {
  for (const [what, change, fault] of REFUSED)
    it(what, async () => {
      change();
      const before = [fs.readFileSync(store), fs.readdirSync(backups)];
      for (const sure of [[], ['--yes']]) {
        const { status, stdout, stderr } = await tool('backup restore', snapshot, ...sure);
        assert.deepEqual([status, stdout, stderr.split('\n').length], [1, '', 2], stderr);
        assert.match(stderr, fault);
        assert.match(stderr, /fails the check: .*; choose another: .*backup\.js list\n$/);
      }
      assert.match(await says('backup list'), fault);
      assert.deepEqual([fs.readFileSync(store), fs.readdirSync(backups)], before);
    });
});

it('a server serves a restored store of the oldest version', async () => {
  makeVersion(1);
  await says('backup restore', snapshot, '--yes');
  const server = await installation.start();
  await logIn(server.origin, ADA);
  assert.deepEqual(server.stderr, []);
});

it('refuses what cannot be migrated, before it replaces the store', async () => {
  makeVersion(4);
  run('create table changes (own)')();
  const before = fs.readFileSync(store);
  for (const sure of [[], ['--yes']]) {
    const { status, stderr } = await tool('backup restore', snapshot, ...sure);
    assert.deepEqual([status, stderr.split('\n').length], [1, 2], stderr);
    assert.match(stderr, /cannot be restored: table changes already exists; choose another: /);
  }
  assert.deepEqual(fs.readFileSync(store), before);
});

it('a store with another schema is copied too', async () => {
  withDatabase(store, (db) => db.exec(`create trigger keep ${KEEP}`));
  await says('backup create');
  assert.match(await says('backup list --limit 1'), /the trigger keep is not part of Guestlist/);
});

it('a newer Guestlist’s snapshot is listed without running its views', async () => {
  run(`drop table events; create view events as ${SLOW}; pragma user_version = 99`)();
  assert.match(await says('backup list'), /by a newer Guestlist\n/);
});
