/** `person forget` and the snapshots, which it leaves or changes. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { inspectFile } from '../../lib/store/file/inspection.ts';
import { claim } from '../../lib/store/file/lock.ts';
import { invitedIn } from '../support/database.ts';
import { makeOldStore, OLDEST_VERSION } from '../support/old-store.ts';
import { siteForEach } from '../support/site.ts';
import { toolsForEach, toolsOn } from '../support/tools.ts';

const ADA = 'ada@example.com';
const GRACE = 'grace@example.com';

const here = toolsForEach();
const { file, folder, invite, json, says, tool } = here;
const site = siteForEach();

beforeEach(() => {
  for (const email of [ADA, GRACE]) invite(email);
});

describe('person forget and the snapshots', () => {
  const create = async ({ json }: Pick<typeof here, 'json'> = here) =>
    (await json<{ file: string }>('backup create')).file;
  const forget = (options = '') => tool(`person forget ${ADA}${options}`);
  /** A copy of a snapshot, as if taken at this time. */
  const copy = (snapshot: string, time: string): string => {
    const made = snapshot.replace(/\d{8}T\d{6}/, time);
    fs.copyFileSync(snapshot, made);
    return made;
  };

  it('leaves them, and names the day on which the last that holds the address ages out', async () => {
    // A change without an address is in the later ones.
    await says('backup restore', await create(), '--yes');
    fs.rmSync(`${folder}/backups`, { recursive: true });
    const first = await create();
    copy(first, '20200101T033000');
    const last = copy(first, '20300101T033000');
    const before = fs.readFileSync(last);
    const stays =
      /; the address stays in 3 snapshots, the last until 2030-01-15 \(--snapshots erases it there\)/;
    assert.match((await forget()).stderr, stays);
    const { status, stdout } = await forget(' --yes');
    assert.equal(status, 0);
    assert.match(stdout, stays);
    await create();
    assert.match(
      (await forget(' --yes')).stderr,
      /^the store has nothing about .*; the address stays in 3 snapshots/,
    );
    assert.deepEqual(fs.readFileSync(last), before);
  });

  it('erases inside each of them with --snapshots, also if the store does not have the person', async () => {
    const snapshots = [await create(), await create()];
    assert.match(
      (await forget(' --snapshots')).stderr,
      /would be erased .*, also inside 2 snapshots; to erase/,
    );
    assert.equal((await forget(' --yes')).status, 0);
    assert.deepEqual(invitedIn(snapshots[0] ?? ''), [ADA, GRACE]);
    const erased = await json<Record<string, number>>(`person forget ${ADA} --snapshots --yes`);
    assert.deepEqual([erased.snapshots, erased.snapshotsKept], [2, 0]);
    for (const snapshot of snapshots) {
      assert.deepEqual(invitedIn(snapshot), [GRACE]);
      assert.ok(!fs.readFileSync(snapshot).includes(ADA));
      assert.equal(inspectFile(snapshot).fault, null);
      assert.equal(fs.statSync(snapshot).mode & 0o777, 0o600);
    }
    assert.equal(fs.readdirSync(`${folder}/backups`).length, 2);
    const again = await forget(' --snapshots --yes');
    assert.equal(again.stderr, `the store has nothing about ${ADA}\n`);
  });

  it('erases inside a snapshot of 1.1.0, which keeps its schema and can be restored', async () => {
    const snapshot = `${folder}/backups/guestlist-20260101T000000Z.db`;
    const old = makeOldStore(snapshot);
    old.pragma('journal_mode = delete');
    old.close();
    await says(`person forget ${ADA} --snapshots --yes`);
    assert.equal(inspectFile(snapshot).version, OLDEST_VERSION);
    assert.ok(!fs.readFileSync(snapshot).includes(ADA));
    await says(`backup restore ${snapshot} --yes`);
    const left = ['alan@example.com', 'eva@xn--bcher-kva.example', GRACE];
    assert.deepEqual(invitedIn(file), left);
  });

  it('names those that cannot be changed, and changes the others', async () => {
    const [sound, damaged] = [await create(), await create()];
    fs.truncateSync(damaged, fs.statSync(damaged).size - 8192);
    const { status, stderr } = await forget(' --snapshots --yes');
    assert.equal(status, 1);
    assert.ok(stderr.includes(`${damaged} cannot be changed, or fails the check`), stderr);
    assert.deepEqual(invitedIn(sound), [GRACE]);
  });

  it('waits for a copy that is under way', async () => {
    for (const email of [ADA, GRACE]) site.invite(email);
    const snapshot = await create(toolsOn(site.store));
    const release = claim(site.store, 'copy');
    const words = ['forget', ADA, '--snapshots', '--yes'];
    const child = spawn(process.execPath, [`${site.root}/tools/person.js`, ...words]);
    const [stderr, closed] = [text(child.stderr), once(child, 'close')];
    while (invitedIn(site.store).length > 1) await setTimeout(10);
    const late = copy(snapshot, '20260101T000000');
    release();
    const [status] = await closed;
    // It waits for 5 s, which this process may have slept.
    if (status !== 0) {
      assert.match(await stderr, /is being copied .*; try again after that/);
      assert.equal(site.tool('person', ...words).status, 0);
    }
    assert.deepEqual(invitedIn(late), [GRACE]);
  });
});
