/** Restoring a snapshot replaces the whole store or changes nothing. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { claim } from '../../../lib/store/file/lock.ts';
import { currentVersion } from '../../../lib/store/file/migrate.ts';
import { logIn, send } from '../../support/client.ts';
import { invitedIn, queryOne, withDatabase } from '../../support/database.ts';
import type { Server } from '../../support/installation.ts';
import { siteForAll } from '../../support/site.ts';

const site = siteForAll();
const create = () => site.json<{ file: string }>('backup', 'create');
site.invite('ada@example.com');
const snapshot = create().file;

const restore = (file: string, ...options: readonly string[]) =>
  site.tool('backup', 'restore', file, '--yes', ...options);

/** Restores a snapshot. @returns the file of the former store */
const replacedBy = (file: string) =>
  site.json<{ replaced: string }>('backup', 'restore', file, '--yes').replaced;

function refuses(file: string, reason: RegExp): void {
  const { status, stdout, stderr } = restore(file);
  assert.equal(status, 1, stdout + stderr);
  assert.match(stderr, reason);
  assert.doesNotMatch(stderr, /\n +at /, 'a stack is no message');
}

test('replaces the store with the snapshot, and keeps the replaced store', async () => {
  site.invite('grace@example.com');
  const replaced = replacedBy(path.basename(snapshot));
  assert.deepEqual(invitedIn(site.store), ['ada@example.com']);
  assert.equal(fs.statSync(site.store).mode & 0o777, 0o600);
  assert.match(path.basename(replaced), /^guestlist-\d{8}T\d{6}Z-replaced\.db$/);
  assert.equal(restore(replaced).status, 0);
  assert.deepEqual(invitedIn(site.store), ['ada@example.com', 'grace@example.com']);
  const server = await site.start();
  await logIn(server.origin, 'grace@example.com');
  await server.stop();
});

test('refuses while a server has the store open, even if its file is deleted', async () => {
  const server = await site.start();
  refuses(snapshot, /is in use; stop the server/);
  fs.renameSync(site.store, `${site.store}.aside`);
  refuses(snapshot, /is in use; stop the server/);
  fs.renameSync(`${site.store}.aside`, site.store);
  await server.stop();
});

test('refuses while another program has the store open', () => {
  withDatabase(site.store, (db) => {
    db.pragma('journal_mode = wal');
    const count = db.prepare('select count(*) from invites').pluck();
    assert.equal(count.get(), 2);
    refuses(snapshot, /is open in another program/);
    assert.equal(count.get(), 2);
  });
});

test('a server that starts during a restore waits for its end', async () => {
  const start = async (): Promise<Server> => {
    const release = claim(site.store, 'replace');
    const started = site.start();
    const first = await Promise.race([
      started,
      new Promise((resolve) => setTimeout(resolve, 700, 'waits')),
    ]);
    assert.equal(first, 'waits');
    release();
    return started.catch((error) => {
      // It waits for 5 s, which this process may have slept.
      assert.match(String(error), /is being restored from a snapshot; try again after that/);
      return start();
    });
  };
  const server = await start();
  await logIn(server.origin, 'ada@example.com');
  await server.stop();
});

test('refuses a file that is not a sound store of this version, and changes nothing', () => {
  const folder = fs.mkdtempSync(path.join(site.root, 'bad-'));
  const before = fs.readFileSync(site.store);
  const file = (name: string) => path.join(folder, name);
  const altered = (name: string, sql: string) => {
    fs.copyFileSync(snapshot, file(name));
    withDatabase(file(name), (db) => db.exec(sql));
    return file(name);
  };
  fs.writeFileSync(file('text'), 'Not a database, though long enough to be one. '.repeat(20));
  fs.writeFileSync(file('empty'), '');
  fs.copyFileSync(snapshot, file('half'));
  fs.truncateSync(file('half'), 20_480);
  withDatabase(file('other'), (db) =>
    db.exec('create table films (title text); pragma user_version = 2'),
  );
  refuses('nowhere.db', /there is no nowhere\.db/);
  refuses(file('text'), /text fails the check: file is not a database/);
  refuses(file('empty'), /empty fails the check: a SQLite file of something else/);
  refuses(file('half'), /half fails the check/);
  refuses(file('other'), /other fails the check: a SQLite file of something else/);
  const newer = altered('newer', `pragma user_version = ${currentVersion + 1}`);
  refuses(newer, /newer was written by a newer Guestlist/);
  const wrong = altered('wrong', 'update totals set invites = 7');
  refuses(wrong, /its totals and its rows disagree/);
  assert.deepEqual(fs.readFileSync(site.store), before);
});

test('repairs a store that is damaged, or missing except for its WAL', () => {
  const log = `${site.store}-wal`;
  for (const damage of [
    () => fs.writeFileSync(site.store, 'scribbled over'.repeat(1000)),
    () => fs.truncateSync(site.store, 5000),
    () => fs.rmSync(site.store),
  ]) {
    assert.equal(restore(snapshot).status, 0);
    const db = new Database(site.store);
    db.pragma('journal_mode = wal');
    db.exec("insert into invites values ('grace@example.com', null, 'cli', 2, 0)");
    const pages = fs.readFileSync(log);
    db.close();
    damage();
    fs.writeFileSync(log, pages);
    const { status, stderr } = restore(snapshot);
    assert.equal(status, 0, stderr);
    assert.deepEqual(invitedIn(site.store), ['ada@example.com']);
  }
});

test('reads a copy with a WAL beside it', () => {
  const copy = path.join(site.root, 'copy.db');
  const db = new Database(site.store);
  db.pragma('journal_mode = wal');
  db.exec("insert into invites values ('alan@example.com', null, 'cli', 2, 0)");
  fs.copyFileSync(site.store, copy);
  fs.copyFileSync(`${site.store}-wal`, `${copy}-wal`);
  db.exec("delete from invites where email = 'alan@example.com'");
  db.close();
  assert.equal(restore(copy).status, 0);
  assert.deepEqual(invitedIn(site.store), ['ada@example.com', 'alan@example.com']);
});

test('names whose standing changes, and does it with --yes alone; ended sessions stay ended', async () => {
  await site.clear();
  const [ADA, ALAN, GRACE] = ['ada@example.com', 'alan@example.com', 'grace@example.com'];
  for (const email of [ADA, GRACE]) site.invite(email);
  site.setAdmin(GRACE);
  let server = await site.start();
  const [adas, graces] = [await logIn(server.origin, ADA), await logIn(server.origin, GRACE)];
  const { file } = create();
  site.tool('invite', 'remove', GRACE, '--end-sessions');
  site.invite(ALAN);
  site.setAdmin(ADA);
  const before = fs.readFileSync(site.store);
  const preview = site.tool('backup', 'restore', file);
  assert.equal(preview.status, 1);
  assert.match(
    preview.stdout,
    /\nthe snapshot: 2 invites, 2 sessions, .*\nthe store: 2 invites, 1 /,
  );
  assert.equal(preview.stderr, 'nothing is changed; to restore, stop the server and add --yes\n');
  assert.deepEqual(fs.readFileSync(site.store), before);
  await server.stop();

  const { people } = site.json<{ people: unknown }>('backup', 'restore', file, '--yes');
  assert.deepEqual(people, [
    { email: ADA, inStore: 'administrator', inSnapshot: 'invited' },
    { email: ALAN, inStore: 'invited', inSnapshot: 'not invited' },
    { email: GRACE, inStore: 'not invited', inSnapshot: 'administrator' },
  ]);
  const [newest] = site.json('invite', 'log');
  assert.deepEqual([newest?.what, newest?.detail], ['restored', path.basename(file)]);
  server = await site.start();
  const statusOf = async (cookie: string) =>
    (await send(server.origin, 'GET /auth/me', { cookie })).status;
  assert.deepEqual([await statusOf(adas), await statusOf(graces)], [200, 401]);
  await server.stop();

  fs.rmSync(site.store);
  assert.equal(restore(file).status, 0);
  assert.equal(
    queryOne(site.store, 'select count(*) from sessions'),
    2,
    'without a store all stay',
  );
  fs.writeFileSync(site.store, 'scribbled over'.repeat(1000));
  assert.match(restore(file).stdout, /\nthe store cannot be read; all sessions end\n/);
  assert.equal(queryOne(site.store, 'select count(*) from sessions'), 0);
});

test('gives the invites alone with invite add --from-snapshot', async () => {
  await site.clear();
  for (const email of ['ada@example.com', 'grace@example.com']) site.invite(email);
  site.setAdmin('ada@example.com');
  const { file } = create();
  for (const email of ['ada', 'grace']) site.tool('invite', 'remove', `${email}@example.com`);
  site.invite('grace@example.com');
  const { stdout, stderr } = site.tool('invite', 'add', '--from-snapshot', file);
  assert.equal(stdout, '1 invited; 1 already invited\n', stderr);
  assert.deepEqual(site.json('invite', 'admin', 'list'), []);
  const missing = site.tool('invite', 'add', '--from-snapshot', 'nowhere.db');
  assert.match(missing.stderr, /there is no nowhere\.db/);
});
