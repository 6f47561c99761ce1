/** Opens the store for the tools. */
import { openStore, type Readers, requireStore, type Store } from '../store/open.ts';
import type { Shell } from './shell.ts';

/** Opens the store for a job, and closes it. @throws {StoreError} if there is none */
export function withStore<T>(shell: Shell, job: (store: Store) => T): T {
  requireStore(shell.storeFile);
  return withNewStore(shell, job);
}

/** The same; creates a missing store. */
export function withNewStore<T>({ storeFile }: Shell, job: (store: Store) => T): T {
  const store = openStore(storeFile);
  try {
    return job(store);
  } finally {
    store.close();
  }
}

/** Reads the store in a transaction. */
export const readStore = <T>(shell: Shell, job: (readers: Readers) => T): T =>
  withStore(shell, ({ read }) => read(job));
