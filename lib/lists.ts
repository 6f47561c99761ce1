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

/** The columns of each list, in order. */
export const COLUMNS: {
  readonly invites: Columns<records.ListedInvite>;
  readonly joinSummary: Columns<records.JoinSummary>;
  readonly joinClicks: Columns<records.JoinClick>;
  readonly events: Columns<records.Event>;
  readonly peopleSeen: Columns<records.PersonTotals>;
  readonly changes: Columns<records.Change>;
} = {
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
