/** Checks the store, its newest snapshot and the disk, without changing them. */
import fs from 'node:fs';
import path from 'node:path';
import { inspectFile, readInvites } from '../store/file/inspection.ts';
import { currentVersion } from '../store/file/migrate.ts';
import { isLink } from '../store/file/private-files.ts';
import { listSnapshots, snapshotFolder } from '../store/file/snapshots.ts';
import { storeFile } from '../store/open.ts';
import { type Finding, fault, finding, type Result, reason } from './finding.ts';

const HOUR = 3_600_000;

/** Longest age of the nightly snapshot, in ms. */
const FRESH = 26 * HOUR;

/** Free disk space needed beside twice the store's size, in bytes. */
const ROOM = 100e6;

/** Example addresses (RFC 2606), as in the documents. */
const EXAMPLE = /[@.]example(\.(com|net|org))?$/;

const RESTORE = 'stop the service, then: backup list and backup restore <file> --yes';

/** Whether the store can be read, fits this code, is undamaged, and invites no example address. */
export function checkStore(): readonly Finding[] {
  const unreadable = (message: string, remedy: string) => [
    finding('store', fault(message, remedy)),
  ];
  if (isLink(storeFile))
    return unreadable(
      `${storeFile} is a link, which the service does not open`,
      `put the file itself into ${path.dirname(storeFile)}, or let that folder be a link`,
    );
  if (!fs.existsSync(storeFile))
    return unreadable(
      `there is no store at ${storeFile}`,
      'the first invite creates it: invite add <email>',
    );
  const { version, fault: damage } = inspectFile(storeFile);
  if (version === 0) return unreadable(`${storeFile} cannot be read: ${damage}`, RESTORE);
  const findings = [
    finding('store', `${storeFile} can be read`),
    finding('schema', checkSchema(version)),
    finding(
      'integrity',
      damage === null
        ? 'the store is undamaged'
        : fault(`the store does not check out: ${damage}`, RESTORE),
    ),
  ];
  return findings.every(({ ok }) => ok)
    ? [...findings, finding('invites', checkInvites())]
    : findings;
}

function checkSchema(version: number): Result {
  if (version === currentVersion) return `schema ${version}`;
  return fault(
    `the store has schema ${version}, this code has schema ${currentVersion}`,
    version < currentVersion
      ? 'restart the service, which migrates the store'
      : 'install the version that wrote it, or restore an older snapshot',
  );
}

/** Whether an example address is invited: every reader of the documents could log in with it. */
function checkInvites(): Result {
  const examples = readInvites(storeFile).filter(({ email }) => EXAMPLE.test(email));
  const [first] = examples;
  if (!first) return 'no example address is invited';
  const named = examples.slice(0, 3).map(({ email }) => email);
  const more = examples.length > 3 ? ', …' : '';
  return fault(
    `readers of the documents can log in: example addresses are invited (${named.join(', ')}${more})`,
    `for each: invite remove ${first.email} --end-sessions; invite your own address`,
  );
}

/** Whether the newest snapshot is from last night, and undamaged. */
export function checkSnapshot(): Result {
  const [newest] = listSnapshots(storeFile);
  if (!newest)
    return fault(
      `there is no snapshot in ${snapshotFolder(storeFile)}`,
      'systemctl enable --now guestlist-backup.timer; systemctl start guestlist-backup',
    );
  const name = path.basename(newest.file);
  const age = Date.now() - newest.takenAt;
  const hours = `${Math.round(age / HOUR)} h`;
  const again =
    'find out what stopped it (journalctl -u guestlist-backup), then: systemctl start guestlist-backup';
  if (age > FRESH) return fault(`the newest, ${name}, is ${hours} old`, again);
  try {
    const { fault: damage } = inspectFile(newest.file);
    if (damage !== null) return fault(`${name} does not check out: ${damage}`, again);
    return `${name} is ${hours} old and undamaged`;
  } catch (error) {
    return fault(`${name} cannot be read: ${reason(error)}`, again);
  }
}

/** Whether the disk has room for the store's growth and one more snapshot. */
export function checkDisk(): Result {
  const folder = path.dirname(storeFile);
  const { bavail, bsize } = fs.statfsSync(folder);
  const sizeOf = (file: string) => fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const size = sizeOf(storeFile) + sizeOf(`${storeFile}-wal`);
  const free = bavail * bsize;
  const sizes = `${megabytes(free)} free, the store has ${megabytes(size)}`;
  if (free >= 2 * size + ROOM) return sizes;
  return fault(
    `the disk is almost full: ${sizes}; twice that and ${megabytes(ROOM)} are needed`,
    `make room on the disk of ${folder}: old snapshots (backup prune), ` +
      'old logs (journalctl --vacuum-size=200M), or a larger disk',
  );
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
