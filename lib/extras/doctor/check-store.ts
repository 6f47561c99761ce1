/** The doctor's checks of the store and of the newest snapshot. */
import fs from 'node:fs';
import path from 'node:path';
import { commandFor, installationName, quoteForShell } from '../../config.ts';
import { messageOf, whileUsing } from '../../store/errors.ts';
import { findHolders, findServer, wayToRestart } from '../../store/holders.ts';
import { inspectStoreFile, whyNoStore } from '../../store/inspection.ts';
import { inviteReader } from '../../store/invites.ts';
import { currentSchema, refuseNewerSchema } from '../../store/migrate.ts';
import { withReadableCopy } from '../../store/readable-copy.ts';
import { DROP_IT } from '../../store/schema.ts';
import { isOfFuture, listSnapshots } from '../../store/snapshots.ts';
import { withDatabase } from '../../store/sqlite.ts';
import { requireStore, storeFile } from '../../store/store-file.ts';
import { compareWithStore } from '../restore/restore.ts'; // extra: restore
import { beginTrialSession, endTrialSession } from './trial-session.ts';

const data = path.dirname(storeFile);

/** Maximum age of the nightly snapshot, in hours. */
const FRESH = 26;

/** Checks that the store is there, undamaged, private, this user's, and that it can be written. */
export function checkStore(isDevelopment: boolean): string {
  requireStore(storeFile);
  refuseOtherUsers();
  const { version, fault } = inspectStoreFile(storeFile);
  if (fault !== null)
    throw new Error(describeFault(storeFile, fault, 'restore a snapshot from data/backups'));
  refuseNewerSchema(storeFile, version);
  // This check accepts a file that lost its ids, because a restore does. The start refuses it.
  const foreign = withDatabase(storeFile, { readonly: true }, whyNoStore);
  if (foreign !== undefined) throw new Error(`${storeFile} ${foreign}`);
  // The readers of this Guestlist need its schema.
  if (!isDevelopment && version < currentSchema)
    throw new Error(
      `${storeFile} has schema ${version}, and this Guestlist has ${currentSchema}; restart the ` +
        `service, which migrates it: systemctl restart ${installationName()}`,
    );
  if (!isDevelopment && isNobodyInvited())
    throw new Error(
      `nobody is invited, so nobody can log in: ${commandFor('invite add you@example.com')}; ` +
        'if guests were invited before, this is another store: check that the disk of data/ is mounted',
    );
  refuseReplacedStore();
  // A login also writes a session.
  endTrialSession(beginTrialSession());
  return `${storeFile} is undamaged and can be written, and only its owner can read it`;
}

/** @param remedy of a fault that does not name its own */
function describeFault(what: string, fault: string, remedy: string): string {
  const failure = `${what} fails the check: ${fault}`;
  return fault.endsWith(DROP_IT) ? failure : `${failure}; ${remedy}`;
}

/** @throws an error if another user owns or can read a file of the data, or a snapshot */
function refuseOtherUsers(): void {
  const backups = path.join(data, 'backups');
  // If the file is a link, the data folder does not protect it.
  const isElsewhere = fs.lstatSync(backups, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  for (const folder of isElsewhere ? [data, fs.realpathSync(backups)] : [data])
    if ((fs.statSync(folder).mode & 0o077) !== 0)
      throw new Error(`other users can read ${folder}; chmod go= ${quoteForShell(folder)}`);
  for (const file of [data, ...fs.readdirSync(data).map((name) => path.join(data, name))]) {
    if (file === path.join(data, 'site')) continue;
    // SQLite may have removed the file in the meantime.
    const uid = fs.statSync(file, { throwIfNoEntry: false })?.uid;
    if (uid !== undefined && uid !== process.getuid?.())
      throw new Error(
        `${file} belongs to user ${uid}; mount the disk that belongs there, or chown it to the ` +
          "service's user",
      );
  }
}

/**
 * @throws an error if the file was replaced while the server had it open, for example by mv or cp
 */
function refuseReplacedStore(): void {
  const server = findServer(storeFile);
  if (server === undefined) return;
  // In WAL mode, a connection holds a shared lock on its file as long as it is open.
  const users = findHolders([storeFile]);
  if (users.some(({ pid }) => pid === server.pid)) return;
  throw new Error(
    `${storeFile} was replaced while process ${server.pid} (the server) had it open; logins go to ` +
      `the old file, and are lost when it ends; restart it now${wayToRestart(server)}`,
  );
}

const isNobodyInvited = (): boolean =>
  withDatabase(storeFile, { readonly: true }, (db) => inviteReader(db).isEmpty());

/** Checks that the newest nightly snapshot is recent, and that a restore of it would succeed. */
export function checkSnapshot(): string {
  const unit = `${installationName()}-backup`;
  const again = `see journalctl -u ${unit}, then: systemctl start ${unit}`;
  const nightly = listSnapshots(storeFile).filter(({ label }) => label === '');
  const future = nightly.filter(isOfFuture).map(({ file }) => path.basename(file));
  // A snapshot with a wrong date is not a fault of the others.
  const note =
    future.length === 0
      ? ''
      : `; dated in the future, so delete it if this clock is right: ${future.join(', ')}`;
  const newest = nightly.find((snapshot) => !isOfFuture(snapshot));
  if (!newest) throw new Error(`there is no snapshot in ${data}/backups; ${again}${note}`);
  const age = (Date.now() - newest.takenAt) / 3_600_000;
  const shown = `${path.basename(newest.file)} is ${Math.max(0, Math.round(age))} h old`;
  if (age > FRESH) throw new Error(`the newest, ${shown}; ${again}${note}`);
  const { file } = newest;
  const { fault } = whileUsing(file, () => withReadableCopy(storeFile, file, inspectStoreFile));
  if (fault !== null) throw new Error(describeFault(`${shown}, and`, fault, again));
  // extra: restore
  try {
    // A restore does all of this before it moves the store.
    whileUsing(file, () => compareWithStore(storeFile, file));
  } catch (error) {
    throw new Error(`${shown}, and a restore would fail: ${messageOf(error)}`);
  }
  // end: restore
  return `${shown} and undamaged${note}`;
}
