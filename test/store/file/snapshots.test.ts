/** Snapshots: taken beside a running server, listed, and removed by age or number. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { inspectFile } from '../../../lib/store/file/inspection.ts';
import { currentVersion } from '../../../lib/store/file/migrate.ts';
import { logIn, send } from '../../support/client.ts';
import { damagePage } from '../../support/damage.ts';
import { siteForAll } from '../../support/site.ts';

const run = promisify(execFile);

const NAME = /^guestlist-\d{8}T\d{6}Z\.db$/;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const site = siteForAll();
const backups = path.join(site.root, 'data', 'backups');
const names = () => (fs.existsSync(backups) ? fs.readdirSync(backups).sort() : []);
const create = () => site.json<{ file: string; removed: number }>('backup', 'create');

/** The name of a snapshot at a time. */
const nameAt = (ms: number) =>
  `guestlist-${new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '')}.db`;

describe('backup', () => {
  before(() => site.invite('ada@example.com', 'Ada'));

  test('create copies the store of a running server, readable by its owner only', async () => {
    const server = await site.start();
    const cookie = await logIn(server.origin, 'ada@example.com');
    assert.equal((await send(server.origin, 'POST /api/project-join', { cookie })).status, 200);
    const { file } = create();
    assert.match(path.basename(file), NAME);
    assert.equal(fs.statSync(file).mode & 0o777, 0o600);
    assert.equal(fs.statSync(path.dirname(file)).mode & 0o777, 0o700);
    assert.deepEqual(inspectFile(file), {
      version: currentVersion,
      rows: { invites: 1, sessions: 1, project_joins: 1, events: 1 },
      fault: null,
    });
    assert.deepEqual(names(), [path.basename(file)], 'and nothing is left beside it');
    await server.stop();
  });

  test('two snapshots taken at once have two names', async () => {
    const before = names().length;
    const tool = path.join(site.root, 'tools', 'backup.js');
    // The tool waits for another copy, but for 5 s only, as on a busy machine.
    const take = (): Promise<unknown> =>
      run(process.execPath, [tool, 'create']).catch((error) => {
        assert.match(error.stderr, /is being copied/);
        return take();
      });
    await Promise.all([1, 2, 3].map(take));
    assert.equal(names().length, before + 3);
    for (const name of names()) assert.equal(inspectFile(path.join(backups, name)).fault, null);
  });

  test('create removes snapshots over 14 days old, and nothing else', () => {
    const { file } = create();
    const at = (age: number) => path.join(backups, nameAt(Date.now() - age));
    const [young, old] = [at(14 * DAY - HOUR), at(14 * DAY + HOUR)];
    fs.copyFileSync(file, young);
    fs.copyFileSync(file, old);
    fs.writeFileSync(path.join(backups, 'notes.txt'), 'mine');
    assert.equal(create().removed, 1);
    assert.ok(fs.existsSync(young) && !fs.existsSync(old));
    assert.ok(names().includes('notes.txt'));
    fs.rmSync(path.join(backups, 'notes.txt'));
  });

  test('list shows the newest first, and the damaged ones', () => {
    const { file } = create();
    const half = path.join(backups, nameAt(DAY));
    fs.copyFileSync(file, half);
    fs.truncateSync(half, 16_384);
    fs.writeFileSync(path.join(backups, nameAt(2 * DAY)), 'no database at all'.repeat(99));
    type Snapshot = { file: string; fault: string; takenAt: number; rows: { events: number } };
    const list = site.json<Snapshot[]>('backup', 'list');
    const [newest] = list;
    assert.deepEqual([newest?.file, newest?.fault, newest?.rows.events], [file, null, 1]);
    const oldest = list.slice(-2);
    assert.deepEqual(
      oldest.map(({ takenAt }) => takenAt),
      [2 * DAY, DAY],
    );
    for (const { fault } of oldest) assert.match(fault, /malformed|damaged|not a database/);
    const table = site.tool('backup', 'list').stdout;
    assert.match(table, /check\n.*\b1 +1 +1 +1 +ok\n/);
  });
});

describe('a snapshot', () => {
  before(() => site.clear());

  test('is not made without a store', () => {
    assert.match(site.tool('backup', 'create').stderr, /there is no store/);
    assert.equal(site.tool('backup', 'list').stdout, 'none yet\n');
  });

  test('is not made of a damaged store, and the last good one stays', () => {
    site.invite('ada@example.com');
    const { file } = create();
    const old = path.join(backups, nameAt(Date.now() - 20 * DAY));
    fs.renameSync(file, old);
    damagePage(site.store, 'invites_by_time');
    assert.match(site.tool('backup', 'create').stderr, /fails the check|malformed/);
    assert.deepEqual(names(), [path.basename(old)]);
  });
});

describe('the removal of snapshots', () => {
  before(async () => {
    await site.clear();
    site.invite('ada@example.com');
  });

  test('create keeps the newest five, also if the clock is years ahead', () => {
    const { file } = create();
    // A clock years ahead sees new snapshots as years old.
    const years = [2019, 2018, 2017, 2016, 2015, 2014].map(
      (year) => `guestlist-${year}0101T033000Z.db`,
    );
    for (const name of years) fs.copyFileSync(file, path.join(backups, name));
    assert.equal(create().removed, 3);
    assert.deepEqual(fs.readdirSync(backups).sort().slice(0, 3), years.slice(0, 3).reverse());
  });

  test('prune keeps the given number, by default those that create keeps', () => {
    assert.deepEqual(site.json('backup', 'prune'), { removed: 0, left: 5 });
    assert.deepEqual(site.json('backup', 'prune', '--keep', '2'), { removed: 3, left: 2 });
    assert.equal(fs.readdirSync(backups).length, 2);
    assert.equal(site.tool('backup', 'prune').stdout, '0 snapshots removed; 2 left\n');
    for (const wrong of [['--keep', '0'], ['--keep', 'x'], ['2']])
      assert.equal(site.tool('backup', 'prune', ...wrong).status, 2);
  });
});
