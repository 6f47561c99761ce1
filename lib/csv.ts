/** What the server, the tools and the administrator page know of lists: length, columns, files. */
import type * as records from './records.ts';

/** Maximum number of rows in one reply. */
export const MAX_ROWS = 500;

/** The columns of a list: the fields of a row. */
export type Columns<Row> = readonly (keyof Row & string)[];

/** Whether a field is a time in epoch ms: its name is `at` or ends in `At`. */
export const isTimeColumn = (name: string): boolean => /(^a|A)t$/.test(name);

/** The first line of a CSV file. The byte order mark tells spreadsheets that it is UTF-8. */
export const csvHeading = (columns: readonly string[]): string => `\uFEFF${line(columns)}`;

/** The line of a row. */
export const csvLine = <Row extends object>(columns: Columns<Row>, row: Row): string =>
  line(columns.map((name) => toCell(row[name], name)));

/** Yields the lines of a CSV file: the heading, then one for each row. */
export function* csvLines<Row extends object>(
  columns: Columns<Row>,
  rows: Iterable<Row>,
): Generator<string> {
  yield csvHeading(columns);
  for (const row of rows) yield csvLine(columns, row);
}

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

/**
 * Decodes a file of a list, in UTF-8, or in UTF-16 with a byte order mark.
 *
 * @returns `undefined` if it is in another encoding, or no text
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  const mark = bytes.subarray(0, 2).join();
  const encoding = { '255,254': 'utf-16le', '254,255': 'utf-16be' }[mark] ?? 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** The rows of each list. */
export type Lists = {
  invites: records.ListedInvite;
  joinSummary: records.JoinSummary;
  joinClicks: records.JoinClick;
  events: records.Event;
  peopleSeen: records.PersonTotals;
  changes: records.Change;
};

/** The columns of each list, in order. */
export const COLUMNS: { readonly [List in keyof Lists]: Columns<Lists[List]> } = {
  invites: [
    'email',
    'firstName',
    'isAdmin',
    'invitedBy',
    'invitedAt',
    'status',
    'logins',
    'timelineViews',
    'joinClicks',
    'lastSeenAt',
  ],
  joinSummary: ['email', 'firstName', 'clicks', 'firstAt', 'lastAt'],
  joinClicks: ['id', 'email', 'firstName', 'session', 'clickedAt'],
  events: ['id', 'type', 'email', 'occurredAt', 'session', 'deviceType', 'os', 'browser', 'meta'],
  peopleSeen: ['email', 'logins', 'timelineViews', 'lastSeenAt'],
  changes: ['id', 'at', 'by', 'via', 'what', 'email', 'detail'],
};
