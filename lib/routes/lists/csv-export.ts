/** Streams a list as CSV from a read transaction. */
import { setImmediate, setTimeout } from 'node:timers/promises';
import * as csv from '../../csv.ts';

/** Concurrent exports. Each takes a connection, and a step in every turn of the event loop. */
const AT_ONCE = 4;

/** How often a waiting export checks the queue, in ms. */
const PAUSE = 250;

/** Rows of a step. Other requests wait for one step of each export. */
const STEP = 25;

/** Running exports, then waiting ones. */
const exportsInOrder: object[] = [];

/**
 * Yields a CSV file in chunks, with backpressure. The transaction ends with the last line, or when
 * the client disconnects. A waiting export yields empty chunks, which detect a disconnect.
 */
export async function* exportCsv<Row extends object, Transaction extends { close(): void }>(
  store: { beginRead(): Promise<Transaction>; synced(): Promise<void> },
  columns: csv.Columns<Row>,
  list: (transaction: Transaction) => Iterable<Row | undefined>,
): AsyncGenerator<string> {
  const ticket = {};
  exportsInOrder.push(ticket);
  let transaction: Transaction | undefined;
  try {
    while (exportsInOrder.indexOf(ticket) >= AT_ONCE) {
      yield '';
      await setTimeout(PAUSE);
    }
    transaction = await store.beginRead();
    let part = '';
    let count = 0;
    for (const line of csv.csvLines(columns, list(transaction))) {
      part += line;
      count += 1;
      if (line !== '' && count % STEP !== 0) continue;
      // Let the event loop answer other requests, and a waiting commit run.
      await store.synced();
      await setImmediate();
      if (count % csv.MAX_ROWS !== 0) continue;
      yield part;
      part = '';
    }
    yield part;
  } finally {
    transaction?.close();
    exportsInOrder.splice(exportsInOrder.indexOf(ticket), 1);
  }
}
