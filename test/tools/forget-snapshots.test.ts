/** The person tool and snapshots: it names those that hold an address, and erases it in them. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { beforeEach, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { inspectStoreFile } from '../../lib/store/inspection.ts';
import { claimStore } from '../../lib/store/lock.ts';
import { filesWith, invitedIn } from '../support/database.ts';
import { makeOldStore, OLDEST_VERSION } from '../support/old-store.ts';
import { startProcess } from '../support/process.ts';
import { siteForAll } from '../support/site.ts';
import { toolsForEach, toolsOn } from '../support/tools.ts';

const [ADA, ALAN, GRACE] = ['ada@example.com', 'alan@example.com', 'grace@example.com'];

const here = toolsForEach();
const { file, folder, invite, json, says, tool, write } = here;

beforeEach(() => {
  for (const email of [ADA, GRACE]) invite(email);
});

const create = async ({ json } = here as Pick<typeof here, 'json'>) =>
  (await json<{ file: string }>('backup create')).file;
const forget = (options = '') => tool(`person forget ${ADA}${options}`);
/** A copy of a snapshot, as if taken at this time. */
const copy = (snapshot: string, time: string): string => {
  const made = snapshot.replace(/\d{8}T\d{6}/, time);
  fs.copyFileSync(snapshot, made);
  return made;
};

it('without --snapshots they stay, and the day is named on which the last that holds the address ages out', async () => {
  // A change without an address is in the later ones.
  await says('backup restore', await create(), '--yes');
  fs.rmSync(`${folder}/backups`, { recursive: true });
  const first = await create();
  copy(first, '20200101T033000');
  const last = copy(first, '20300101T033000');
  const before = fs.readFileSync(last);
  const stays =
    /the address stays in 3 snapshots, the last until 2030-01-15 \(--snapshots erases it there\)/;
  assert.match((await forget()).stderr, stays);
  assert.match(await says(`person forget ${ADA} --yes`), stays);
  await create();
  const again = (await forget(' --yes')).stderr;
  assert.match(again, /^the store has nothing about .*; the address stays/);
  assert.deepEqual(fs.readFileSync(last), before);
});

it('with --snapshots each is erased inside, also if the store does not have the person, or has them as author', async () => {
  const invite = { email: ALAN, firstName: null, invitedBy: ADA, invitedAt: 4 };
  write(({ invites }) => invites.add(invite, { by: ADA, via: 'page' }));
  const snapshots = [await create(), await create()];
  const would = /would be erased .*, also inside 2 snapshots; to erase/;
  assert.match((await forget(' --snapshots')).stderr, would);
  assert.equal((await forget(' --yes')).status, 0);
  assert.deepEqual(invitedIn(snapshots[0] ?? ''), [ADA, ALAN, GRACE]);
  const erased = await json<Record<string, number>>(`person forget ${ADA} --snapshots --yes`);
  assert.deepEqual([erased.snapshots, erased.snapshotsKept], [2, 0]);
  for (const snapshot of snapshots) {
    assert.deepEqual(invitedIn(snapshot), [ALAN, GRACE]);
    assert.equal(inspectStoreFile(snapshot).fault, null);
    assert.equal(fs.statSync(snapshot).mode & 0o777, 0o600);
  }
  assert.deepEqual(filesWith(file, ADA), []);
  assert.equal(fs.readdirSync(`${folder}/backups`).length, 2);
  const again = await forget(' --snapshots --yes');
  assert.equal(again.stderr, `the store has nothing about ${ADA}\n`);
});

it('a snapshot of 1.1.0 is erased inside, keeps its schema, and can be restored', async () => {
  const snapshot = `${folder}/backups/guestlist-20260101T000000Z.db`;
  const old = makeOldStore(snapshot);
  old.pragma('journal_mode = delete');
  old.close();
  await says(`person forget ${ADA} --snapshots --yes`);
  assert.equal(inspectStoreFile(snapshot).version, OLDEST_VERSION);
  assert.deepEqual(filesWith(file, ADA), []);
  await says(`backup restore ${snapshot} --yes`);
  assert.deepEqual(invitedIn(file), [ALAN, 'eva@xn--bcher-kva.example', GRACE]);
});

it('those that cannot be changed are named, and the others are changed', async () => {
  const [sound, damaged] = [await create(), await create()];
  fs.truncateSync(damaged, fs.statSync(damaged).size - 8192);
  const { status, stderr } = await forget(' --snapshots --yes');
  assert.equal(status, 1);
  assert.ok(stderr.includes(`${damaged} cannot be changed, or fails the check`), stderr);
  assert.deepEqual(invitedIn(sound), [GRACE]);
});

it('an erasure waits for a copy that is under way', async () => {
  const site = siteForAll();
  for (const email of [ADA, GRACE]) site.invite(email);
  const snapshot = await create(toolsOn(site.store));
  const release = claimStore(site.store, 'copy');
  const script = `${site.root}/tools/person.js`;
  const child = startProcess([process.execPath, script, 'forget', ADA, '--snapshots', '--yes']);
  while (invitedIn(site.store).length > 1) await setTimeout(10);
  const late = copy(snapshot, '20260101T000000');
  release();
  assert.equal(await child.exited, 0, child.stderr.join());
  assert.deepEqual(invitedIn(late), [GRACE]);
});
