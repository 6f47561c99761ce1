/** Lists as CSV (RFC 4180), read page by page while they are sent. */
import type { Listed } from './listed.ts';

export type Cell = string | number | boolean | null;

/** Rows read at a time; then others have their turn. */
const PAGE = 500;

/** The end of the time that a Date can hold, in epoch ms. */
const LAST_TIME = 8.64e15;

/** By this, spreadsheets know that the file is UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * The lines of a CSV file, a page at a time. The next page is read only when the one before is on its way, so a slow
 * reader costs no memory, and one who leaves ends the reading.
 *
 * @param begin begins a read transaction, in which no row moves, whatever is written meanwhile
 */
export async function* csvLines<T extends object, P, S extends { close(): void }>(
  columns: readonly (keyof T & string)[],
  begin: () => S,
  list: (transaction: S) => Listed<T, P>,
): AsyncGenerator<string> {
  const transaction = begin();
  try {
    const read = list(transaction);
    yield BYTE_ORDER_MARK + line(columns);
    let after: P | undefined;
    do {
      const { rows, next } = read(PAGE, after);
      if (rows.length > 0)
        yield rows.map((row) => line(columns.map((name) => toCell(name, row[name])))).join('');
      after = next ?? undefined;
      await new Promise(setImmediate);
    } while (after !== undefined);
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
