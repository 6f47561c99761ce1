/** Lists as CSV (RFC 4180), read from the store while they are sent. */

type Cell = string | number | boolean | null;

/** Rows read at a time; other requests are answered in between. */
const BATCH = 500;

/** The end of the time that a Date can hold, in epoch ms. */
const LAST_TIME = 8.64e15;

/** Tells spreadsheets that the file is UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * The lines of a CSV file, in chunks. The reader sets the pace: a slow one costs no memory. The
 * transaction ends with the last line, or when the reader leaves.
 *
 * @param begin begins a read transaction, so that the list is of one moment
 */
export async function* csvLines<T extends object, S extends { close(): void }>(
  columns: readonly (keyof T & string)[],
  begin: () => S,
  list: (transaction: S) => Iterable<T>,
): AsyncGenerator<string> {
  const transaction = begin();
  try {
    let lines = BYTE_ORDER_MARK + line(columns);
    let rows = 0;
    for (const row of list(transaction)) {
      lines += line(columns.map((name) => toCell(name, row[name])));
      rows += 1;
      if (rows % BATCH !== 0) continue;
      yield lines;
      lines = '';
      await new Promise(setImmediate);
    }
    yield lines;
  } finally {
    transaction.close();
  }
}

/** Times are written as ISO 8601 in UTC, which spreadsheets understand; those of no calendar, by other programs, as they are. */
function toCell(name: string, value: unknown): Cell {
  if (name.endsWith('At') && typeof value === 'number' && Math.abs(value) <= LAST_TIME)
    return new Date(value).toISOString();
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  return value === null || value === undefined ? null : JSON.stringify(value);
}

const line = (cells: readonly Cell[]): string => `${cells.map(quote).join(',')}\r\n`;

function quote(cell: Cell): string {
  if (typeof cell !== 'string') return String(cell ?? '');
  // A spreadsheet would take the rest of such a cell for a formula and run it.
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
