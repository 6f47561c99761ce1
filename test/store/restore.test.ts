/** Restoring a snapshot replaces the whole store or changes nothing. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, it } from 'node:test';
import Database from 'better-sqlite3';
import { claimStore } from '../../lib/store/lock.ts';
import { currentSchema } from '../../lib/store/migrate.ts';
import { invitedIn, queryOne, withDatabase } from '../support/database.ts';
import { startProcess, untilOpen } from '../support/process.ts';
import { siteForAll } from '../support/site.ts';
import { toolsForEach, toolsOn } from '../support/tools.ts';

const [ADA, ALAN, GRACE] = ['ada@example.com', 'alan@example.com', 'grace@example.com'];
const insert = (email: string) => `insert into invites values ('${email}', null, 'cli', 2, 0)`;

const { file, folder, invite, json, says, setAdmin, tool, write } = toolsForEach();
const create = async () => (await json<{ file: string }>('backup create')).file;
const restore = (snapshot: string) => tool(`backup restore ${snapshot} --yes`);
const begin = (email: string) => write(({ sessions }) => sessions.begin(email, Date.now()).id);
const sessions = () => queryOne(file, 'select group_concat(id) from sessions');
const scribble = () => fs.writeFileSync(file, 'scribbled over'.repeat(1000));

/** A snapshot in which Ada is invited, and a store in which Grace is too. */
let snapshot: string;
beforeEach(async () => {
  invite(ADA);
  snapshot = await create();
  invite(GRACE);
});

describe('backup restore', () => {
  it('replaces the store with the snapshot, and keeps the replaced store', async () => {
    const name = path.basename(snapshot);
    const { replaced } = await json<{ replaced: string }>(`backup restore ${name} --yes`);
    assert.deepEqual(invitedIn(file), [ADA]);
    assert.equal(fs.statSync(file).mode & 0o777, 0o600);
    assert.match(path.basename(replaced), /^guestlist-\d{8}T\d{6}Z-replaced\.db$/);
    await says(`backup restore ${replaced} --yes`);
    assert.deepEqual(invitedIn(file), [ADA, GRACE]);
  });

  it('names whose standing changes, and does it with --yes alone; ended sessions stay ended', async () => {
    setAdmin(GRACE);
    const [adas] = [begin(ADA), begin(GRACE)];
    const snapshot = await create();
    await says(`invite remove ${GRACE} --end-sessions`);
    invite(ALAN);
    setAdmin(ADA);
    const before = fs.readFileSync(file);
    const { status, stdout, stderr } = await tool(`backup restore ${snapshot}`);
    assert.equal(status, 1);
    assert.match(stdout, /\nthe snapshot: 2 invites, 2 sessions, .*\nthe store: 2 invites, 1 /);
    assert.equal(stderr, 'nothing is changed; to restore, stop the server and add --yes\n');
    assert.deepEqual(fs.readFileSync(file), before);
    const { people } = await json<{ people: unknown }>(`backup restore ${snapshot} --yes`);
    assert.deepEqual(people, [
      { email: ADA, inStore: 'administrator', inSnapshot: 'invited' },
      { email: ALAN, inStore: 'invited', inSnapshot: 'not invited' },
      { email: GRACE, inStore: 'not invited', inSnapshot: 'administrator' },
    ]);
    assert.equal(sessions(), adas);
  });

  it('leaves all sessions if there is no store, and none if it cannot be read', async () => {
    const adas = begin(ADA);
    const snapshot = await create();
    fs.rmSync(file);
    await says(`backup restore ${snapshot} --yes`);
    assert.equal(sessions(), adas);
    scribble();
    const { stdout } = await restore(snapshot);
    assert.match(stdout, /\nthe store cannot be read; all sessions end\n/);
    assert.equal(sessions(), null);
  });

  for (const [what, damage] of [
    ['damaged', scribble],
    ['cut', () => fs.truncateSync(file, 5000)],
    ['missing except for its WAL', () => fs.rmSync(file)],
  ] as const)
    it(`repairs a store that is ${what}`, async () => {
      const log = `${file}-wal`;
      const pages = withDatabase(file, (db) => {
        db.exec(insert(ALAN));
        return fs.readFileSync(log);
      });
      damage();
      fs.writeFileSync(log, pages);
      const { status, stderr } = await restore(snapshot);
      assert.equal(status, 0, stderr);
      assert.deepEqual(invitedIn(file), [ADA]);
    });

  it('reads a copy with a WAL beside it', async () => {
    const copy = path.join(folder, 'copy.db');
    const db = new Database(file);
    db.exec(insert(ALAN));
    for (const side of ['', '-wal']) fs.copyFileSync(file + side, copy + side);
    db.exec(`delete from invites where email = '${ALAN}'`);
    db.close();
    await says(`backup restore ${copy} --yes`);
    assert.deepEqual(invitedIn(file), [ADA, ALAN, GRACE]);
  });
});

it('invite add --from-snapshot gives the invites alone, to those who are not invited', async () => {
  setAdmin(ADA);
  const snapshot = await create();
  for (const email of [ADA, GRACE]) write(({ invites }) => invites.remove(email));
  invite(GRACE);
  const call = `invite add --from-snapshot ${snapshot}`;
  assert.equal(await says(call), '1 invited; 1 already invited\n');
  assert.deepEqual(await json('invite admin list'), []);
  fs.truncateSync(snapshot, 20_480);
  assert.match((await tool(call)).stderr, /fails the check/);
});

describe('a file that is not a sound store of this version', () => {
  const content = (text: string | Buffer) => (at: string) => fs.writeFileSync(at, text);
  const changed = (sql: string) => (at: string) => {
    fs.copyFileSync(snapshot, at);
    withDatabase(at, (db) => db.exec(sql));
  };
  for (const [make, reason] of [
    [content('Not a database. '.repeat(50)), /fails the check: file is not a database/],
    [content(''), /fails the check: a SQLite file of something else/],
    [(at: string) => content(fs.readFileSync(snapshot).subarray(0, 20_480))(at), /malformed/],
    [changed(`pragma user_version = ${currentSchema + 1}`), /was written by a newer Guestlist/],
    [changed('update totals set invites = 7'), /its totals and its rows disagree/],
  ] as const)
    it(`is refused, and changes nothing: ${reason}`, async () => {
      const bad = path.join(folder, 'bad.db');
      make(bad);
      const before = fs.readFileSync(file);
      const { status, stderr } = await restore(bad);
      assert.deepEqual([status, stderr.split('\n').length], [1, 2], 'no stack');
      assert.match(stderr, reason);
      assert.deepEqual(fs.readFileSync(file), before);
    });
});

describe('beside other programs', () => {
  const site = siteForAll();
  site.invite(ADA);

  it('a server that starts meanwhile waits for its end', async () => {
    const release = claimStore(site.store, 'replace');
    const command = [process.execPath, path.join(site.root, 'server.js')];
    const server = startProcess(command, { env: { ...process.env, PORT: '0' } });
    await untilOpen(1, `${site.store}.lock`, server.process.pid);
    assert.ok(!fs.existsSync(`${site.store}-wal`), 'the store is not open');
    release();
    await server.prints(/^listening on /);
    await server.stop();
  });

  it('it is refused while a server has the store open, even if its file is deleted', async () => {
    const { json, tool } = toolsOn(site.store);
    const { file: snapshot } = await json<{ file: string }>('backup create');
    await site.start();
    for (const what of ['open', 'deleted']) {
      const { status, stderr } = await tool(`backup restore ${snapshot} --yes`);
      assert.equal(status, 1, what);
      assert.match(stderr, /is in use; stop the server/);
      fs.rmSync(site.store, { force: true });
    }
  });

  it('it is refused while another program has the store open', async () => {
    const other = new Database(file);
    const count = other.prepare('select count(*) from invites').pluck();
    assert.equal(count.get(), 2);
    assert.match((await restore(snapshot)).stderr, /is open in another program/);
    assert.equal(count.get(), 2);
    other.close();
  });
});
