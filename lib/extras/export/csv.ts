/** Rows as CSV (RFC 4180). Spreadsheets do not run their cells as formulas. */
import { type Columns, isTimeColumn } from '../../lists.ts';

/** A whole list as a CSV file. */
export function toCsv<Row extends object>(columns: Columns<Row>, rows: readonly Row[]): string {
  return csvHeading(columns) + csvRows(columns, rows);
}

/** The first line of a CSV file. The byte order mark tells spreadsheets that it is UTF-8. */
export const csvHeading = (columns: readonly string[]): string => `\uFEFF${line(columns)}`;

/** The lines of rows. */
export function csvRows<Row extends object>(columns: Columns<Row>, rows: readonly Row[]): string {
  let text = '';
  for (const row of rows) text += line(columns.map((name) => toCsvCell(row[name], name)));
  return text;
}

/** Times are ISO 8601 in UTC, or numbers if they are outside the range of a Date. */
function toCsvCell(value: unknown, column: string): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') return quoteCell(JSON.stringify(value));
  if (typeof value === 'string') {
    // A session id is base64url. It may begin with `-`, but it is never a formula.
    return quoteCell(column === 'session' ? value : withoutFormula(value));
  }
  const time = isTimeColumn(column) ? new Date(Number(value)).toJSON() : null;
  return time ?? String(value);
}

const line = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;

/** Spreadsheets evaluate a cell that begins so: `=1+1`, but not `1+1`. */
const FORMULA = /^[=+\-@\t\r]/;

const withoutFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** Puts a cell in quotes if it contains a separator or a quote. */
function quoteCell(text: string): string {
  if (!/[",\r\n]/.test(text)) return text;
  return `"${text.replaceAll('"', '""')}"`;
}
