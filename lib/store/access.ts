/** Who may use a store: one server at a time, and root only if the data is root's own. */
import fs from 'node:fs';
import path from 'node:path';
import { isBusy, StoreError, whileOpening } from './errors.ts';
import { findHolders } from './holders.ts';
import Database from './sqlite.ts';

/**
 * Keeps a second server from a store: both would count logins, and sweep. The lock is on an empty
 * SQLite file beside the store, and ends with its process. Tools need none.
 *
 * @param timeout how long to wait for a server that is stopping, in ms
 * @returns a function that releases the lock
 * @throws {StoreError} if a server runs
 */
export function lockServer(store: string, timeout: number): () => void {
  const file = `${store}.lock`;
  return whileOpening(file, () => {
    const lock = new Database(file, { timeout });
    try {
      // The journal of an empty file is of no use.
      lock.pragma('journal_mode = memory');
      lock.exec('begin exclusive');
      return () => lock.close();
    } catch (error) {
      lock.close();
      if (!isBusy(error)) throw error;
      throw new StoreError(describeOtherServer(store, file));
    }
  });
}

/** Says which process uses a store, where the system tells it, and how to stop it. */
function describeOtherServer(store: string, lock: string): string {
  const holder = findHolders([lock])[0];
  if (holder === undefined) return `a server or a restore is using ${store}; ${WAYS_TO_STOP}`;
  if (holder.command.includes('restore'))
    return `process ${holder.pid} (a restore) is using ${store}; wait until it has ended`;
  const server = `process ${holder.pid} (a server) is using ${store}`;
  const { unit } = holder;
  if (unit === undefined) return `${server}; ${WAYS_TO_STOP}`;
  return `${server}; stop it first: systemctl stop ${unit}.socket ${unit}`;
}

const WAYS_TO_STOP =
  'stop it first: Ctrl-C in its terminal, or systemctl stop guestlist.socket guestlist, or docker ' +
  'compose stop, and run the tool by docker compose run --rm guestlist …';

/** A word of a command line, for a shell. */
export const quote = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** @throws {StoreError} for root, where the service's user could not use the files of root */
export function refuseRoot(store: string): void {
  const owner = fs.statSync(path.dirname(store), { throwIfNoEntry: false })?.uid ?? 0;
  if (process.getuid?.() !== 0 || owner === 0) return;
  const command = [process.execPath, ...process.argv.slice(1)].map(quote).join(' ');
  throw new StoreError(`data/ belongs to another user: sudo -u '#${owner}' ${command}`);
}
