/** The backup tool: snapshots beside a running server, what is kept of them, and the way back from each. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { inspectFile } from '../../../lib/store/file/inspection.ts';
import { claim } from '../../../lib/store/file/lock.ts';
import { currentVersion } from '../../../lib/store/file/migrate.ts';
import { logIn, send } from '../../support/client.ts';
import { damagePage } from '../../support/damage.ts';
import { type Installation, install } from '../../support/installation.ts';
import { lacksRoot } from '../../support/lacks.ts';
import { makeOldStore } from '../../support/old-store.ts';
import { siteForAll } from '../../support/site.ts';

const run = promisify(execFile);

const NAME = /^guestlist-\d{8}T\d{6}Z\.db$/;

const DAY = 86_400_000;

const backups = (installation: Installation) => path.join(installation.root, 'data', 'backups');

const names = (installation: Installation): readonly string[] =>
  fs.existsSync(backups(installation)) ? fs.readdirSync(backups(installation)).sort() : [];

/** The name that a snapshot of a time has. */
const nameAt = (ms: number) =>
  `guestlist-${new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '')}.db`;

function create(installation: Installation): { readonly file: string; readonly removed: number } {
  const { status, stdout, stderr } = installation.tool('backup', 'create', '--json');
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

const emails = (installation: Installation): readonly string[] =>
  JSON.parse(installation.tool('invite', 'list', '--json').stdout)
    .map(({ email }: { email: string }) => email)
    .sort();

function refuses(installation: Installation, args: readonly string[], reason: RegExp, status = 1) {
  const result = installation.tool('backup', ...args);
  assert.equal(result.status, status, result.stdout + result.stderr);
  assert.match(result.stderr, reason);
  assert.doesNotMatch(result.stderr, /\n +at /, 'a stack is no message');
}

describe('backup', () => {
  let installation: Installation;
  before(() => {
    installation = install();
    installation.invite('ada@example.com', 'Ada');
  });
  after(() => installation.remove());

  test('create copies the store of a running server, for its owner only', async () => {
    const server = await installation.start();
    const cookie = await logIn(server.origin, 'ada@example.com');
    assert.equal((await send(server.origin, 'POST /api/project-join', { cookie })).status, 200);
    const { file } = create(installation);
    assert.match(path.basename(file), NAME);
    assert.equal(fs.statSync(file).mode & 0o777, 0o600);
    assert.equal(fs.statSync(path.dirname(file)).mode & 0o777, 0o700);
    assert.deepEqual(inspectFile(file), {
      version: currentVersion,
      rows: { invites: 1, sessions: 1, project_joins: 1, events: 1 },
      fault: null,
    });
    assert.deepEqual(names(installation), [path.basename(file)], 'and nothing is left beside it');
    await server.stop();
  });

  test('two snapshots taken at once have two names', async () => {
    const before = names(installation).length;
    const tool = path.join(installation.root, 'tools', 'backup.js');
    await Promise.all([1, 2, 3].map(() => run(process.execPath, [tool, 'create'])));
    assert.equal(names(installation).length, before + 3);
    for (const name of names(installation))
      assert.equal(inspectFile(path.join(backups(installation), name)).fault, null);
  });

  test('create removes what is older than 14 days, and nothing else', () => {
    const { file } = create(installation);
    const at = (age: number) => path.join(backups(installation), nameAt(Date.now() - age));
    const [young, old] = [at(14 * DAY - 60_000), at(14 * DAY + 60_000)];
    fs.copyFileSync(file, young);
    fs.copyFileSync(file, old);
    fs.writeFileSync(path.join(backups(installation), 'notes.txt'), 'mine');
    assert.equal(create(installation).removed, 1);
    assert.ok(fs.existsSync(young) && !fs.existsSync(old));
    assert.ok(names(installation).includes('notes.txt'));
    fs.rmSync(path.join(backups(installation), 'notes.txt'));
  });

  test('list shows newest first, and which do not check out', () => {
    const { file } = create(installation);
    const half = path.join(backups(installation), nameAt(DAY));
    fs.copyFileSync(file, half);
    fs.truncateSync(half, 16_384);
    fs.writeFileSync(
      path.join(backups(installation), nameAt(2 * DAY)),
      'no database at all'.repeat(99),
    );
    const list = JSON.parse(installation.tool('backup', 'list', '--json').stdout);
    assert.equal(list[0].file, file);
    assert.equal(list[0].fault, null);
    assert.equal(list[0].rows.events, 1);
    assert.deepEqual(
      list.slice(-2).map(({ takenAt }: { takenAt: number }) => takenAt),
      [2 * DAY, DAY],
    );
    for (const { fault } of list.slice(-2)) assert.match(fault, /malformed|damaged|not a database/);
    const table = installation.tool('backup', 'list').stdout;
    assert.match(table, /checks out\n.*\b1 +1 +1 +1 +yes\n/);
  });

  test('a snapshot that is not there is refused', () => {
    refuses(installation, ['restore', 'nowhere.db'], /there is no nowhere\.db/);
  });
});

describe('a snapshot that would not be one', () => {
  const installation = siteForAll();

  test('there is nothing to back up before there is a store', () => {
    refuses(installation, ['create'], /there is no store/);
    assert.equal(installation.tool('backup', 'list').stdout, 'none yet\n');
  });

  test('a damaged store is not kept as a snapshot, and the last good one stays', () => {
    installation.invite('ada@example.com');
    const { file } = create(installation);
    const old = path.join(backups(installation), nameAt(Date.now() - 20 * DAY));
    fs.renameSync(file, old);
    damagePage(installation.store, 'invites_by_time');
    refuses(installation, ['create'], /does not check out|malformed/);
    assert.deepEqual(names(installation), [path.basename(old)]);
  });

  test('before a migration a snapshot of the older schema is taken', () => {
    fs.rmSync(path.dirname(installation.store), { recursive: true });
    const db = makeOldStore(installation.store, 4);
    db.prepare("insert into invites values ('ada@example.com', 'Ada', 'cli', 1, 0)").run();
    db.close();
    assert.deepEqual(emails(installation), ['ada@example.com']);
    const [name] = names(installation);
    assert.match(name ?? '', /^guestlist-\d{8}T\d{6}Z-schema-4\.db$/);
    const [snapshot] = JSON.parse(installation.tool('backup', 'list', '--json').stdout);
    assert.equal(snapshot.fault, null);
    assert.equal(snapshot.version, 4);
    assert.equal(installation.tool('backup', 'restore', name ?? '', '--yes').status, 0);
    assert.deepEqual(emails(installation), ['ada@example.com']);
  });
});

describe('restore', () => {
  let installation: Installation;
  let snapshot: string;
  before(() => {
    installation = install();
    installation.invite('ada@example.com');
    snapshot = create(installation).file;
  });
  after(() => installation.remove());

  test('puts the snapshot in the place of the store, and keeps what it replaces', async () => {
    installation.invite('grace@example.com');
    const { status, stdout } = installation.tool(
      'backup',
      'restore',
      path.basename(snapshot),
      '--yes',
      '--json',
    );
    assert.equal(status, 0);
    assert.deepEqual(emails(installation), ['ada@example.com']);
    assert.equal(fs.statSync(installation.store).mode & 0o777, 0o600);
    const { replaced } = JSON.parse(stdout);
    assert.match(path.basename(replaced), /^guestlist-\d{8}T\d{6}Z-replaced\.db$/);
    assert.equal(installation.tool('backup', 'restore', replaced, '--yes').status, 0);
    assert.deepEqual(emails(installation), ['ada@example.com', 'grace@example.com']);
    const server = await installation.start();
    await logIn(server.origin, 'grace@example.com');
    await server.stop();
  });

  test('refuses while a server has the store open, even one whose file is gone', async () => {
    const server = await installation.start();
    refuses(installation, ['restore', snapshot, '--yes'], /is in use; stop the server/);
    fs.renameSync(installation.store, `${installation.store}.aside`);
    refuses(installation, ['restore', snapshot, '--yes'], /is in use; stop the server/);
    fs.renameSync(`${installation.store}.aside`, installation.store);
    await server.stop();
  });

  test('refuses while another program has the store open', () => {
    const db = new Database(installation.store);
    db.pragma('journal_mode = wal');
    db.prepare('select count(*) from invites').get();
    refuses(installation, ['restore', snapshot, '--yes'], /is open in another program/);
    assert.equal(db.prepare('select count(*) from invites').pluck().get(), 2);
    db.close();
  });

  test('a server that starts during a restore waits for its end', async () => {
    const release = claim(installation.store, 'replace');
    const started = installation.start();
    const first = await Promise.race([
      started,
      new Promise((resolve) => setTimeout(resolve, 700, 'waits')),
    ]);
    assert.equal(first, 'waits');
    release();
    await logIn((await started).origin, 'ada@example.com');
    await (await started).stop();
  });

  test('refuses what is no sound store of this version, and changes nothing', () => {
    const folder = fs.mkdtempSync(path.join(installation.root, 'bad-'));
    const before = fs.readFileSync(installation.store);
    const file = (name: string) => path.join(folder, name);
    const altered = (name: string, sql: string) => {
      fs.copyFileSync(snapshot, file(name));
      const db = new Database(file(name));
      db.exec(sql);
      db.close();
      return file(name);
    };
    fs.writeFileSync(file('text'), 'Not a database, though long enough to be one. '.repeat(20));
    fs.writeFileSync(file('empty'), '');
    fs.copyFileSync(snapshot, file('half'));
    fs.truncateSync(file('half'), 20_480);
    const other = new Database(file('other'));
    other.exec('create table films (title text); pragma user_version = 2');
    other.close();
    refuses(
      installation,
      ['restore', file('text')],
      /text does not check out: file is not a database/,
    );
    refuses(installation, ['restore', file('empty')], /not a store of Guestlist/);
    refuses(installation, ['restore', file('half')], /half does not check out/);
    refuses(installation, ['restore', file('other')], /not a store of Guestlist/);
    const newer = altered('newer', `pragma user_version = ${currentVersion + 1}`);
    refuses(installation, ['restore', newer], /newer was written by a newer Guestlist/);
    const wrong = altered('wrong', 'update totals set invites = 7');
    refuses(installation, ['restore', wrong], /its totals and its rows disagree/);
    assert.deepEqual(fs.readFileSync(installation.store), before);
  });

  test('brings back a store that is damaged, or gone but for its log', () => {
    const log = `${installation.store}-wal`;
    for (const damage of [
      () => fs.writeFileSync(installation.store, 'scribbled over'.repeat(1000)),
      () => fs.truncateSync(installation.store, 5000),
      () => fs.rmSync(installation.store),
    ]) {
      assert.equal(installation.tool('backup', 'restore', snapshot, '--yes').status, 0);
      const db = new Database(installation.store);
      db.pragma('journal_mode = wal');
      db.exec("insert into invites values ('grace@example.com', null, 'cli', 2, 0)");
      const pages = fs.readFileSync(log);
      db.close();
      damage();
      fs.writeFileSync(log, pages);
      const { status, stderr } = installation.tool('backup', 'restore', snapshot, '--yes');
      assert.equal(status, 0, stderr);
      assert.deepEqual(emails(installation), ['ada@example.com']);
    }
  });

  test('reads a copy that has a write-ahead log beside it', () => {
    const copy = path.join(installation.root, 'copy.db');
    const db = new Database(installation.store);
    db.pragma('journal_mode = wal');
    db.exec("insert into invites values ('alan@example.com', null, 'cli', 2, 0)");
    fs.copyFileSync(installation.store, copy);
    fs.copyFileSync(`${installation.store}-wal`, `${copy}-wal`);
    db.exec("delete from invites where email = 'alan@example.com'");
    db.close();
    assert.equal(installation.tool('backup', 'restore', copy, '--yes').status, 0);
    assert.deepEqual(emails(installation), ['ada@example.com', 'alan@example.com']);
  });

  const otherDisk =
    fs.existsSync('/dev/shm') && fs.statSync('/dev/shm').dev !== fs.statSync(os.tmpdir()).dev;
  test('keeps what it replaces on another disk', { skip: !otherDisk && 'needs /dev/shm' }, () => {
    const folder = fs.mkdtempSync('/dev/shm/guestlist-');
    fs.cpSync(backups(installation), folder, { recursive: true });
    fs.rmSync(backups(installation), { recursive: true });
    fs.symlinkSync(folder, backups(installation));
    const before = emails(installation);
    const kept = () =>
      JSON.parse(installation.tool('backup', 'restore', snapshot, '--json', '--yes').stdout)
        .replaced;
    const replaced = kept();
    assert.deepEqual(emails(installation), ['ada@example.com']);
    assert.equal(installation.tool('backup', 'restore', replaced, '--yes').status, 0);
    assert.deepEqual(emails(installation), before);
    fs.writeFileSync(installation.store, 'scribbled over');
    assert.equal(fs.readFileSync(kept(), 'utf8'), 'scribbled over');
    fs.rmSync(backups(installation));
    fs.cpSync(folder, backups(installation), { recursive: true });
    fs.rmSync(folder, { recursive: true });
  });

  test('what root makes belongs to the owner of the data', {
    skip: lacksRoot,
  }, () => {
    const data = path.dirname(installation.store);
    const owner = 12_345;
    fs.rmSync(backups(installation), { recursive: true });
    for (const file of [data, installation.store]) fs.chownSync(file, owner, owner);
    const { file } = create(installation);
    assert.equal(installation.tool('backup', 'restore', file, '--yes').status, 0);
    for (const each of [backups(installation), file, installation.store])
      assert.equal(fs.statSync(each).uid, owner, each);
  });
});
