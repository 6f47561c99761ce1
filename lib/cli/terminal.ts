/** Prints the tools' output, tables or JSON, in parts, so that a slow reader costs no memory. */
import fs from 'node:fs';
import * as csv from '../csv.ts';

/** The reader has closed stdout, as `head` does. This is not an error. */
export class ReaderLeft extends Error {}

/** The output cannot be written, for example because the disk is full. */
export class OutputError extends Error {}

/** Characters written at a time. */
const CHUNK_LENGTH = 1 << 16;

/** Pause before stdout is tried again, in ms. */
const RETRY_PAUSE = 10;

/** Rows that determine the widths of the columns. */
const WIDTH_ROWS = 500;

/**
 * Prints a text, or texts as they are made, and waits while the reader is slow.
 *
 * @throws {ReaderLeft}
 * @throws {OutputError}
 */
export function print(texts: string | Iterable<string>): void {
  let chunk = '';
  for (const text of typeof texts === 'string' ? [texts] : texts) {
    chunk += text;
    if (chunk.length < CHUNK_LENGTH) continue;
    write(chunk);
    chunk = '';
  }
  write(chunk);
}

function write(chunk: string): void {
  const bytes = Buffer.from(chunk);
  for (let written = 0; written < bytes.length; ) {
    try {
      written += fs.writeSync(1, bytes, written);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'EPIPE') throw new ReaderLeft();
      if (code !== 'EAGAIN') throw new OutputError(`the output cannot be written: ${message}`);
      // The pipe is full, and another program has made it non-blocking.
      sleep(RETRY_PAUSE);
    }
  }
}

/** Blocks this process, in ms. */
export const sleep = (ms: number): unknown =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** Prints an outcome: a text, or its fields as JSON. */
export const printOutcome = (text: string, fields: object, asJson: boolean): void =>
  print(`${asJson ? JSON.stringify(fields) : text}\n`);

/** A column of a table: its heading, and the cell of a row. */
export type Column<T> = readonly [
  heading: string,
  show: (row: T) => string | number | boolean | null,
];

/** Prints rows as they are read: as a table, as a JSON array of whole rows, or as CSV. */
export const printList = <T extends object>(
  rows: Iterable<T>,
  columns: readonly Column<T>[],
  cells: csv.Columns<T>,
  { json, flag }: { readonly json: boolean; flag(name: string): boolean },
): void => (flag('csv') ? print(csv.lines(cells, rows)) : printRows(rows, columns, json));

/** Prints rows as they are read: as a table, or as a JSON array of whole rows. */
export const printRows = <T>(
  rows: Iterable<T>,
  columns: readonly Column<T>[],
  asJson: boolean,
): void => print(asJson ? jsonList(rows, '\n') : tableLines(rows, columns));

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
export const printObject = (fields: object): void => print(jsonObject(fields));

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
