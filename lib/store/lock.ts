/**
 * Claims on a store, to open, copy or replace it. A claim is a lock on an empty SQLite file beside
 * the store, which ends with its process. The store's own file cannot be locked if it is damaged,
 * and a replacement drops its locks.
 */

import { isLost } from './connect.ts';
import { isBusy, StoreError } from './errors.ts';
import { createPrivateFile } from './private-files.ts';
import Database from './sqlite.ts';

/** The timeouts are in ms. */
const CLAIMS = {
  /** Shared. */
  open: {
    begin: 'begin; select count(*) from sqlite_schema',
    timeout: 5000,
    refusal: 'is being restored from a snapshot; try again after that',
  },
  /** One at a time, concurrent with shared ones. */
  copy: {
    begin: 'begin immediate',
    timeout: 5000,
    refusal: 'is being copied or restored by another program; try again after that',
  },
  /** Exclusive. */
  replace: {
    begin: 'begin exclusive',
    timeout: 500,
    refusal:
      'is in use; stop the server, the standby and all other programs that use it, then try again',
  },
};

type Claim = keyof typeof CLAIMS;

/**
 * @param store path of the store, which need not exist
 * @returns a function that releases the claim
 * @throws {StoreError} if another claim conflicts, or the store is lost
 */
export function claimStore(store: string, kind: Claim): () => void {
  const { begin, timeout, refusal } = CLAIMS[kind];
  if (kind !== 'replace' && isLost(store))
    throw new StoreError(
      `${store} is gone, but ${store}-wal is still there; restore a snapshot from data/backups, ` +
        'or move the -wal away to begin with an empty store',
    );
  createPrivateFile(`${store}.lock`);
  const lock = new Database(`${store}.lock`, { timeout });
  try {
    lock.exec(begin);
    return () => lock.close();
  } catch (error) {
    lock.close();
    throw isBusy(error) ? new StoreError(`${store} ${refusal}`) : error;
  }
}

/** Runs a job while a store is claimed. @throws {StoreError} if another claim conflicts */
export async function whileClaimed<T>(store: string, kind: Claim, job: () => T | Promise<T>) {
  const release = claimStore(store, kind);
  try {
    return await job();
  } finally {
    release();
  }
}
