/** Prints the tools' output, tables or JSON, in parts, so that a slow reader costs no memory. */
import * as csv from '../csv.ts';
import type { Shell } from './shell.ts';
import type { Call } from './tool.ts';

/** Characters written at a time. */
const CHUNK_LENGTH = 1 << 16;

/** Rows that determine the widths of the columns. */
const WIDTH_ROWS = 500;

/** Prints a text, or texts as they are made. Waits while the reader is slow. */
export function print({ write }: Shell, texts: string | Iterable<string>): void {
  let chunk = '';
  for (const text of typeof texts === 'string' ? [texts] : texts) {
    chunk += text;
    if (chunk.length < CHUNK_LENGTH) continue;
    write(chunk);
    chunk = '';
  }
  write(chunk);
}

/** Prints an outcome: a text, or its fields as JSON. */
export const printOutcome = (call: Call, text: string, fields: object): void =>
  print(call, `${call.json ? JSON.stringify(fields) : text}\n`);

/** A column of a table: its heading, and the cell of a row. */
export type Column<T> = readonly [
  heading: string,
  show: (row: T) => string | number | boolean | null,
];

/** Prints rows as they are read: as a table, as a JSON array of whole rows, or as CSV. */
export const printList = <T extends object>(
  call: Call,
  rows: Iterable<T>,
  columns: readonly Column<T>[],
  cells: csv.Columns<T>,
): void =>
  call.flag('csv') ? print(call, csv.lines(cells, rows)) : printRows(call, rows, columns);

/** Prints rows as they are read: as a table, or as a JSON array of whole rows. */
export const printRows = <T>(call: Call, rows: Iterable<T>, columns: readonly Column<T>[]): void =>
  print(call, call.json ? jsonList(rows, '\n') : tableLines(rows, columns));

function* tableLines<T>(rows: Iterable<T>, columns: readonly Column<T>[]): Generator<string> {
  const lines = [columns.map(([heading]) => heading)];
  let widths: readonly number[] | undefined;
  const takeLines = (): string => {
    widths ??= columns.map((_, i) => Math.max(...lines.map((cells) => cells[i]?.length ?? 0)));
    const padded = lines
      .splice(0)
      .map((cells) => cells.map((cell, i) => cell.padEnd(widths?.[i] ?? 0)));
    return padded.map((cells) => `${cells.join('  ').trimEnd()}\n`).join('');
  };
  for (const row of rows) {
    lines.push(columns.map(([, show]) => String(show(row) ?? '')));
    if (widths || lines.length > WIDTH_ROWS) yield takeLines();
  }
  yield !widths && lines.length === 1 ? 'none yet\n' : takeLines();
}

function* jsonList(rows: Iterable<unknown>, end = '', indent = ''): Generator<string> {
  let separator = '[';
  for (const row of rows) {
    yield `${separator}\n${indent}  ${JSON.stringify(row)}`;
    separator = ',';
  }
  yield `${separator === '[' ? '[' : `\n${indent}`}]${end}`;
}

/** Prints one object as JSON. Lists in it are printed as they are read. */
export const printObject = (call: Call, fields: object): void => print(call, jsonObject(fields));

function* jsonObject(fields: object): Generator<string> {
  let separator = '{';
  for (const [name, value] of Object.entries(fields)) {
    yield `${separator}\n  ${JSON.stringify(name)}: `;
    if (isIterable(value)) yield* jsonList(value, '', '  ');
    else yield JSON.stringify(value);
    separator = ',';
  }
  yield '\n}\n';
}

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value;

/** A count with its noun: `1 session`, `2 sessions`. */
export const plural = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Epoch ms as `2026-03-02 14:05:09Z`, or unchanged if no Date can hold it; empty for `null`. */
export function utc(ms: number | null): string {
  const time = new Date(ms ?? Number.NaN);
  if (Number.isNaN(time.getTime())) return String(ms ?? '');
  return time.toISOString().replace(/T(.{8}).*/, ' $1Z');
}

/** Shows the progress of long work, if stderr is a terminal. */
export function showProgress(what: string, done: number, total: number): void {
  if (!process.stderr.isTTY) return;
  const width = 30;
  const filled = Math.round((width * done) / Math.max(total, 1));
  const bar = '█'.repeat(filled) + '░'.repeat(width - filled);
  process.stderr.write(`\r${what} ${bar} ${done}/${total}${done >= total ? '\n' : ''}`);
}
