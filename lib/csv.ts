/** What the server, the tools and the administrator page know of lists: length, columns, CSV. */
import type * as records from './records.ts';

/** Maximum number of rows in one reply. */
export const MAX_ROWS = 500;

/** The columns of a list: the fields of a row. */
export type Columns<Row> = readonly (keyof Row & string)[];

/** Whether a field is a time in epoch ms: its name is `at` or ends in `At`. */
export const isTimeColumn = (name: string): boolean => /(^a|A)t$/.test(name);

/** Yields the lines of a CSV file: the heading, then one for each row; empty text for a pause. */
export function* csvLines<Row extends object>(
  columns: Columns<Row>,
  rows: Iterable<Row | undefined>,
): Generator<string> {
  // The byte order mark tells spreadsheets that the file is UTF-8.
  yield `\uFEFF${line(columns)}`;
  for (const row of rows) yield row ? line(columns.map((name) => toCell(row[name], name))) : '';
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
