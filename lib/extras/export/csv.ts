/** Rows as CSV (RFC 4180), harmless to spreadsheets. */
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
    // A session id is base64url: it may begin with `-`, and is no formula.
    return quoteCell(column === 'session' ? value : withoutFormula(value));
  }
  const time = isTimeColumn(column) ? new Date(Number(value)).toJSON() : null;
  return time ?? String(value);
}

const line = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;

/** Spreadsheets would evaluate such a cell as a formula. */
const withoutFormula = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

const quoteCell = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
