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
  let done = 0;
  const writeSome = (writer: Writer): boolean => {
    const some = rows.slice(done, done + TRANSACTION_ROWS);
    for (const row of some) write(writer, row);
    done += some.length;
    showProgress(done, rows.length);
    return done < rows.length;
  };
  withStore(shell, (store) => repeatTransaction(store, writeSome), openOrCreate);
}

/** Runs a job in a new transaction each time, until it returns false. */
export function repeatTransaction(
  { transaction }: Store,
  job: Parameters<Store['transaction']>[0],
): void {
  while (transaction(job)) sleep(TRANSACTION_PAUSE);
}

/** Opens the store for a job, and closes it. */
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

/** Opens the store, and creates it if it is missing. */
export const openOrCreate = ({ storeFile }: Shell): Store => openStore(storeFile);

/** Opens the store, or an empty one in memory: only `invite add` creates a store. */
function openIfExists({ storeFile, warn }: Shell): Store {
  if (storeExists(storeFile)) return openStore(storeFile);
  const store = openEmptyStore();
  warn(`there is no store at ${storeFile} yet; the first invite creates it: invite add <email>`);
  return store;
}
