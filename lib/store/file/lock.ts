/**
 * Claims on a store, to open, copy or replace it: locks on an empty SQLite file beside it. The
 * system releases them when their process ends. The store's own lock would not do: a damaged store
 * cannot be locked, and a replaced one takes its lock away.
 */
import path from 'node:path';
import { isBusy, StoreError } from '../errors.ts';
import { createPrivate, isLink } from './private-files.ts';
import Database from './sqlite.ts';

/** `patience` in ms. */
const CLAIMS = {
  /** By any number at once. */
  open: {
    begin: 'begin; select count(*) from sqlite_schema',
    patience: 5000,
    refusal: 'is being restored from a snapshot; wait until that is done, then try again',
  },
  /** By one at a time, beside those who have it open. */
  copy: {
    begin: 'begin immediate',
    patience: 5000,
    refusal: 'is being copied or restored by another program; wait until that is done',
  },
  /** Alone. */
  replace: {
    begin: 'begin exclusive',
    patience: 500,
    refusal:
      'is in use; stop the server, the standby and whatever else has it open, then try again',
  },
};

/**
 * Claims a store.
 *
 * @param store path of the store's file, which need not exist
 * @returns gives the claim back
 * @throws {StoreError} where somebody else's claim stands against it, or the store is a link
 */
export function claim(store: string, what: keyof typeof CLAIMS): () => void {
  const { begin, patience, refusal } = CLAIMS[what];
  const file = `${store}.lock`;
  for (const each of [store, file]) refuseLink(each);
  createPrivate(file);
  const lock = new Database(file, { timeout: patience });
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
  what: keyof typeof CLAIMS,
  job: () => Promise<T>,
): Promise<T> {
  const release = claim(store, what);
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
