/** Lists as CSV (RFC 4180), read page by page while they are sent. */
import type { Listed } from './listed.ts';

export type Cell = string | number | boolean | null;

/** Rows read at a time: a page takes a millisecond or two, then others have their turn. */
const PAGE = 500;

/**
 * The lines of a CSV file, a page at a time. The next page is read only when the one before is on its way, so a slow
 * reader costs no memory, and one who leaves ends the reading.
 */
export async function* csvLines<T extends object, P>(
  columns: readonly (keyof T & string)[],
  read: Listed<T, P>,
): AsyncGenerator<string> {
  yield line(columns);
  let after: P | undefined;
  do {
    const { rows, next } = read(PAGE, after);
    if (rows.length > 0)
      yield rows.map((row) => line(columns.map((name) => toCell(name, row[name])))).join('');
    after = next ?? undefined;
    await new Promise(setImmediate);
  } while (after !== undefined);
}

/** Times are written as ISO 8601 in UTC, which spreadsheets understand. */
function toCell(name: string, value: unknown): Cell {
  if (name.endsWith('At') && typeof value === 'number') return new Date(value).toISOString();
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
