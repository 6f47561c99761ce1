/** Snapshots: taken beside a running server, listed, and removed by age. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, it } from 'node:test';
import { inspectStoreFile } from '../../lib/store/inspection.ts';
import { currentSchema } from '../../lib/store/migrate.ts';
import { openServerStore } from '../../lib/store/open.ts';
import { mountSmall } from '../faults/volumes.ts';
import { damagePage } from '../support/database.ts';
import { recordJoin } from '../support/rows.ts';
import { toolsForEach } from '../support/tools.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const { file, folder, invite, json, says, tool } = toolsForEach();
const backups = path.join(folder, 'backups');
const names = () => fs.readdirSync(backups).sort();
const create = () => json<{ file: string; removed: number }>('backup create');

/** The path of a snapshot at a time. */
const at = (ms: number, label = '') => {
  const time = new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '');
  return path.join(backups, `guestlist-${time}${label}.db`);
};
const exist = (files: readonly string[]) => files.map((each) => fs.existsSync(each));

beforeEach(() => invite('ada@example.com', 'Ada'));

describe('backup create', () => {
  it('copies a running server’s store, readable by its owner only', async () => {
    const server = openServerStore(file);
    await server.write((writer) => recordJoin(writer, 'ada@example.com', 1));
    const { file: copy } = await create();
    await create();
    await server.close();
    assert.match(path.basename(copy), /^guestlist-\d{8}T\d{6}Z\.db$/);
    const modes = [copy, backups].map((each) => fs.statSync(each).mode & 0o777);
    assert.deepEqual(modes, [0o600, 0o700]);
    const rows = { invites: 1, sessions: 0, project_joins: 1, events: 0 };
    assert.deepEqual(inspectStoreFile(copy), { version: currentSchema, rows, fault: null });
    assert.equal(names().length, 2, 'and nothing is left beside them');
  });

  it('removes nightly snapshots over 14 days old, and left drafts', async (t) => {
    const volume = mountSmall(folder, 4);
    if (!volume) return t.skip('mounting a small volume takes root and the right to mount');
    try {
      invite('ada@example.com');
      for (let i = 0; i < 5; i += 1) await create();
      const young = at(Date.now() - 14 * DAY + HOUR);
      const old = at(Date.now() - 14 * DAY - HOUR);
      const others = ['-replaced', '-schema-5'].map((label) => at(Date.now() - 15 * DAY, label));
      const [draft = '', own = ''] = ['draft-0123456789ab', 'draft-invitations'].map((name) =>
        path.join(backups, name),
      );
      for (const copy of [young, ...others, draft, own]) fs.writeFileSync(copy, '');
      for (const copy of [draft, own]) fs.utimesSync(copy, 0, 0);
      assert.throws(() => fs.writeFileSync(old, Buffer.alloc(8 << 20)), /ENOSPC/);
      assert.equal((await create()).removed, 1);
      assert.deepEqual(exist([young, ...others, own]), [true, true, true, true]);
      assert.deepEqual(exist([old, draft]), [false, false]);
    } finally {
      volume.release();
    }
  });

  it('keeps the newest five, also if the clock is years ahead', async () => {
    const { file } = await create();
    // A clock years ahead sees new snapshots as years old.
    const years = [2014, 2015, 2016, 2017, 2018, 2019].map((year) => at(Date.UTC(year, 0)));
    for (const year of years) fs.copyFileSync(file, year);
    assert.equal((await create()).removed, 3);
    const kept = years.slice(3).map((each) => path.basename(each));
    assert.deepEqual(names().slice(0, 3), kept);
  });

  it('does not count snapshots from the future among the newest five', async () => {
    const { file } = await create();
    const past = [20, 21, 22, 23, 24].map((days) => at(Date.now() - days * DAY));
    const future = [1, 2, 3, 4, 5].map((days) => at(Date.now() + days * DAY));
    for (const each of [...past, ...future]) fs.copyFileSync(file, each);
    // With this one there are seven. The two oldest are removed.
    assert.equal((await create()).removed, 2);
    assert.deepEqual(exist(past), [true, true, true, false, false]);
    assert.deepEqual(exist(future), [true, true, true, true, true]);
  });

  it('refuses a damaged or missing store, and leaves the last good snapshot', async () => {
    const old = at(Date.now() - 20 * DAY);
    fs.renameSync((await create()).file, old);
    damagePage(file, 'invites_by_time');
    assert.match((await tool('backup create')).stderr, /fails the check|malformed/);
    assert.deepEqual(names(), [path.basename(old)]);
    fs.rmSync(folder, { recursive: true });
    assert.match((await tool('backup create')).stderr, /there is no store/);
    assert.equal(await says('backup list'), 'no snapshots yet\n');
  });
});

it('backup list shows the newest first, and the damaged ones', async () => {
  const { file: newest } = await create();
  fs.copyFileSync(newest, at(DAY));
  fs.truncateSync(at(DAY), 16_384);
  fs.writeFileSync(at(2 * DAY), 'no database at all'.repeat(99));
  type Snapshot = { file: string; fault: string | null; rows: { invites: number } };
  const list = await json<Snapshot[]>('backup list');
  const files = list.map(({ file }) => file);
  assert.deepEqual(files, [newest, at(2 * DAY), at(DAY)]);
  const [{ fault, rows } = {}, ...damaged] = list;
  assert.deepEqual([fault, rows?.invites], [null, 1]);
  for (const { fault } of damaged) assert.match(fault ?? '', /malformed|damaged|not a database/);
  assert.match(
    await says('backup list'),
    /rows +check\n.* invites 1, sessions 0, project joins 0, events 0 +ok\n/,
  );
});
