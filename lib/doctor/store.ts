/** Checks the store and its newest snapshot, without changing either. */
import fs from 'node:fs';
import path from 'node:path';
import { type Inspection, inspectFile, readInvites } from '../store/file/inspection.ts';
import { currentVersion } from '../store/file/migrate.ts';
import { isLink } from '../store/file/private-files.ts';
import { listSnapshots, snapshotFolder } from '../store/file/snapshots.ts';
import { storeFile } from '../store/open.ts';
import { about, type Finding, reason } from './finding.ts';

/** A nightly snapshot is no older than this, in ms: a day and two hours. */
const FRESH = 26 * 3_600_000;

/** Free disk that there must be beside the store's own size, in bytes. */
const ROOM = 100e6;

/** Addresses of RFC 2606 as in the documents. */
const EXAMPLE = /[@.]example(\.(com|net|org))?$/;

const RESTORE =
  'stop the service, then: node tools/backup.js list and node tools/backup.js restore <file> --yes';

/** Whether the store can be read, has the schema of this code, and is whole. */
export function checkStore(): readonly Finding[] {
  const { well, fault } = about('store');
  if (isLink(storeFile)) {
    return [
      fault(
        `${storeFile} is a link, which the service does not open`,
        `put the file itself into ${path.dirname(storeFile)}, or let that folder be a link`,
      ),
    ];
  }
  if (!fs.existsSync(storeFile)) {
    const remedy = 'the first invite makes it: node tools/invite.js add <email>';
    return [fault(`there is no store at ${storeFile}`, remedy)];
  }
  const store = inspectFile(storeFile);
  if (store.version === 0) return [fault(`${storeFile} cannot be read: ${store.fault}`, RESTORE)];
  const findings = [well(`${storeFile} can be read`), checkSchema(store), checkIntegrity(store)];
  return findings.every(({ ok }) => ok) ? [...findings, checkInvites()] : findings;
}

/** Whether an address from the documents is invited: each of their readers could log in with it. */
function checkInvites(): Finding {
  const { well, fault } = about('invites');
  const examples = readInvites(storeFile)
    .map(({ email }) => email)
    .filter((email) => EXAMPLE.test(email));
  if (examples.length === 0) return well('no example address is invited');
  const named = `${examples.slice(0, 3).join(', ')}${examples.length > 3 ? ', …' : ''}`;
  return fault(
    `readers of the documents can log in: example addresses are invited (${named})`,
    `for each: node tools/invite.js remove ${examples[0]} --end-sessions; invite your own address`,
  );
}

function checkSchema({ version }: Inspection): Finding {
  const { well, fault } = about('schema');
  if (version === currentVersion) return well(`schema ${version}`);
  return fault(
    `the store has schema ${version}, this code knows ${currentVersion}`,
    version < currentVersion
      ? 'restart the service, which brings the store up to date'
      : 'install the version that wrote it, or restore a snapshot from before',
  );
}

function checkIntegrity(store: Inspection): Finding {
  const { well, fault } = about('integrity');
  return store.fault === null
    ? well('the store is whole')
    : fault(`the store does not check out: ${store.fault}`, RESTORE);
}

/** Whether the newest snapshot is from last night, and whole. */
export function checkSnapshot(now: number): Finding {
  const { well, fault } = about('snapshot');
  const [newest] = listSnapshots(storeFile);
  if (!newest)
    return fault(
      `there is no snapshot in ${snapshotFolder(storeFile)}`,
      'systemctl enable --now guestlist-backup.timer; systemctl start guestlist-backup',
    );
  const name = path.basename(newest.file);
  const age = now - newest.takenAt;
  const hours = `${Math.round(age / 3_600_000)} h`;
  const again =
    'see what stopped it (journalctl -u guestlist-backup), then: systemctl start guestlist-backup';
  if (age > FRESH) return fault(`the newest, ${name}, is ${hours} old`, again);
  try {
    const { fault: said } = inspectFile(newest.file);
    return said === null
      ? well(`${name} is ${hours} old and whole`)
      : fault(`${name} does not check out: ${said}`, again);
  } catch (error) {
    return fault(`${name} cannot be read: ${reason(error)}`, again);
  }
}

/** Whether the disk has room for the store's growth and one more snapshot. */
export function checkDisk(): Finding {
  const { well, fault } = about('disk');
  const folder = path.dirname(storeFile);
  const { bavail, bsize } = fs.statfsSync(folder);
  const free = bavail * bsize;
  const size = ['', '-wal']
    .map((suffix) => fs.statSync(storeFile + suffix, { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, bytes) => sum + bytes, 0);
  const said = `${megabytes(free)} free, the store has ${megabytes(size)}`;
  return free >= 2 * size + ROOM
    ? well(said)
    : fault(
        `the disk runs full: ${said}; twice that and ${megabytes(ROOM)} are needed`,
        `make room on the disk of ${folder}: old snapshots (node tools/backup.js prune), old logs (journalctl --vacuum-size=200M), or a larger disk`,
      );
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
