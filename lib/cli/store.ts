/** Opens the store for the tools. */
import {
  type LogReaders,
  openStore,
  type Readers,
  requireStore,
  type Store,
} from '../store/open.ts';
import type { Shell } from './shell.ts';

/** Reads the logs in a transaction. */
export const readLogs = <T>(shell: Shell, job: (readers: LogReaders) => T): T =>
  withStore(shell, ({ read }) => read(job));

/** Counts the logs, then reads, in a transaction. */
export const countAndRead = <T>(shell: Shell, job: (readers: Readers) => T): T =>
  withStore(shell, (store) => store.countAndRead(job));

/** Opens the store for a job, and closes it. @param open `openStore` creates a missing store */
export function withStore<T>(shell: Shell, job: (store: Store) => T, open = openExisting): T {
  const store = open(shell.storeFile);
  try {
    return job(store);
  } finally {
    store.close();
  }
}

/** Only `invite add` creates a store. */
function openExisting(storeFile: string): Store {
  requireStore(storeFile);
  return openStore(storeFile);
}
