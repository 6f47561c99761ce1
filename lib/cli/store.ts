/** Opens the store for the tools. */
import { commandFor } from '../config.ts';
import { openEmptyStore, openStore, type Store, storeExists } from '../store/open.ts';
import { progress, type Shell } from './shell.ts';

/** What reads counted numbers and lists, in a read transaction. */
export type ToolReaders = Parameters<Parameters<Store['read']>[0]>[0];

/** Runs a job in a read transaction, when all rows are counted. */
export const readStore = <T>(shell: Shell, job: (readers: ToolReaders) => T): T =>
  withStore(shell, ({ read }) => read(job, progress('rows to count')));

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
