/** Snapshots on another volume than the store, to which no file can be renamed. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { readStore } from '../../faults/reader.ts';
import { folderOnOtherVolume, lacksVolume } from '../../faults/volumes.ts';
import { invitedIn } from '../../support/database.ts';
import { addInvite } from '../../support/rows.ts';
import { toolsForEach } from '../../support/tools.ts';

const ADA = 'ada@example.com';
const GRACE = 'grace@example.com';
const ZOE = 'zoe@example.com';

const tools = toolsForEach();
const { file, folder, invite, json, write } = tools;
const backups = path.join(folder, 'backups');
const restore = (snapshot: string) =>
  json<{ replaced: string }>('backup restore', snapshot, '--yes');

/** Puts `backups/` on another volume. @returns a snapshot in which Ada alone is invited */
async function takeSnapshotElsewhere(): Promise<string> {
  invite(ADA);
  fs.symlinkSync(folderOnOtherVolume(), backups);
  const { file: snapshot } = await json<{ file: string }>('backup create');
  invite(GRACE);
  return snapshot;
}

it('a restore moves the files to the other volume and back', { skip: lacksVolume }, async () => {
  const snapshot = await takeSnapshotElsewhere();
  const { replaced } = await restore(snapshot);
  assert.deepEqual([invitedIn(file), invitedIn(replaced)], [[ADA], [ADA, GRACE]]);
  const names = fs.readdirSync(folder).sort();
  assert.deepEqual(names, ['backups', 'guestlist.db', 'guestlist.db.lock']);
  for (const each of [file, replaced]) assert.equal(fs.statSync(each).mode & 0o777, 0o600);
  await restore(replaced);
  assert.deepEqual(invitedIn(file), [ADA, GRACE]);
});

it('the store moves with its WAL, and leaves none', { skip: lacksVolume }, async () => {
  const snapshot = await takeSnapshotElsewhere();
  const endRead = await readStore(file);
  write((writer) => addInvite(writer, ZOE));
  const { replaced } = await restore(snapshot);
  await endRead();
  assert.ok(fs.statSync(`${replaced}-wal`).size > 0);
  assert.deepEqual([invitedIn(file), invitedIn(replaced)], [[ADA], [ADA, GRACE, ZOE]]);
});

it('a draft that was left beside the store is removed', { skip: lacksVolume }, async () => {
  await takeSnapshotElsewhere();
  const old = path.join(folder, 'draft-0123456789ab');
  fs.writeFileSync(old, 'half a store');
  // extra: erasure
  assert.match((await tools.tool(`person forget ${ADA}`)).stderr, /draft-0123456789ab/);
  // end: erasure
  fs.utimesSync(old, 0, 0);
  await json('backup create');
  assert.ok(!fs.existsSync(old));
});
