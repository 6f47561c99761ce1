/** Lists as CSV (RFC 4180), read from the store while they are sent. */
import { MAX_ROWS } from './query.ts';

/** The columns of a list, one for each field of a row, and their formats. */
export type Columns<Row> = { readonly [Name in keyof Row]: 'time' | 'value' };

/** Tells spreadsheets that the file is UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * The lines of a CSV file, in chunks. They are read when they are sent, so a slow client costs no
 * memory. The transaction ends with the last line, or when the client disconnects.
 *
 * @param begin begins a read transaction, so that the list does not change meanwhile
 */
export async function* csvLines<Row extends object, S extends { close(): void }>(
  columns: Columns<Row>,
  begin: () => S,
  list: (transaction: S) => Iterable<Row>,
): AsyncGenerator<string> {
  const names = Object.keys(columns) as (keyof Row & string)[];
  const transaction = begin();
  try {
    let lines = BYTE_ORDER_MARK + line(names);
    let rows = 0;
    for (const row of list(transaction)) {
      lines += line(names.map((name) => toCell(row[name], columns[name] === 'time')));
      rows += 1;
      if (rows % MAX_ROWS !== 0) continue;
      // Lets the event loop answer other requests.
      yield lines;
      lines = '';
      await new Promise(setImmediate);
    }
    yield lines;
  } finally {
    transaction.close();
  }
}

/** Times are ISO 8601 in UTC. Another program's time beyond the range of a Date stays a number. */
function toCell(value: unknown, isTime: boolean): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'object') return quote(JSON.stringify(value));
  return (isTime && new Date(Number(value)).toJSON()) || String(value);
}

const line = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;

function quote(cell: string): string {
  // Spreadsheets run a cell that begins so as a formula.
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
