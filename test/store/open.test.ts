/** Opening a store: a new one, one that 1.1.0 has filled, files that this version refuses, and links. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { inspectStoreFile } from '../../lib/store/inspection.ts';
import { openServerStore, openStore } from '../../lib/store/open.ts';
import { takeSnapshotNow } from '../../lib/store/snapshots.ts';
import { queryOne, read, withDatabase } from '../support/database.ts';
import { MIGRATIONS, makeOldStore, makeStoreOf100, OLDEST_VERSION } from '../support/old-store.ts';
import { addInvite, recordJoin, recordLogin } from '../support/rows.ts';
import { temporaryFolder } from '../support/site.ts';
import { toolsForEach } from '../support/tools.ts';

const { file, folder, invite, says, tool } = toolsForEach();
const backups = path.join(folder, 'backups');

it('migrations have numbers from 001 on without a gap', () => {
  for (const [i, name] of MIGRATIONS.entries())
    assert.ok(name.startsWith(`${i + 1}-`.padStart(4, '0')), name);
});

it('migrations make a marked WAL store with the current version and strict tables', () => {
  openStore(file).close();
  withDatabase(file, (db) => {
    const pragma = (name: string) => db.pragma(name, { simple: true });
    const mark = Buffer.from(Number(pragma('application_id')).toString(16), 'hex').toString();
    const made = [pragma('journal_mode'), pragma('user_version'), mark];
    assert.deepEqual(made, ['wal', MIGRATIONS.length, 'Gues']);
    const loose = `select name from pragma_table_list
      where schema = 'main' and type = 'table' and name not like 'sqlite_%' and not strict`;
    assert.deepEqual(db.prepare(loose).all(), []);
  });
  assert.ok(!fs.existsSync(backups), 'a new store needs no snapshot');
});

describe('the schema refuses', () => {
  const insert = (email: string, isAdmin = 0) =>
    `insert into invites (email, invited_by, invited_at, is_admin) values ('${email}', 'cli', 1, ${isAdmin})`;
  const event = (type: string, meta: string) =>
    `insert into events (event_type, email, occurred_at, session_id, device_type, os, browser, meta)
     values ('${type}', 'ada@example.com', 1, 's', '', '', '', ${meta})`;
  const refused = {
    'an email that is not lower-case': insert('Ada@example.com'),
    'an email that is not trimmed': insert(' ada@example.com'),
    'an email that is none': insert('ada'),
    'an invite whose domain is not in ASCII': insert('ada@bücher.example.com'),
    'is_admin beside 0 and 1': insert('ada@example.com', 2),
    'an unknown event type': event('click', 'null'),
    'a login with meta': event('login', "'{}'"),
    'a view whose meta is no JSON': event('timeline_view', "'{'"),
    'a view without meta': event('timeline_view', 'null'),
    'a time that is no number': "insert into project_joins values (null, 'a@b.c', 's', 'now')",
    'a secret hash of another length': "insert into sessions values ('x', 'a@b.c', x'00', 1, 2)",
    'a change of an event': 'update events set occurred_at = 1',
    'a change of a join click': 'update project_joins set clicked_at = 1',
    "a change of an invite's email": "update invites set email = 'other@example.com'",
  };
  for (const [what, sql] of Object.entries(refused))
    it(what, () => {
      const store = openStore(file);
      store.transaction((writer) => {
        addInvite(writer, 'kept@example.com');
        recordLogin(writer, 'kept@example.com', 1);
        recordJoin(writer, 'kept@example.com', 1);
      });
      store.close();
      const code = /^SQLITE_CONSTRAINT/;
      assert.throws(() => withDatabase(file, (db) => db.exec(sql)), { name: 'SqliteError', code });
    });
});

it('migrations give a store of 1.1.0 the schema of a new one, byte for byte', () => {
  const schema = () =>
    read(file, (db) => db.prepare('select type, name, sql from sqlite_schema order by 1, 2').all());
  openStore(file).close();
  const asMade = schema();
  fs.rmSync(folder, { recursive: true });
  makeOldStore(file).close();
  openStore(file).close();
  assert.deepEqual(schema(), asMade);
});

it('migrations keep and count the rows of a store of 1.1.0', () => {
  makeOldStore(file).close();
  const store = openStore(file);
  try {
    const counts = { invites: 4, admins: 1, logins: 2, timelineViews: 2, joinClicks: 3 };
    assert.deepEqual(store.totals.counts(), counts);
    const funnel = { invited: 4, loggedIn: 1, viewed: 1, joined: 1 };
    assert.deepEqual(store.totals.funnel(), funnel);
    assert.deepEqual(store.joins.stats(), { clicks: 3, users: 2 });
    assert.equal(store.invites.find('ada@example.com')?.isAdmin, true);
    const gone = store.people.find('gone@example.com');
    assert.deepEqual([gone?.logins, gone?.timelineViews, gone?.joinClicks], [1, 1, 1]);
    assert.equal(store.changes.list({ limit: 10 }).rows.length, 7);
  } finally {
    store.close();
  }
  assert.equal(inspectStoreFile(file).fault, null);
});

it('migrations first take a snapshot of a store of 1.1.0, and keep the last one of interrupted starts', (t) => {
  const said = t.mock.method(console, 'error', () => undefined).mock;
  const interrupted = makeOldStore(file);
  interrupted.exec('create table person_days (day)');
  for (let i = 0; i < 2; i += 1) assert.throws(() => openStore(file), /already exists/);
  interrupted.exec('drop table person_days');
  interrupted.close();
  openStore(file).close();
  assert.equal(said.calls.length, 3);
  assert.match(
    said.calls[0]?.arguments[0],
    /^migrating .*guestlist\.db to schema 7, after a snapshot$/,
  );
  const [snapshot = '', ...others] = fs.readdirSync(backups);
  assert.deepEqual(others, []);
  assert.match(snapshot, /-schema-6\.db$/);
  const copy = path.join(backups, snapshot);
  assert.equal(fs.statSync(copy).mode & 0o777, 0o600);
  assert.equal(queryOne(copy, 'pragma user_version'), OLDEST_VERSION);
  assert.equal(queryOne(copy, 'select count(*) from invites'), 4);
});

it('migrations refuse a store of 1.1.0 with an index that is not that of its table', () => {
  const old = makeOldStore(file);
  old.unsafeMode().exec(`pragma writable_schema = on; update sqlite_schema
    set sql = replace(sql, '(invited_at,', '(invited_by,') where name = 'invites_by_time'`);
  old.close();
  assert.throws(() => openStore(file), /the copy .* missing from index invites_by_time/);
  assert.equal(queryOne(file, 'pragma user_version'), OLDEST_VERSION);
});

it('migrations by two processes at once leave the snapshot of the first', () => {
  makeOldStore(file).close();
  openStore(file).close();
  const [snapshot = ''] = fs.readdirSync(backups);
  withDatabase(file, (db) => takeSnapshotNow(db, OLDEST_VERSION));
  assert.deepEqual(fs.readdirSync(backups), [snapshot]);
});

/** The store and its folder, moved away. */
function moveAway(): string {
  invite('ada@example.com');
  const elsewhere = path.join(temporaryFolder(), 'data');
  fs.renameSync(folder, elsewhere);
  return elsewhere;
}

const foreign = (sql: string) => () => withDatabase(file, (db) => db.exec(sql));
const ELSE = 'is a SQLite file of something else; move it away, then try again';

for (const [what, make, why] of [
  ['of 1.0.0', () => makeStoreOf100(file), 'is a store of 1.0.0; start 1.1.0 with it once'],
  ['with a version of its own', foreign('create table a (b); pragma user_version = 3'), ELSE],
  ['with a mark of its own and nothing else', foreign('pragma application_id = 7'), ELSE],
  [
    'that is a link',
    () => {
      const elsewhere = moveAway();
      fs.mkdirSync(folder);
      fs.symlinkSync(path.join(elsewhere, 'guestlist.db'), file);
    },
    `is a link; put the file itself into ${folder}, or let ${folder} be a link`,
  ],
] as const)
  it(`a SQLite file ${what} is refused by server and tools in one line, and not changed`, async () => {
    fs.mkdirSync(folder, { mode: 0o700 });
    make();
    const before = fs.readFileSync(file);
    assert.throws(
      () => openServerStore(file),
      ({ message }) => message.startsWith(`${file} ${why}`),
    );
    for (const call of ['invite list', 'invite add ada@example.com']) {
      const { status, stderr } = await tool(call);
      assert.deepEqual([status, stderr.split('\n').length], [1, 2]);
      assert.ok(stderr.startsWith(`${file} ${why}`), stderr);
    }
    assert.deepEqual(fs.readFileSync(file), before);
  });

describe('a snapshot of 1.0.0', () => {
  for (const call of ['backup restore --yes', 'invite add --from-snapshot'])
    it(`is refused by ${call}`, async () => {
      const snapshot = path.join(folder, '1.0.0.db');
      makeStoreOf100(snapshot);
      const { status, stderr } = await tool(call, snapshot);
      assert.equal(status, 1);
      assert.match(stderr, /a store of 1\.0\.0; start 1\.1\.0 with it once.*\n$/);
    });
});

it('a store may be in a folder that is a link', async () => {
  fs.symlinkSync(moveAway(), folder);
  await openServerStore(file).close();
  await says('backup create');
  assert.match(await says('invite list'), /ada@example\.com/);
});

it('the copy of an interrupted restore is removed when the store is opened next', async () => {
  invite('ada@example.com');
  for (const side of ['', '-wal', '-journal']) fs.writeFileSync(`${file}.draft${side}`, 'a copy');
  await says('invite list');
  assert.ok(!fs.readdirSync(folder).join().includes('draft'));
});
