/** Sends a list as CSV, read from the store while it is sent. */
import { setImmediate, setTimeout } from 'node:timers/promises';
import * as csv from '../../csv.ts';
import { MAX_ROWS } from './query.ts';

/** Exports that run at once. Each takes a connection, and a step in every turn of the event loop. */
const AT_ONCE = 4;

/** How often an export looks whether its turn has come, in ms. */
const PAUSE = 250;

/** Rows that are read in a step. */
const STEP = 25;

/** The exports that run, and behind them those that wait. */
const queue: object[] = [];

/**
 * The lines of a CSV file, in chunks. They are read when they are sent, so a slow client costs no
 * memory. The transaction ends with the last line, or when the client disconnects. An export that
 * waits sends empty chunks, which keep its connection or find that its client has disconnected.
 *
 * @param store begins read transactions, and waits for the commit under way
 */
export async function* exportCsv<Row extends object, Transaction extends { close(): void }>(
  store: { beginRead(): Promise<Transaction>; synced(): Promise<void> },
  columns: csv.Columns<Row>,
  list: (transaction: Transaction) => Iterable<Row>,
): AsyncGenerator<string> {
  const ticket = {};
  queue.push(ticket);
  let transaction: Transaction | undefined;
  try {
    for (; queue.indexOf(ticket) >= AT_ONCE; await setTimeout(PAUSE)) yield '';
    transaction = await store.beginRead();
    let part = '';
    let count = 0;
    for (const line of csv.csvLines(columns, list(transaction))) {
      part += line;
      count += 1;
      if (count % STEP !== 0) continue;
      // Lets the event loop answer other requests. Beside writes, a commit comes between two steps.
      await store.synced();
      await setImmediate();
      if (count % MAX_ROWS !== 0) continue;
      yield part;
      part = '';
    }
    yield part;
  } finally {
    transaction?.close();
    queue.splice(queue.indexOf(ticket), 1);
  }
}
