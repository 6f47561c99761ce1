/** Checks the store and its newest snapshot, without changing either. */
import fs from 'node:fs';
import path from 'node:path';
import { inspectFile, readInvites } from '../store/file/inspection.ts';
import { currentVersion } from '../store/file/migrate.ts';
import { isLink } from '../store/file/private-files.ts';
import { listSnapshots, snapshotFolder } from '../store/file/snapshots.ts';
import { storeFile } from '../store/open.ts';
import { type Finding, fault, finding, type Result, reason } from './finding.ts';

const HOUR = 3_600_000;

/** A nightly snapshot is younger than this, in ms. */
const FRESH = 26 * HOUR;

/** Free disk space needed beside the store's own size, in bytes. */
const ROOM = 100e6;

/** Addresses of RFC 2606 as in the documents. */
const EXAMPLE = /[@.]example(\.(com|net|org))?$/;

const RESTORE =
  'stop the service, then: node tools/backup.js list and node tools/backup.js restore <file> --yes';

/** Whether the store can be read, has the schema of this code, is whole, and has no example invites. */
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
      'the first invite makes it: node tools/invite.js add <email>',
    );
  const { version, fault: damage } = inspectFile(storeFile);
  if (version === 0) return unreadable(`${storeFile} cannot be read: ${damage}`, RESTORE);
  const findings = [
    finding('store', `${storeFile} can be read`),
    finding('schema', checkSchema(version)),
    finding('integrity', checkIntegrity(damage)),
  ];
  if (findings.every(({ ok }) => ok)) findings.push(finding('invites', checkInvites()));
  return findings;
}

/** Whether an address from the documents is invited: each of their readers could log in with it. */
function checkInvites(): Result {
  const examples = readInvites(storeFile)
    .map(({ email }) => email)
    .filter((email) => EXAMPLE.test(email));
  if (examples.length === 0) return 'no example address is invited';
  const named = `${examples.slice(0, 3).join(', ')}${examples.length > 3 ? ', …' : ''}`;
  return fault(
    `readers of the documents can log in: example addresses are invited (${named})`,
    `for each: node tools/invite.js remove ${examples[0]} --end-sessions; invite your own address`,
  );
}

function checkSchema(version: number): Result {
  if (version === currentVersion) return `schema ${version}`;
  return fault(
    `the store has schema ${version}, this code knows ${currentVersion}`,
    version < currentVersion
      ? 'restart the service, which brings the store up to date'
      : 'install the version that wrote it, or restore a snapshot from before',
  );
}

const checkIntegrity = (damage: string | null): Result =>
  damage === null
    ? 'the store is whole'
    : fault(`the store does not check out: ${damage}`, RESTORE);

/** Whether the newest snapshot is from last night, and whole. */
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
    'see what stopped it (journalctl -u guestlist-backup), then: systemctl start guestlist-backup';
  if (age > FRESH) return fault(`the newest, ${name}, is ${hours} old`, again);
  try {
    const { fault: damage } = inspectFile(newest.file);
    if (damage !== null) return fault(`${name} does not check out: ${damage}`, again);
    return `${name} is ${hours} old and whole`;
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
  const said = `${megabytes(free)} free, the store has ${megabytes(size)}`;
  if (free >= 2 * size + ROOM) return said;
  return fault(
    `the disk runs full: ${said}; twice that and ${megabytes(ROOM)} are needed`,
    `make room on the disk of ${folder}: old snapshots (node tools/backup.js prune), old logs (journalctl --vacuum-size=200M), or a larger disk`,
  );
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
