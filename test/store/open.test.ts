/** Opening a store: what is created, what is refused untouched, and what is migrated. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { ExpectedError, root, UsageError } from '../../lib/config.ts';
import { openStoreFile } from '../../lib/store/open.ts';
import { openDatabase, readValue } from '../../lib/store/sqlite.ts';
import {
  enter,
  install,
  installWith,
  invite,
  openTestStore,
  run,
  startApp,
  startService,
  temporaryFolder,
} from '../service.ts';
import { callTool } from '../tools/tool.ts';

const folder = temporaryFolder();

/** The number of migrations. */
const NEWEST = fs.readdirSync(path.join(root, 'sql')).length;

test('the store of the service is durable, ours, and has four tables', async () => {
  const { db } = await startApp();
  const values = {
    'pragma journal_mode': 'wal',
    'pragma synchronous': 2,
    'pragma application_id': 0x474c3034,
    'pragma user_version': NEWEST,
    [`select group_concat(name) from (select name from sqlite_schema
      where type = 'table' and name not like 'sqlite_%' order by name)`]:
      'events,invites,project_joins,sessions',
  };
  for (const [sql, value] of Object.entries(values)) assert.equal(readValue(db, sql), value, sql);
});

/** Changes that would make a row one that no reader could understand. */
const WRONG = [
  "update invites set email = 'Ada@example.com'",
  "update invites set email = 'ada@example'",
  "update invites set first_name = ''",
  'update invites set is_admin = 2',
  "update invites set invited_at = 'now'",
  "update sessions set secret_hash = 'text'",
  "update events set event_type = 'logout'",
  "update events set meta = '{}'",
  "update events set event_type = 'timeline_view'",
];

test('the store refuses what no reader could understand', () => {
  const db = openTestStore();
  enter(db, 'ada@example.com');
  db.exec(`insert into events (event_type, email, occurred_at, session_id, device_type, os, browser)
    values ('login', 'ada@example.com', 1, 's', '', '', '')`);
  for (const sql of WRONG) assert.throws(() => db.exec(sql), { code: /^SQLITE_CONSTRAINT/ }, sql);
  assert.equal(readValue(db, 'select is_admin from invites'), 0);
});

const NOT_OURS = /is not a store of Guestlist 4$/;
const OURS = `pragma application_id = ${0x474c3034}`;

function assertRefused(file: string, message: RegExp): void {
  const isLine = (error: unknown) => error instanceof ExpectedError && message.test(error.message);
  assert.throws(() => openStoreFile(file), isLine);
}

/** Whose file it is, how it is made, and what is said. */
const REFUSED = [
  ['another program', 'create table notes (text)', NOT_OURS],
  ['another program without tables', 'pragma application_id = 1', NOT_OURS],
  [
    'an older checkout',
    'create table invites (email); pragma application_id = 1196312915',
    NOT_OURS,
  ],
  [
    'a newer Guestlist',
    `create table invites (email); pragma user_version = ${NEWEST + 1}; ${OURS}`,
    /is the store of a newer Guestlist/,
  ],
] as const;

for (const [owner, sql, message] of REFUSED)
  test(`the store of ${owner} is refused in a line, and stays as it is`, () => {
    const file = path.join(folder, `${owner}.db`);
    const db = openDatabase(file);
    db.exec(sql);
    db.close();
    const before = fs.readFileSync(file);
    assertRefused(file, message);
    assert.throws(() => openStoreFile(file), UsageError, 'systemd must not try again');
    assert.deepEqual(fs.readFileSync(file), before);
  });

test('a file that SQLite cannot read is refused in a line that names it', () => {
  const file = path.join(folder, 'text.db');
  fs.writeFileSync(file, 'no database '.repeat(1000));
  assertRefused(file, /text\.db: .*not a database/);
});

test('a file without tables is new: a kill in the first start leaves one', () => {
  const file = path.join(folder, 'empty.db');
  fs.writeFileSync(file, '');
  const db = openStoreFile(file);
  assert.equal(readValue(db, 'pragma user_version'), NEWEST);
  db.close();
});

test('a store of an earlier version is migrated, after a snapshot', async () => {
  const installation = install();
  const data = path.join(installation, 'data');
  fs.mkdirSync(data);
  const db = openDatabase(path.join(data, 'guestlist.db'));
  db.exec(fs.readFileSync(path.join(root, 'sql/001-invites-and-sessions.sql'), 'utf8'));
  db.exec(`insert into invites values ('ada@example.com', 'Ada', 'cli', 1);
    pragma user_version = 1; ${OURS}`);
  db.close();
  const service = await startService(installation);
  assert.equal(readValue(service.db, 'pragma user_version'), NEWEST);
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

/** All files of a folder, with their bytes. */
function filesOf(folder: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const name of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(folder, name);
    if (fs.statSync(file).isFile()) files.set(name, fs.readFileSync(file, 'latin1'));
  }
  return files;
}

const RESTORE = / Restore .*\/guestlist-\d+T\d+Z\.db: see Restore in docs\/install\.md\. /;

/** How a store is lost, and which remedy is named. */
const LOST: Readonly<Record<string, readonly [lose: (store: string) => void, remedy: RegExp]>> = {
  'missing beside a snapshot': [(store) => fs.rmSync(store), RESTORE],
  'empty beside a snapshot': [(store) => fs.truncateSync(store), RESTORE],
  'missing beside a WAL': [
    (store) => {
      fs.renameSync(store, `${store}-wal`);
      fs.rmSync(path.join(path.dirname(store), 'backups'), { recursive: true });
    },
    / There is no snapshot\. /,
  ],
};

for (const [name, [lose, remedy]] of Object.entries(LOST))
  test(`a store that is ${name} is lost, and nothing is touched`, async () => {
    const installation = installWith((db) => invite(db, 'ada@example.com'));
    assert.equal(callTool(installation, 'backup create').status, 0);
    const data = path.join(installation, 'data');
    lose(path.join(data, 'guestlist.db'));
    const before = filesOf(data);
    for (const program of ['server.js', 'tools/invite.js list', 'tools/backup.js create']) {
      const { ended, output } = run(installation, program.split(' '));
      assert.equal(await ended, 2, program);
      assert.match(output(), /^.*guestlist\.db is missing or empty\. [^\n]*\n$/);
      assert.match(output(), remedy);
    }
    assert.equal(callTool(installation, 'backup list').status, 0);
    assert.deepEqual(filesOf(data), before);
  });
