/** Opens the store for the tools. */
import { commandFor } from '../config.ts';
import {
  type LogReaders,
  openEmptyStore,
  openStore,
  type Readers,
  type Store,
  storeExists,
} from '../store/open.ts';
import type { Shell } from './shell.ts';

/** Reads the logs in a transaction. */
export const readLogs = <T>(shell: Shell, job: (readers: LogReaders) => T): T =>
  withStore(shell, ({ read }) => read(job));

/** Counts the logs, then reads, in a transaction. */
export const countAndRead = <T>(shell: Shell, job: (readers: Readers) => T): T =>
  withStore(shell, (store) => store.countAndRead(job));

/** Opens the store for a job, and closes it. @param open `openStore` creates a missing store */
export function withStore<T>(shell: Shell, job: (store: Store) => T, open = openIfExists): T {
  const store = open(shell.storeFile, shell.warn);
  try {
    return job(store);
  } finally {
    store.close();
  }
}

/** Opens the store, or an empty one elsewhere: only `invite add` creates a store. */
function openIfExists(storeFile: string, warn: Shell['warn']): Store {
  if (storeExists(storeFile)) return openStore(storeFile);
  const store = openEmptyStore();
  const command = commandFor('invite add <email>');
  warn(`there is no store at ${storeFile} yet; the first invite creates it: ${command}`);
  return store;
}
