/** Sends a list as CSV, read from the store while it is sent. */
import * as csv from '../../csv.ts';
import { MAX_ROWS } from './query.ts';

/** Rows that are read at once. */
const STEP = 25;

/**
 * The lines of a CSV file, in chunks. They are read when they are sent, so a slow client costs no
 * memory. The transaction ends with the last line, or when the client disconnects.
 *
 * @param begin begins a read transaction, so that the list does not change meanwhile
 * @param synced resolves after the commit under way
 */
export async function* csvLines<Row extends object, S extends { close(): void }>(
  columns: csv.Columns<Row>,
  begin: () => Promise<S>,
  list: (transaction: S) => Iterable<Row>,
  synced: () => Promise<void>,
): AsyncGenerator<string> {
  const transaction = await begin();
  try {
    let part = '';
    let count = 0;
    for (const line of csv.lines(columns, list(transaction))) {
      part += line;
      count += 1;
      if (count % STEP !== 0) continue;
      // Lets the event loop answer other requests. Beside writes, a commit comes between two steps.
      await synced();
      await new Promise(setImmediate);
      if (count % MAX_ROWS !== 0) continue;
      yield part;
      part = '';
    }
    yield part;
  } finally {
    transaction.close();
  }
}
