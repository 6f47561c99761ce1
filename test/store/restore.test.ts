/** Restoring a snapshot replaces the whole store, also of a running server, or changes nothing. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, it } from 'node:test';
import Database from 'better-sqlite3';
import { inspectStoreFile } from '../../lib/store/inspection.ts';
import { currentSchema } from '../../lib/store/migrate.ts';
import { logIn, send } from '../support/client.ts';
import {
  damagePage,
  invitedIn,
  lockStore,
  queryOne,
  scribble,
  withDatabase,
} from '../support/database.ts';
import { FORMER, makeOldStore } from '../support/old-store.ts';
import { siteForEach } from '../support/site.ts';
import { toolsForEach, toolsOn } from '../support/tools.ts';

const [ADA, ALAN, GRACE] = ['ada@example.com', 'alan@example.com', 'grace@example.com'];
const insert = (email: string) => `insert into invites values ('${email}', null, 'cli', 2, 0)`;

const { file, folder, invite, json, says, setAdmin, tool, write } = toolsForEach();
const create = async () => (await json<{ file: string }>('backup create')).file;
const restore = (snapshot: string) => tool(`backup restore ${snapshot} --yes`);
const begin = (email: string) => write(({ sessions }) => sessions.begin(email, Date.now()).id);
const drafts = () => fs.readdirSync(folder).filter((name) => name.startsWith('draft-'));

/** A snapshot in which Ada is invited, and a store in which Grace is too. */
let snapshot: string;
beforeEach(async () => {
  invite(ADA);
  snapshot = await create();
  invite(GRACE);
});

describe('backup restore', () => {
  it('replaces the store with the snapshot, ends all sessions, and keeps the replaced store', async () => {
    begin(ADA);
    const taken = path.basename(await create());
    begin(GRACE);
    const { replaced } = await json<{ replaced: string }>(`backup restore ${taken} --yes`);
    assert.equal(queryOne(file, 'select count(*) from sessions'), 0);
    assert.equal(queryOne(replaced, 'select count(*) from sessions'), 2);
    await says('backup restore', path.basename(snapshot), '--yes');
    assert.deepEqual(invitedIn(file), [ADA]);
    assert.equal(fs.statSync(file).mode & 0o777, 0o600);
    assert.match(path.basename(replaced), /^guestlist-\d{8}T\d{6}Z-replaced\.db$/);
    await says(`backup restore ${replaced} --yes`);
    assert.deepEqual(invitedIn(file), [ADA, GRACE]);
    assert.deepEqual(drafts(), []);
    const [{ what, detail } = {}] = await json('invite log --limit 1');
    assert.deepEqual([what, detail], ['restored', path.basename(replaced)]);
  });

  it('ends with a word about the site where there is none', async () => {
    const hint = /\nA snapshot never contains the site\. Copy data\/site\/ back\.\n$/;
    assert.match(await says(`backup restore ${snapshot} --yes`), hint);
    fs.mkdirSync(path.join(folder, 'site'));
    assert.doesNotMatch(await says(`backup restore ${snapshot} --yes`), /the site/);
  });

  it('without --yes only names the rows, whose standing changes, and how many were erased since', async () => {
    setAdmin(GRACE);
    const snapshot = await create();
    await says(`invite remove ${GRACE}`);
    invite(ALAN);
    setAdmin(ADA);
    await says(`person forget ${GRACE} --yes`);
    const before = fs.readFileSync(file);
    const { status, stdout, stderr } = await tool(`backup restore ${snapshot}`);
    assert.equal(status, 1);
    assert.match(stdout, /\nthe snapshot: 2 invites, 0 sessions, .*\nthe store: 2 invites, 0 /);
    assert.match(
      stdout,
      /\nerased since the snapshot: 1; these people would be in the store again\n/,
    );
    assert.equal(stderr, 'nothing is changed; to restore, add --yes; all sessions will end\n');
    assert.deepEqual(fs.readFileSync(file), before);
    const done = await json<{ people: unknown; erased: number }>(
      `backup restore ${snapshot} --yes`,
    );
    assert.equal(done.erased, 1);
    assert.deepEqual(done.people, [
      { email: ADA, inStore: 'administrator', inSnapshot: 'invited' },
      { email: ALAN, inStore: 'invited', inSnapshot: 'not invited' },
      { email: GRACE, inStore: 'not invited', inSnapshot: 'administrator' },
    ]);
  });

  for (const version of ['1.1.0', '2.0.0'] as const)
    it(`converts a snapshot of ${version}, and one that a link names`, async () => {
      const [old, link] = [path.join(folder, 'old.db'), path.join(folder, 'link.db')];
      makeOldStore(old, version).close();
      fs.symlinkSync(old, link);
      await says(`backup restore ${link} --yes`);
      assert.ok(invitedIn(file).includes('eva@xn--bcher-kva.example'));
      assert.equal(inspectStoreFile(file).version, currentSchema);
      assert.equal(inspectStoreFile(old).version, FORMER[version]);
      const { clicks } = await json<{ clicks: number }>('joins stats');
      assert.equal(clicks, queryOne(old, 'select count(*) from project_joins'));
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

  it('two at once, of which one waits for the other: each keeps what it replaces', async () => {
    const other = await create();
    const names = [snapshot, other].map((each) => path.basename(each));
    const calls = names.map((name) => json<{ replaced: string }>(`backup restore ${name} --yes`));
    const kept = (await Promise.all(calls)).map(({ replaced }) => replaced);
    assert.equal(new Set(kept).size, 2);
    for (const each of [file, ...kept]) assert.equal(inspectStoreFile(each).fault, null);
    const contents = [file, ...kept].map((each) => invitedIn(each).length).sort();
    assert.deepEqual(contents, [1, 2, 2]);
  });

  it('is refused in one line while another program locks the store for 5 s', async (t) => {
    const unlock = lockStore(file);
    let now = 0;
    t.mock.method(performance, 'now', () => (now += 1000));
    const { status, stderr } = await restore(snapshot);
    unlock();
    assert.equal(status, 1);
    assert.match(stderr, /^.*guestlist\.db is locked by another program \(.*\); end it, .*\n$/);
    assert.deepEqual([invitedIn(file), drafts()], [[ADA, GRACE], []]);
  });
});

describe('a store that is', () => {
  const rows = () => [invitedIn(file), queryOne(file, 'pragma integrity_check')];
  for (const [what, damage, isKept] of [
    ['overwritten', () => scribble(file, 0, 100), true],
    ['damaged inside', () => scribble(file, 4096, 8 * 4096), true],
    ['cut', () => fs.truncateSync(file, 5000), true],
    ['empty', () => fs.truncateSync(file), false],
    ['missing', () => fs.rmSync(file), false],
  ] as const) {
    it(`${what} is repaired, and what is left of it kept`, async () => {
      withDatabase(file, (db) => db.pragma('wal_checkpoint(truncate)'));
      damage();
      const left = isKept && fs.readFileSync(file);
      const { status, stdout, stderr } = await restore(snapshot);
      assert.equal(status, 0, stderr);
      assert.deepEqual(rows(), [[ADA], 'ok']);
      const [, kept] = /kept as (.*)\n/.exec(stdout) ?? [];
      assert.deepEqual(isKept && fs.readFileSync(String(kept)), left);
    });
  }

  for (const lose of [fs.truncateSync, fs.rmSync])
    it(`lost by ${lose.name} is repaired, and its WAL kept and listed until it is pruned`, async () => {
      const wal = withDatabase(file, (db) => {
        db.exec(insert(ALAN));
        return fs.readFileSync(`${file}-wal`);
      });
      lose(file);
      fs.writeFileSync(`${file}-wal`, wal);
      assert.match((await tool('backup create')).stderr, /is gone, but .*-wal is still there; /);
      const { stdout } = await tool(`backup restore ${snapshot}`);
      assert.match(stdout, /\nthe store cannot be read; stop the server\n$/);
      const { replaced } = await json<{ replaced: string }>(`backup restore ${snapshot} --yes`);
      assert.deepEqual(rows(), [[ADA], 'ok']);
      const [{ file: listed, fault } = {}] = await json('backup list');
      assert.deepEqual([listed, fault], [replaced, 'only its -wal is left']);
      assert.match((await tool(`person forget ${ALAN}`)).stderr, /-replaced\.db\n/);
      assert.deepEqual(fs.readFileSync(`${replaced}-wal`), wal);
      await create();
      await says('backup prune --keep 1 --all');
      assert.ok(!fs.existsSync(`${replaced}-wal`));
    });
});

describe('a file that is not a sound store of this version', () => {
  const content = (text: string | Buffer) => (at: string) => fs.writeFileSync(at, text);
  const changed = (sql: string) => (at: string) => {
    fs.copyFileSync(snapshot, at);
    withDatabase(at, (db) => db.exec(sql));
  };
  for (const [what, make, reason] of [
    ['no database', content('Not a database. '.repeat(50)), /file is not a database/],
    ['empty', content(''), /fails the check: not a store of Guestlist/],
    [
      'of another program',
      changed('pragma application_id = 7; drop table invites'),
      /not a store of Guestlist/,
    ],
    ['cut', (at) => content(fs.readFileSync(snapshot).subarray(0, 20_480))(at), /malformed/],
    [
      'damaged',
      (at) => {
        fs.copyFileSync(snapshot, at);
        damagePage(at, 'invites_by_time');
      },
      /fails the check: .*(damaged|malformed)/,
    ],
    ['newer', changed(`pragma user_version = ${currentSchema + 1}`), /by a newer Guestlist/],
    ['with larger pages', changed('pragma page_size = 8192; vacuum'), /has pages of 8192 bytes/],
    ['a folder', (at) => fs.mkdirSync(at), /is not a file/],
    ['a link to nothing', (at) => fs.symlinkSync('nowhere', at), /there is no .*bad\.db/],
  ] as const satisfies readonly (readonly [string, (at: string) => void, RegExp])[])
    it(`is refused in one line, and changes nothing: ${what}`, async () => {
      const bad = path.join(folder, 'bad.db');
      make(bad);
      const before = fs.readFileSync(file);
      const { status, stderr } = await restore(bad);
      assert.deepEqual([status, stderr.split('\n').length], [1, 2], stderr);
      assert.match(stderr, reason);
      assert.deepEqual(fs.readFileSync(file), before);
      assert.deepEqual(drafts(), []);
      assert.equal(fs.readdirSync(path.dirname(snapshot)).length, 1, 'nothing is kept');
    });
});

describe('beside a running server', () => {
  const site = siteForEach();
  const tools = toolsOn(site.store);
  const taken = async () => (await tools.json<{ file: string }>('backup create')).file;

  it('the next request sees the snapshot, and everybody logs in again', async () => {
    site.invite(ADA);
    const snapshot = await taken();
    site.invite(GRACE);
    const { origin } = await site.start();
    const cookie = await logIn(origin, ADA);
    const statusOf = async (line: string, options: object) =>
      (await send(origin, line, options)).status;
    assert.equal(await statusOf('GET /auth/me', { cookie }), 200);
    assert.equal(site.tool('backup', 'restore', snapshot, '--yes').status, 0);
    assert.equal(await statusOf('GET /auth/me', { cookie }), 401);
    assert.equal(await statusOf('POST /auth/login', { json: { email: GRACE } }), 403);
    assert.equal(await statusOf('POST /auth/login', { json: { email: ADA } }), 200);
    const { types } = await tools.json<{ types: { count: number }[] }>('events stats');
    assert.equal(types[0]?.count, 1, 'the counts are those of the snapshot');
  });

  for (const [what, damage] of [
    ['damaged', () => damagePage(site.store, 'invites')],
    ['deleted', () => fs.rmSync(site.store)],
  ] as const)
    it(`a store that is ${what} is repaired after the server's stop, also by a signal of 9`, async () => {
      site.invite(ADA);
      const snapshot = await taken();
      const server = await site.start();
      damage();
      const restore = () => site.tool('backup', 'restore', snapshot, '--yes');
      const { status, stderr } = restore();
      assert.equal(status, 1);
      assert.match(stderr, /^a server is running on .*; stop it first\n$/);
      await server.stop('SIGKILL');
      const again = restore();
      assert.equal(again.status, 0, again.stderr);
      assert.deepEqual(invitedIn(site.store), [ADA]);
      await logIn((await site.start()).origin, ADA);
    });
});
