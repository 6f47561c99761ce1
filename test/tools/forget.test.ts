/** `person forget` and the snapshots, which it leaves or changes. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { inspectFile } from '../../lib/store/file/inspection.ts';
import { claim } from '../../lib/store/file/lock.ts';
import { invitedIn } from '../support/database.ts';
import { makeOldStore, OLDEST_VERSION } from '../support/old-store.ts';
import { siteForEach } from '../support/site.ts';

const ADA = 'ada@example.com';
const GRACE = 'grace@example.com';

const site = siteForEach();
beforeEach(() => {
  for (const email of [ADA, GRACE]) site.invite(email);
});

describe('person forget and the snapshots', () => {
  const backups = `${site.root}/data/backups`;
  const create = () => site.json<{ file: string }>('backup', 'create').file;
  const forget = (...args: readonly string[]) => site.tool('person', 'forget', ADA, ...args);
  /** A copy of a snapshot, as if taken at this time. */
  const copy = (file: string, time: string): string => {
    const made = `${backups}/guestlist-${time}Z.db`;
    fs.copyFileSync(file, made);
    return made;
  };

  test('leaves them, and names the day on which the last that holds the address ages out', () => {
    // A change without an address is in the later ones.
    assert.equal(site.tool('backup', 'restore', create(), '--yes').status, 0);
    fs.rmSync(backups, { recursive: true });
    const first = create();
    copy(first, '20200101T033000');
    const last = copy(first, '20300101T033000');
    const before = fs.readFileSync(last);
    const stays = /the address stays in 3 snapshots, of which the last ages out on 2030-01-15 /;
    assert.match(forget().stderr, stays);
    const { status, stdout } = forget('--yes');
    assert.equal(status, 0);
    assert.match(stdout, stays);
    create();
    assert.match(
      forget('--yes').stderr,
      /^nothing is stored about .* in the store; the address stays/,
    );
    assert.deepEqual(fs.readFileSync(last), before);
  });

  test('erases inside each of them with --snapshots, also if the store does not have the person', () => {
    const snapshots = [create(), create()];
    assert.match(
      forget('--snapshots').stderr,
      /would be erased .*, also inside 2 snapshots; to erase/,
    );
    assert.equal(forget('--yes').status, 0);
    assert.deepEqual(invitedIn(snapshots[0] ?? ''), [ADA, GRACE]);
    const { snapshots: erased, snapshotsKept } = JSON.parse(
      forget('--snapshots', '--yes', '--json').stdout,
    );
    assert.deepEqual([erased, snapshotsKept], [2, 0]);
    for (const file of snapshots) {
      assert.deepEqual(invitedIn(file), [GRACE]);
      assert.ok(!fs.readFileSync(file).includes(ADA));
      assert.equal(inspectFile(file).fault, null);
      assert.equal(fs.statSync(file).mode & 0o777, 0o600);
    }
    assert.equal(fs.readdirSync(backups).length, 2);
    assert.equal(forget('--snapshots', '--yes').stderr, `nothing is stored about ${ADA}\n`);
  });

  test('erases inside a snapshot of 1.1.0, which keeps its schema and can be restored', () => {
    const file = `${backups}/guestlist-20260101T000000Z.db`;
    const old = makeOldStore(file);
    old.pragma('journal_mode = delete');
    old.close();
    assert.equal(forget('--snapshots', '--yes').status, 0);
    assert.equal(inspectFile(file).version, OLDEST_VERSION);
    assert.ok(!fs.readFileSync(file).includes(ADA));
    assert.equal(site.tool('backup', 'restore', file, '--yes').status, 0);
    const left = ['alan@example.com', 'eva@xn--bcher-kva.example', GRACE];
    assert.deepEqual(invitedIn(site.store), left);
  });

  test('names those that cannot be changed, and changes the others', () => {
    const [sound, damaged] = [create(), create()];
    fs.truncateSync(damaged, fs.statSync(damaged).size - 8192);
    const { status, stderr } = forget('--snapshots', '--yes');
    assert.equal(status, 1);
    assert.ok(stderr.includes(`${damaged} cannot be changed, or fails the check`), stderr);
    assert.deepEqual(invitedIn(sound), [GRACE]);
  });

  test('waits for a copy that is under way', async () => {
    const file = create();
    const release = claim(site.store, 'copy');
    const tool = spawn(process.execPath, [
      `${site.root}/tools/person.js`,
      ...['forget', ADA, '--snapshots', '--yes'],
    ]);
    const [stderr, closed] = [text(tool.stderr), once(tool, 'close')];
    while (invitedIn(site.store).length > 1) await setTimeout(10);
    const late = copy(file, '20260101T000000');
    release();
    const [status] = await closed;
    // It waits for 5 s, which this process may have slept.
    if (status !== 0) {
      assert.match(await stderr, /is being copied .*; try again after that/);
      assert.equal(forget('--snapshots', '--yes').status, 0);
    }
    assert.deepEqual(invitedIn(late), [GRACE]);
  });
});
