/** Access to a store: one server at a time, and root only if root owns the data. */
import fs from 'node:fs';
import path from 'node:path';
import { installationName, quoteForShell } from '../config.ts';
import { isBusy, StoreError, whileOpening } from './errors.ts';
import { findHolders, type Holder } from './holders.ts';
import Database from './sqlite.ts';

/**
 * Prevents a second server on a store, because each would have its own login limit. The lock is on
 * an empty SQLite file beside the store, and ends with its process. Tools need no lock.
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
      // The file stays empty, so it needs no journal on disk.
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

/** Names the process that uses a store, if the system tells it, and says how to stop it. */
function describeOtherServer(store: string, lock: string): string {
  const holder = findHolders([lock])[0];
  if (holder === undefined) {
    const stop = `Ctrl-C in its terminal, or ${stopUnit(installationName())}, or docker compose stop`;
    return (
      `a server or a restore is using ${store}; stop it first: ${stop}, and run the tool by ` +
      'docker compose run --rm guestlist …'
    );
  }
  if (holder.command.includes('restore'))
    return `process ${holder.pid} (a restore) is using ${store}; wait until it has ended`;
  return `process ${holder.pid} (a server) is using ${store}; stop it first: ${wayToStop(holder)}`;
}

/** How to stop a server. It depends on how the server was started. */
function wayToStop({ pid, unit, hasTerminal }: Holder): string {
  if (unit !== undefined) return stopUnit(unit);
  return hasTerminal ? `Ctrl-C in its terminal, or kill ${pid}` : `kill ${pid}`;
}

/** The socket must stop too. Otherwise the next connection would start the service again. */
const stopUnit = (unit: string): string => `systemctl stop ${unit}.socket ${unit}`;

/**
 * @throws {StoreError} for root, because the service's user could not use files that root creates
 */
export function refuseRoot(store: string): void {
  const owner = fs.statSync(path.dirname(store), { throwIfNoEntry: false })?.uid ?? 0;
  if (process.getuid?.() !== 0 || owner === 0) return;
  const command = [process.execPath, ...process.argv.slice(1)].map(quoteForShell).join(' ');
  throw new StoreError(`data/ belongs to another user: sudo -u '#${owner}' ${command}`);
}
