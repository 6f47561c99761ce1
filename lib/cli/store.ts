/** Opens the store for the tools. */
import {
  openEmptyStore,
  openStore,
  type Store,
  storeExists,
  storeFile,
  type Writer,
} from '../store/open.ts';

/** Rows that a tool writes in one transaction, so that the server waits only shortly. */
export const TRANSACTION_ROWS = 500;

/** Runs a job in a read transaction, so that it sees no later writes. */
export const readStore = (job: (store: Store) => void): void =>
  withStore((store) => store.read(() => job(store)));

/** Runs a job in one transaction. */
export const changeStore = <T>(job: (writer: Writer, store: Store) => T): T =>
  withStore((store) => store.transaction((writer) => job(writer, store)));

/** Opens the store for a job. */
export function withStore<T>(job: (store: Store) => T, open: () => Store = openIfExists): T {
  const store = open();
  try {
    return job(store);
  } finally {
    store.close();
  }
}

/** Opens the store, or an empty one if there is none: only `invite add` creates a store. */
function openIfExists(): Store {
  if (storeExists()) return openStore();
  const store = openEmptyStore();
  console.error(
    `there is no store at ${storeFile} yet; the first invite creates it: invite add <email>`,
  );
  return store;
}
