/** Rows as CSV (RFC 4180), harmless to spreadsheets. */
import { type Columns, isTimeColumn } from '../../lists.ts';

/** A whole list as a CSV file. */
export const toCsv = <Row extends object>(columns: Columns<Row>, rows: readonly Row[]): string =>
  csvHeading(columns) + csvRows(columns, rows);

/** The first line of a CSV file. The byte order mark tells spreadsheets that it is UTF-8. */
export const csvHeading = (columns: readonly string[]): string => `\uFEFF${line(columns)}`;

/** The lines of rows. */
export const csvRows = <Row extends object>(columns: Columns<Row>, rows: readonly Row[]): string =>
  rows.map((row) => line(columns.map((name) => toCell(row[name], name)))).join('');

/** Times are ISO 8601 in UTC, or numbers if they are outside the range of a Date. */
function toCell(value: unknown, column: string): string {
  if (value === null || value === undefined) return '';
  // A session id is base64url: it may begin with `-`, and is no formula.
  if (typeof value === 'string') return quote(column === 'session' ? value : withoutFormula(value));
  if (typeof value === 'object') return quote(JSON.stringify(value));
  return (isTimeColumn(column) && new Date(Number(value)).toJSON()) || String(value);
}

const line = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;

/** Spreadsheets would evaluate such a cell as a formula. */
const withoutFormula = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

const quote = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
