/** Sends a list as CSV, read from the store while it is sent. */
import * as csv from '../../csv.ts';
import type { Request } from '../../http/request.ts';
import { MAX_ROWS } from './query.ts';

/** Exports that run at once. Each takes a connection, and a step in every turn of the event loop. */
const AT_ONCE = 4;

/** Rows that are read in a step. */
const STEP = 25;

let running = 0;
const waiting = new Set<() => void>();

/**
 * The lines of a CSV file, in chunks. They are read when they are sent, so a slow client costs no
 * memory. The transaction ends with the last line, or when the client disconnects.
 *
 * @param store begins read transactions, and waits for the commit under way
 */
export async function* csvLines<Row extends object, Transaction extends { close(): void }>(
  request: Request,
  store: { beginRead(): Transaction; synced(): Promise<void> },
  columns: csv.Columns<Row>,
  list: (transaction: Transaction) => Iterable<Row>,
): AsyncGenerator<string> {
  if (!(await ourTurn(request))) return;
  let transaction: Transaction | undefined;
  try {
    transaction = store.beginRead();
    let part = '';
    let count = 0;
    for (const line of csv.lines(columns, list(transaction))) {
      part += line;
      count += 1;
      if (count % STEP !== 0) continue;
      // Lets the event loop answer other requests. Beside writes, a commit comes between two steps.
      await store.synced();
      await new Promise(setImmediate);
      if (count % MAX_ROWS !== 0) continue;
      yield part;
      part = '';
    }
    yield part;
  } finally {
    transaction?.close();
    running -= 1;
    startNext();
  }
}

/** Waits until fewer exports run. @returns false if the client disconnects before */
const ourTurn = ({ body }: Request): Promise<boolean> =>
  new Promise((resolve) => {
    const start = () => resolve(true);
    waiting.add(start);
    body.once('close', () => {
      waiting.delete(start);
      resolve(false);
    });
    startNext();
  });

function startNext(): void {
  const [next] = waiting;
  if (!next || running === AT_ONCE) return;
  waiting.delete(next);
  running += 1;
  next();
}
