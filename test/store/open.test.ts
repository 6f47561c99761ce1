/** Opening a store: what is created, what is refused untouched, and what is migrated. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { ExpectedError, root, storeFile } from '../../lib/config.ts';
import { openStoreFile } from '../../lib/store/open.ts';
import { openDatabase, readValue, statement } from '../../lib/store/sqlite.ts';
import { install, run, startApp, startService, temporaryFolder } from '../service.ts';
import { callTool } from '../tools/tool.ts';

const folder = temporaryFolder();
const read = (name: string): string => fs.readFileSync(path.join(root, 'sql', name), 'utf8');
const hashOf = (file: string): string =>
  createHash('sha256').update(fs.readFileSync(file)).digest('hex');

function makeStore(name: string, sql: string): string {
  const file = path.join(folder, name);
  const db = openDatabase(file);
  db.exec(sql);
  db.close();
  return file;
}

test('a new store is durable, ours, and has four tables', () => {
  const db = openStoreFile(path.join(folder, 'new.db'));
  const values = {
    'pragma journal_mode': 'wal',
    'pragma synchronous': 2,
    'pragma application_id': 0x474c3034,
    'pragma user_version': 5,
    [`select group_concat(name) from (select name from sqlite_schema
      where type = 'table' and name not like 'sqlite_%' order by name)`]:
      'events,invites,project_joins,sessions',
  };
  for (const [sql, value] of Object.entries(values)) assert.equal(readValue(db, sql), value, sql);
  db.close();
  const again = openStoreFile(path.join(folder, 'new.db'));
  assert.equal(readValue(again, 'pragma user_version'), 5);
  again.close();
});

test('the service syncs each commit', async () => {
  const { db, get } = await startApp();
  assert.equal((await get('/timeline')).status, 302);
  assert.equal(readValue(db, 'pragma synchronous'), 2);
});

/** Rows that the store takes. */
const ROWS = {
  invites: {
    email: 'ada@example.com',
    first_name: null,
    invited_by: 'cli',
    invited_at: 1,
    is_admin: 0,
  },
  sessions: {
    id: 'id',
    email: 'ada@example.com',
    secret_hash: '0'.repeat(64),
    created_at: 1,
    expires_at: 2,
  },
  events: {
    event_type: 'login',
    email: 'ada@example.com',
    occurred_at: 1,
    session_id: 's',
    device_type: '',
    os: '',
    browser: '',
    meta: null,
  },
};

/** Values that make a row one that it refuses. */
const WRONG = [
  ['invites', { email: 'Ada@example.com' }],
  ['invites', { email: 'ada@example' }],
  ['invites', { first_name: '' }],
  ['invites', { is_admin: 2 }],
  ['invites', { invited_at: 'now' }],
  ['sessions', { secret_hash: 'text' }],
  ['events', { event_type: 'logout' }],
  ['events', { meta: '{}' }],
  ['events', { event_type: 'timeline_view' }],
] as const;

test('the store refuses what no reader could understand', () => {
  const db = openStoreFile(path.join(folder, 'strict.db'));
  for (const [table, wrong] of WRONG) {
    const names = Object.keys(ROWS[table]);
    const insert = statement<[object]>(
      db,
      `insert into ${table} (${names}) values (${names.map((name) => `@${name}`)})`,
    );
    assert.throws(() => insert.run({ ...ROWS[table], ...wrong }), { name: 'SqliteError' });
    assert.equal(insert.run(ROWS[table]).changes, 1);
    db.exec(`delete from ${table}`);
  }
  db.exec(`insert into invites (email, invited_by, invited_at) values ('a@b.c', 'cli', 1)`);
  assert.equal(readValue(db, 'select is_admin from invites'), 0);
  db.close();
});

const REFUSED = {
  'another program': ['create table notes (text)', /is not a store of Guestlist 4$/],
  'another program without tables': ['pragma application_id = 1', /is not a store of Guestlist 4$/],
  'an older checkout': [
    'create table invites (email); pragma user_version = 6; pragma application_id = 1196312915',
    /is not a store of Guestlist 4$/,
  ],
  'a newer Guestlist': [
    `create table invites (email); pragma user_version = 6; pragma application_id = ${0x474c3034}`,
    /is the store of a newer Guestlist/,
  ],
} as const;

for (const [name, [sql, message]] of Object.entries(REFUSED))
  test(`the store of ${name} is refused in a line, and stays as it is`, () => {
    const file = makeStore(`${name}.db`, sql);
    const before = hashOf(file);
    assert.throws(
      () => openStoreFile(file),
      (error) => error instanceof ExpectedError && message.test(error.message),
    );
    assert.equal(hashOf(file), before);
  });

test('a file that SQLite cannot read is refused in a line that names it', () => {
  const file = path.join(folder, 'text.db');
  fs.writeFileSync(file, 'no database '.repeat(1000));
  assert.throws(
    () => openStoreFile(file),
    (error) => error instanceof ExpectedError && /text\.db: .*not a database/.test(error.message),
  );
});

test('a file without tables is new: a kill in the first start leaves one', () => {
  const file = path.join(folder, 'empty.db');
  fs.writeFileSync(file, '');
  const db = openStoreFile(file);
  assert.equal(readValue(db, 'pragma user_version'), 5);
  db.close();
});

test('a store of an earlier version is migrated, after a snapshot', async () => {
  const installation = install();
  const data = path.join(installation, 'data');
  fs.mkdirSync(data);
  const db = openDatabase(path.join(data, path.basename(storeFile)));
  db.exec(read('001-invites-and-sessions.sql'));
  db.exec(`insert into invites values ('ada@example.com', 'Ada', 'cli', 1);
    pragma user_version = 1; pragma application_id = ${0x474c3034}`);
  db.close();
  const service = await startService(installation);
  assert.equal(readValue(service.db, 'pragma user_version'), 5);
  assert.equal(readValue(service.db, 'select is_admin from invites'), 0);
  const [snapshot = ''] = fs.readdirSync(path.join(data, 'backups'));
  assert.match(service.output(), new RegExp(`before the migration: .*${snapshot}`));
  const copy = openDatabase(path.join(data, 'backups', snapshot), { readonly: true });
  assert.equal(readValue(copy, 'pragma user_version'), 1);
  copy.close();
});

test('several programs may make the store at once', async () => {
  const installation = install();
  const services = [1, 2, 3].map(() => startService(installation));
  for (const { get } of await Promise.all(services)) assert.equal((await get('/')).status, 200);
});

test('a link to a missing disk is refused, and nothing is made there', async () => {
  const installation = install();
  const target = path.join(temporaryFolder(), 'disk');
  fs.symlinkSync(target, path.join(installation, 'data'));
  for (const program of ['server.js', 'tools/invite.js list', 'tools/site.js init']) {
    const refused = run(installation, program.split(' '));
    assert.equal(await refused.ended, 1);
    const MESSAGE = /^.*disk, which .*data links to, does not exist\. Is its disk mounted\?\n$/;
    assert.match(refused.output(), MESSAGE);
  }
  assert.ok(!fs.existsSync(target));
  fs.mkdirSync(target);
  const { child, ended } = await startService(installation);
  child.kill();
  await ended;
  assert.ok(fs.existsSync(path.join(target, 'guestlist.db')));
});

/** All files of a folder, with what is in them. */
function contentsOf(folder: string): readonly string[] {
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const files = names.filter((name) => fs.statSync(path.join(folder, name)).isFile());
  return files.map((name) => `${name} ${hashOf(path.join(folder, name))}`);
}

/** How a store is lost, and which remedy is named. */
const LOST: Readonly<Record<string, readonly [lose: (store: string) => void, remedy: RegExp]>> = {
  'is missing beside a snapshot': [
    (store) => fs.rmSync(store),
    / Restore .*\/guestlist-\d+T\d+Z\.db: see Restore in docs\/install\.md\. /,
  ],
  'is empty beside a snapshot': [(store) => fs.truncateSync(store), / Restore /],
  'is missing beside a WAL': [
    (store) => {
      fs.renameSync(store, `${store}-wal`);
      fs.rmSync(path.join(path.dirname(store), 'backups'), { recursive: true });
    },
    / There is no snapshot\. /,
  ],
};

for (const [name, [lose, remedy]] of Object.entries(LOST))
  test(`a store that ${name} is lost, and nothing is touched`, async () => {
    const installation = install();
    for (const command of ['invite add ada@example.com', 'backup create'])
      assert.equal(callTool(installation, command).status, 0, command);
    const data = path.join(installation, 'data');
    lose(path.join(data, 'guestlist.db'));
    const before = contentsOf(data);
    for (const args of [
      ['server.js'],
      ['tools/invite.js', 'list'],
      ['tools/backup.js', 'create'],
    ]) {
      const { ended, output } = run(installation, args);
      assert.equal(await ended, 2, args.join(' '));
      assert.match(output(), /^.*guestlist\.db is missing or empty\. [^\n]*\n$/);
      assert.match(output(), remedy);
    }
    const listed = callTool(installation, 'backup list --json');
    const snapshots = before.filter((file) => file.startsWith('backups/')).length;
    assert.equal(JSON.parse(listed.stdout).length, snapshots);
    assert.deepEqual(contentsOf(data), before);
  });
