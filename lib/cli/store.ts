/** Opens the store for the tools, and prints its lists. */
import { composeEmail, readableEmail } from '../addresses/normalize.ts';
import type { Columns } from '../lists.ts';
import { whileUsing } from '../store/errors.ts';
import { openStore, type Store } from '../store/open.ts';
import { requireStore } from '../store/store-file.ts';
import type { Readers } from '../store/tables.ts';
import { type Filter, readFilter } from './arguments.ts';
import type { Shell } from './shell.ts';
import { printList } from './terminal.ts';
import type { Call } from './tool.ts';

/** Opens the store for a job, and closes it. @throws {StoreError} if there is none */
export function withStore<T>(shell: Shell, job: (store: Store) => T): T {
  requireStore(shell.storeFile);
  return withNewStore(shell, job);
}

/** The same; creates a missing store. */
export function withNewStore<T>({ storeFile }: Shell, job: (store: Store) => T): T {
  const store = openStore(storeFile);
  try {
    return whileUsing(storeFile, () => job(store));
  } finally {
    store.close();
  }
}

/** Reads the store in a transaction. */
export function readStore<T>(shell: Shell, job: (readers: Readers) => T): T {
  return withStore(shell, ({ read }) => read(job));
}

/** Reads the rows of a list. */
type ReadRows<Row> = (readers: Readers, filter: Filter) => { readonly rows: readonly Row[] };

/**
 * Prints a list of the store, filtered as the call says.
 *
 * @param noun what its rows are: `joins`
 * @param shown the columns of its table
 */
export function printStoreList<Row extends object>(
  call: Call,
  noun: string,
  columns: Columns<Row>,
  readRows: ReadRows<Row>,
  shown: Columns<Row> = columns,
): void {
  const filter = readFilter(call);
  const noRows = filter.period ? `no ${noun} on these days` : `no ${noun} yet`;
  const { rows, none } = readStore(call, (readers) => {
    if (filter.email === undefined) return { rows: readRows(readers, filter).rows, none: noRows };
    const email = knownForm(readers, filter.email);
    const { rows } = readRows(readers, { ...filter, email });
    if (readers.invites.find(email)) return { rows, none: noRows };
    return { rows, none: `no ${noun}: ${readableEmail(email)} is not on the invite list` };
  });
  printList(call, none, columns, rows, shown);
}

/** The form of a typed address that is in the store: as typed, or else that of new invites. */
export function knownForm({ people, changes }: Readers, email: string): string {
  const composed = composeEmail(email);
  if (composed === email) return email;
  const isKnown = people.find(email) || changes.list({ email, limit: 1 }).rows.length > 0;
  return isKnown ? email : composed;
}
