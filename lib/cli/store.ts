/** Opens the store for the tools. */
import { openEmptyStore, openStore, type Store, storeExists, type Writer } from '../store/open.ts';
import type { Shell } from './shell.ts';

/** Rows that a tool writes in one transaction, so that the server waits only shortly. */
export const TRANSACTION_ROWS = 500;

/** Runs a job in a read transaction, so that it sees no later writes. */
export const readStore = (shell: Shell, job: (store: Store) => void): void =>
  withStore(shell, (store) => store.read(() => job(store)));

/** Runs a job in one transaction. */
export const changeStore = <T>(shell: Shell, job: (writer: Writer, store: Store) => T): T =>
  withStore(shell, (store) => store.transaction((writer) => job(writer, store)));

/** Opens the store for a job. */
export function withStore<T>(
  shell: Shell,
  job: (store: Store) => T,
  open: (shell: Shell) => Store = openIfExists,
): T {
  const store = open(shell);
  try {
    return job(store);
  } finally {
    store.close();
  }
}

/** Opens the store, and creates it if there is none. */
export const openOrCreate = ({ storeFile }: Shell): Store => openStore(storeFile);

/** Opens the store, or an empty one if there is none: only `invite add` creates a store. */
function openIfExists({ storeFile, warn }: Shell): Store {
  if (storeExists(storeFile)) return openStore(storeFile);
  const store = openEmptyStore();
  warn(`there is no store at ${storeFile} yet; the first invite creates it: invite add <email>`);
  return store;
}
