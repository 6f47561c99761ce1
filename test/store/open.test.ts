/** Opening a store: a new one, an older one, files that this version refuses, and links. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import Database from 'better-sqlite3';
import { root } from '../../lib/config.ts';
import { APPLICATION_ID } from '../../lib/store/inspection.ts';
import { currentSchema } from '../../lib/store/migrate.ts';
import { openStore } from '../../lib/store/open.ts';
import { invitedIn, queryOne, withDatabase } from '../support/database.ts';
import { addInvite, recordJoin, recordLogin } from '../support/rows.ts';
import { toolsForEach } from '../support/tools.ts';

const { file, folder } = toolsForEach();
const backups = path.join(folder, 'backups');

it('migrations make a marked WAL store with strict tables', () => {
  openStore(file).close();
  withDatabase(file, (db) => {
    const pragma = (name: string) => db.pragma(name, { simple: true });
    const mark = Buffer.from(Number(pragma('application_id')).toString(16), 'hex').toString();
    const made = [pragma('journal_mode'), pragma('user_version'), mark];
    assert.deepEqual(made, ['wal', currentSchema, 'GsL3']);
    const loose = `select name from pragma_table_list
      where schema = 'main' and type = 'table' and name not like 'sqlite_%' and not strict`;
    assert.deepEqual(db.prepare(loose).all(), []);
  });
  assert.equal(fs.statSync(file).mode & 0o777, 0o600);
  assert.ok(!fs.existsSync(backups), 'a new store needs no snapshot');
});

it('the schema refuses forbidden rows, and changes of a log', () => {
  const store = openStore(file);
  store.transaction((writer) => {
    addInvite(writer, 'kept@example.com');
    recordLogin(writer, 'kept@example.com', 1);
    recordJoin(writer, 'kept@example.com', 1);
  });
  store.close();
  const insert = (email: string, isAdmin = 0) =>
    `insert into invites (email, invited_by, invited_at, is_admin) values ('${email}', 'cli', 1, ${isAdmin})`;
  const event = (type: string, meta: string) =>
    `insert into events values (null, '${type}', 'ada@example.com', 1, 's', '', '', '', ${meta})`;
  for (const sql of [
    ...['Ada@example.com', ' ada@example.com', 'ada'].map((email) => insert(email)),
    insert('ada@example.com', 2),
    event('click', 'null'),
    event('login', "'{}'"),
    event('timeline_view', "'{'"),
    event('timeline_view', 'null'),
    "insert into project_joins values (null, 'a@b.c', 's', 'now')",
    'update events set occurred_at = 1',
    'update project_joins set clicked_at = 1',
  ])
    assert.throws(
      () => withDatabase(file, (db) => db.exec(sql)),
      { name: 'SqliteError', code: /^SQLITE_CONSTRAINT/ },
      sql,
    );
});

it('an older store is copied before it is migrated', (t) => {
  const said = t.mock.method(console, 'error', () => undefined).mock;
  fs.mkdirSync(folder, { mode: 0o700 });
  const interrupted = new Database(file);
  const names = fs.readdirSync(path.join(root, 'sql')).filter((name) => /^00[1-4]/.test(name));
  for (const name of names.sort())
    interrupted.exec(fs.readFileSync(path.join(root, 'sql', name), 'utf8'));
  interrupted.exec(`insert into invites (email, invited_by, invited_at) values ('ada@example.com', 'cli', 1);
    pragma user_version = 4; pragma application_id = ${APPLICATION_ID}`);
  interrupted.exec('create view changes as select 1');
  for (let i = 0; i < 2; i += 1) assert.throws(() => openStore(file), /already exists/);
  interrupted.exec('drop view changes');
  interrupted.close();
  openStore(file).close();
  assert.deepEqual(invitedIn(file), ['ada@example.com']);
  assert.equal(queryOne(file, 'pragma user_version'), currentSchema);
  assert.equal(said.calls.length, 3);
  assert.match(said.calls[0]?.arguments[0], /^migrating .* to schema \d+, after a snapshot$/);
  const [snapshot = '', ...others] = fs.readdirSync(backups);
  assert.deepEqual(others, []);
  assert.ok(snapshot.endsWith('-schema-4.db'), snapshot);
  const copy = path.join(backups, snapshot);
  assert.equal(fs.statSync(copy).mode & 0o777, 0o600);
  assert.equal(queryOne(copy, 'pragma user_version'), 4);
  assert.deepEqual(invitedIn(copy), ['ada@example.com']);
});
