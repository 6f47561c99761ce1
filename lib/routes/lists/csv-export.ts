/** Streams a list as CSV from a read transaction. */
import { setImmediate } from 'node:timers/promises';
import * as csv from '../../csv.ts';

/** Rows of a step. Other requests wait for one step of each export. */
const STEP = 25;

type Store<Transaction> = {
  beginRead(): Promise<Transaction>;
  synced(): Promise<void>;
};

/**
 * Begins to read, and returns a CSV file in chunks, with backpressure. The transaction ends with the
 * last line, or when the client disconnects.
 *
 * @throws {StoreUnavailable} if other exports take too long
 */
export async function exportCsv<
  Row extends object,
  Transaction extends { close(fault?: unknown): void },
>(
  store: Store<Transaction>,
  columns: csv.Columns<Row>,
  list: (transaction: Transaction) => Iterable<Row | undefined>,
): Promise<AsyncGenerator<string>> {
  const chunks = read(store, columns, list);
  // Only a generator that has begun ends its transaction when it is left.
  await chunks.next();
  return chunks;
}

async function* read<Row extends object, Transaction extends { close(fault?: unknown): void }>(
  store: Store<Transaction>,
  columns: csv.Columns<Row>,
  list: (transaction: Transaction) => Iterable<Row | undefined>,
): AsyncGenerator<string> {
  const transaction = await store.beginRead();
  let fault: unknown;
  try {
    yield '';
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
  } catch (error) {
    fault = error;
    throw error;
  } finally {
    transaction.close(fault);
  }
}
