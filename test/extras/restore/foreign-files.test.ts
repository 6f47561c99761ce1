/** Files of a store that an operator made, in folders that the service's user cannot write. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, it } from 'node:test';
import { readStore } from '../../faults/reader.ts';
import { invitedIn, withDatabase, writeGarbage } from '../../support/database.ts';
import { lacksRoot } from '../../support/lacks.ts';
import { type Result, runToEnd, WITHOUT_FILE_RIGHTS } from '../../support/process.ts';
import { installationForEach, temporaryFolder } from '../../support/temporary.ts';

const ADA = 'ada@example.com';
const GRACE = 'grace@example.com';

const installation = installationForEach();
const folder = temporaryFolder();
const file = path.join(folder, 'backup.db');

/** Restores the file, as a user who has no rights in its folder. */
function restore(): Result {
  const script = path.join(installation.root, 'tools', 'backup.js');
  return runToEnd([...WITHOUT_FILE_RIGHTS, process.execPath, script, 'restore', file, '--yes']);
}

/** The content of the folder, with all bytes and times. */
const stateOf = () =>
  fs.readdirSync(folder).map((name) => {
    const { mtimeMs, size } = fs.statSync(path.join(folder, name));
    return [name, size, mtimeMs];
  });

/** Gives the folder and its files to another user. */
function giveAway(): void {
  for (const name of fs.readdirSync(folder)) {
    fs.chmodSync(path.join(folder, name), 0o644);
    fs.chownSync(path.join(folder, name), 12_345, 12_345);
  }
  fs.chmodSync(folder, 0o755);
  fs.chownSync(folder, 12_345, 12_345);
}

/** Asserts that it is restored, and nothing is left beside it. */
function assertRestored(invited: readonly string[]): void {
  const before = stateOf();
  const { status, stderr } = restore();
  assert.deepEqual([status, stderr], [0, '']);
  assert.deepEqual(invitedIn(installation.store), invited);
  assert.deepEqual(stateOf(), before);
  const drafts = fs.readdirSync(path.join(path.dirname(installation.store), 'backups'));
  assert.deepEqual(
    drafts.filter((name) => name.startsWith('draft-')),
    [],
  );
}

/** Copies the store as sqlite3's `.backup` does. The copy is in WAL mode, like the store. */
function copyStore(): void {
  withDatabase(installation.store, (db) => db.pragma('wal_checkpoint(truncate)'));
  fs.copyFileSync(installation.store, file);
}

const skip = lacksRoot;

beforeEach(() => {
  for (const name of fs.readdirSync(folder)) fs.rmSync(path.join(folder, name));
  installation.invite(ADA);
});

it('a backup in WAL mode is copied, checked and restored', { skip }, () => {
  copyStore();
  installation.invite(GRACE);
  giveAway();
  assertRestored([ADA]);
});

it('one with its WAL beside it is restored with the newest rows', { skip }, async () => {
  withDatabase(installation.store, (db) => db.pragma('wal_checkpoint(truncate)'));
  const endRead = await readStore(installation.store);
  installation.invite(GRACE);
  for (const side of ['', '-wal']) fs.copyFileSync(installation.store + side, file + side);
  await endRead();
  assert.deepEqual(invitedInMain(), [ADA], 'the newest row is in the WAL alone');
  giveAway();
  assertRestored([ADA, GRACE]);
});

/** The people who are invited if the WAL is missing. */
function invitedInMain(): readonly string[] {
  const copy = path.join(temporaryFolder(), 'main.db');
  fs.copyFileSync(file, copy);
  return invitedIn(copy);
}

it('one on a volume that is mounted read-only is restored', { skip }, (t) => {
  copyStore();
  installation.invite(GRACE);
  if (spawnSync('mount', ['--bind', '-o', 'ro', folder, folder]).status !== 0)
    return t.skip('mounting takes root and the right to mount');
  try {
    assertRestored([ADA]);
  } finally {
    spawnSync('umount', [folder]);
  }
});

it('one whose content is damaged fails the check, in one line', { skip }, () => {
  copyStore();
  writeGarbage(file, 4096, 4096);
  giveAway();
  const { status, stderr } = restore();
  assert.match(stderr, /^.*backup\.db fails the check: .*; choose another: .*\n$/);
  assert.equal(status, 1);
});

it('names a file that this user may not read, not its folder', { skip }, () => {
  copyStore();
  giveAway();
  fs.chmodSync(file, 0o600);
  const { status, stderr } = restore();
  const remedy = `this user may not read ${file}; run this as its owner, or chown it to the service's user\n`;
  assert.ok(stderr.endsWith(remedy), stderr);
  assert.equal(status, 1);
});

it('a snapshot is found by name from a folder that only root can read', {
  skip,
}, () => {
  copyStore();
  giveAway();
  const snapshot = path.join(path.dirname(installation.store), 'backups', 'backup.db');
  fs.mkdirSync(path.dirname(snapshot), { recursive: true });
  fs.copyFileSync(file, snapshot);
  fs.chmodSync(folder, 0o700);
  const script = path.join(installation.root, 'tools', 'backup.js');
  const command = [...WITHOUT_FILE_RIGHTS, process.execPath, script, 'restore', 'backup.db'];
  const call = () => runToEnd([...command, '--yes'], { cwd: folder });
  assert.equal(call().stderr, '');
  fs.rmSync(snapshot);
  const { status, stderr } = call();
  assert.match(stderr, /^this user may not look for .*backup\.db, and .*; copy it to .*\n$/);
  assert.equal(status, 1);
});

it('a snapshot in WAL mode is listed, and leaves nothing beside it', () => {
  installation.invite(GRACE);
  installation.tool('backup', 'create');
  const backups = path.join(path.dirname(installation.store), 'backups');
  const own = path.join(backups, 'guestlist-20260101T000000Z-own.db');
  copyStore();
  fs.copyFileSync(file, own);
  const before = fs.readdirSync(backups);
  const { stdout } = installation.tool('backup', 'list');
  assert.match(stdout, /-own\.db +2026-01-01 .* ok\n/);
  assert.deepEqual(fs.readdirSync(backups), before);
});
