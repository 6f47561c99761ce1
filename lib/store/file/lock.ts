/**
 * Claims on a store, to open, copy or replace it. A claim is a lock on an empty SQLite file beside
 * the store. The system releases it when its process ends. The store's own file is not used for
 * this, because it cannot be locked if it is damaged, and loses its locks when it is replaced.
 */
import path from 'node:path';
import { isBusy, StoreError } from '../errors.ts';
import { createPrivate, isLink } from './private-files.ts';
import Database from './sqlite.ts';

/** The timeouts are in ms. */
const CLAIMS = {
  /** Shared. */
  open: {
    begin: 'begin; select count(*) from sqlite_schema',
    timeout: 5000,
    refusal: 'is being restored from a snapshot; try again after that',
  },
  /** One at a time, beside shared ones. */
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

/**
 * Claims a store.
 *
 * @param store path of the store, which need not exist
 * @returns a function that releases the claim
 * @throws {StoreError} if another claim conflicts, or the store is a link
 */
export function claim(store: string, kind: keyof typeof CLAIMS): () => void {
  const { begin, timeout, refusal } = CLAIMS[kind];
  const file = `${store}.lock`;
  for (const each of [store, file]) refuseLink(each);
  createPrivate(file);
  const lock = new Database(file, { timeout });
  try {
    lock.exec(begin);
    return () => lock.close();
  } catch (error) {
    lock.close();
    if (isBusy(error)) throw new StoreError(`${store} ${refusal}`);
    throw error;
  }
}

/** Runs a job while a store is claimed. @throws {StoreError} as `claim` does */
export async function whileClaimed<T>(
  store: string,
  kind: keyof typeof CLAIMS,
  job: () => Promise<T>,
): Promise<T> {
  const release = claim(store, kind);
  try {
    return await job();
  } finally {
    release();
  }
}

/** SQLite puts the WAL beside the target of a link, where claims and snapshots would miss it. */
function refuseLink(file: string): void {
  if (!isLink(file)) return;
  const folder = path.dirname(file);
  throw new StoreError(
    `${file} is a link; put the file itself into ${folder}, or let ${folder} be a link to another folder`,
  );
}
