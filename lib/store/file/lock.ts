/**
 * Claims on a store, to open, copy or replace it: locks on an empty SQLite file beside it. The
 * system releases them when their process ends. The store itself cannot be locked if it is damaged,
 * and loses its lock when it is replaced.
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
    refusal: 'is being restored from a snapshot; wait until that is done, then try again',
  },
  /** One at a time, beside shared ones. */
  copy: {
    begin: 'begin immediate',
    timeout: 5000,
    refusal: 'is being copied or restored by another program; wait until that is done',
  },
  /** Exclusive. */
  replace: {
    begin: 'begin exclusive',
    timeout: 500,
    refusal:
      'is in use; stop the server, the standby and whatever else has it open, then try again',
  },
};

/**
 * Claims a store.
 *
 * @param store path of the store's file, which need not exist
 * @returns releases the claim
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
