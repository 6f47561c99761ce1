/**
 * Keeps a second server from a store: both would count logins, and sweep. The lock is on an empty
 * SQLite file beside the store, and ends with its process. Tools need none.
 */
import { explainErrors, isBusy, StoreError } from './errors.ts';
import Database from './sqlite.ts';

/**
 * @param timeout how long to wait for a server that is stopping, in ms
 * @returns a function that releases the lock
 * @throws {StoreError} if a server runs
 */
export function lockServer(store: string, timeout: number): () => void {
  const file = `${store}.lock`;
  return explainErrors(file, () => {
    const lock = new Database(file, { timeout });
    try {
      // The journal of an empty file is of no use.
      lock.pragma('journal_mode = memory');
      lock.exec('begin exclusive');
      return () => lock.close();
    } catch (error) {
      lock.close();
      throw isBusy(error)
        ? new StoreError(
            `a server or a restore is running on ${store}; stop it first: systemctl stop ` +
              'guestlist.socket guestlist, or docker compose stop, and run the tool by ' +
              'docker compose run --rm guestlist …',
          )
        : error;
    }
  });
}
