/** What the tools read from their arguments, and the store they work on. */
import fs from 'node:fs';
import path from 'node:path';
import { snapshotFolder } from '../store/file/snapshots.ts';
import {
  openEmptyStore,
  openStore,
  type Store,
  storeExists,
  storeFile,
  type Writer,
} from '../store/open.ts';
import { normalizeEmail } from '../store/rows/normalize.ts';
import { Refusal, UsageError } from './tool.ts';

/** @throws {UsageError} where the word is no address */
export function readEmail(word = ''): string {
  const email = normalizeEmail(word);
  if (email === undefined) throw new UsageError(`${JSON.stringify(word)} is not an email address`);
  return email;
}

/** @throws {UsageError} where the text is no whole number above 0 */
export function readLimit(text: string | undefined, option = 'limit'): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError(`--${option} is ${JSON.stringify(text)}; it must be a whole number above 0`);
}

/** Runs a job on one snapshot of the store, whatever is written while it waits for its reader. */
export const readStore = (job: (store: Store) => Promise<void>): Promise<void> =>
  withStore((store) => store.read(() => job(store)));

/** Runs a job in one transaction. */
export const changeStore = <T>(job: (writer: Writer, store: Store) => T): Promise<T> =>
  withStore((store) => store.transaction((writer) => job(writer, store)));

/** Opens the store, or an empty one where there is none: only `invite add` makes a store. */
export async function withStore<T>(use: (store: Store) => T | Promise<T>): Promise<T> {
  const exists = storeExists();
  const store = exists ? openStore() : openEmptyStore();
  if (!exists) {
    console.error(
      `nothing yet: there is no store at ${storeFile}; the first invite makes it: invite add <email>`,
    );
  }
  try {
    return await use(store);
  } finally {
    store.close();
  }
}

/** A snapshot by its path, else by its name in the folder of snapshots. */
export function findSnapshot(name: string): string {
  const found = [path.resolve(name), path.join(snapshotFolder(storeFile), name)].find((file) =>
    fs.existsSync(file),
  );
  if (found === undefined)
    throw new Refusal(
      `there is no ${name} that this user may read, here or in data/backups; see: backup list`,
    );
  return found;
}
