/** Opens the store for the tools. */
import { openStore, type Readers, requireStore, type Store } from '../store/open.ts';
import type { Shell } from './shell.ts';

/** Reads the store in a transaction. */
export const readStore = <T>(shell: Shell, job: (readers: Readers) => T): T =>
  withStore(shell, ({ read }) => read(job));

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
