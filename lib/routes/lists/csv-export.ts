/** Streams a list as CSV from a read transaction. */
import { setImmediate } from 'node:timers/promises';
import * as csv from '../../csv.ts';

/** Rows of a step. Other requests wait for one step of each export. */
const STEP = 25;

type Store<Transaction> = {
  beginRead(): Promise<Transaction & { close(fault?: unknown): void }>;
  synced(): Promise<void>;
};

/**
 * Begins to read, and returns a CSV file in chunks, with backpressure. The transaction ends with the
 * last line, or when the client disconnects.
 *
 * @throws {StoreUnavailable} if other exports take too long
 */
export async function exportCsv<Row extends object, Transaction>(
  store: Store<Transaction>,
  columns: csv.Columns<Row>,
  list: (transaction: Transaction) => Iterable<Row | undefined>,
): Promise<AsyncGenerator<string>> {
  const transaction = await store.beginRead();
  const lines = csv.csvLines(columns, list(transaction));
  const chunks = inSteps(lines, store.synced, transaction.close);
  // Only a generator that has begun ends its transaction when it is left.
  await chunks.next();
  return chunks;
}

async function* inSteps(
  lines: Iterable<string>,
  synced: () => Promise<void>,
  close: (fault?: unknown) => void,
): AsyncGenerator<string> {
  let fault: unknown;
  try {
    yield '';
    let part = '';
    let count = 0;
    for (const line of lines) {
      part += line;
      count += 1;
      if (line !== '' && count % STEP !== 0) continue;
      // Let the event loop answer other requests, and a waiting commit run.
      await synced();
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
    close(fault);
  }
}
