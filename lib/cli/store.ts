/** Opens the store for the tools. */
import { openEmptyStore, openStore, type Store, storeExists, type Writer } from '../store/open.ts';
import { type Shell, showProgress, sleep } from './shell.ts';

/** Rows of a transaction, so that the server waits only briefly. */
export const TRANSACTION_ROWS = 500;

/** Pause between two transactions, in ms, so that the server can write. */
const TRANSACTION_PAUSE = 25;

/** Runs a job in a read transaction. */
export const readStore = (shell: Shell, job: (store: Store) => void): void =>
  withStore(shell, (store) => store.read(() => job(store)));

/** Writes rows in several transactions. Creates a missing store. */
export function writeEach<Row>(
  shell: Shell,
  rows: readonly Row[],
  write: (writer: Writer, row: Row) => void,
): void {
  const left = [...rows];
  const writeSome = (writer: Writer): boolean => {
    for (const row of left.splice(0, TRANSACTION_ROWS)) write(writer, row);
    showProgress(rows.length - left.length, rows.length);
    return left.length > 0;
  };
  withStore(shell, (store) => repeatTransaction(store, writeSome), openStore);
}

/** Runs a job in a new transaction each time, until it returns false. */
export function repeatTransaction(store: Store, job: Parameters<Store['transaction']>[0]): void {
  while (store.transaction(job)) sleep(TRANSACTION_PAUSE);
}

/** Opens the store for a job, and closes it. @param open `openStore` creates a missing store */
export function withStore<T>(shell: Shell, job: (store: Store) => T, open = openIfExists): T {
  const store = open(shell.storeFile, shell.warn);
  try {
    return job(store);
  } finally {
    store.close();
  }
}

/** Opens the store, or an empty one in memory: only `invite add` creates a store. */
function openIfExists(storeFile: string, warn: Shell['warn']): Store {
  if (storeExists(storeFile)) return openStore(storeFile);
  const store = openEmptyStore();
  warn(`there is no store at ${storeFile} yet; the first invite creates it: invite add <email>`);
  return store;
}
