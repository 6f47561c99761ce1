/** Sends a list as CSV, read from the store while it is sent. */
import * as csv from '../../csv.ts';
import { MAX_ROWS } from './query.ts';

/**
 * The lines of a CSV file, in chunks. They are read when they are sent, so a slow client costs no
 * memory. The transaction ends with the last line, or when the client disconnects.
 *
 * @param begin begins a read transaction, so that the list does not change meanwhile
 */
export async function* csvLines<Row extends object, S extends { close(): void }>(
  columns: csv.Columns<Row>,
  begin: () => S,
  list: (transaction: S) => Iterable<Row>,
): AsyncGenerator<string> {
  const transaction = begin();
  try {
    let part = '';
    let count = 0;
    for (const line of csv.lines(columns, list(transaction))) {
      part += line;
      count += 1;
      if (count % MAX_ROWS !== 0) continue;
      // Lets the event loop answer other requests.
      yield part;
      part = '';
      await new Promise(setImmediate);
    }
    yield part;
  } finally {
    transaction.close();
  }
}
