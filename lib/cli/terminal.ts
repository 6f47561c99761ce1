/** Prints the tools' output, tables for people or JSON for programs, at the pace of the reader. */
import fs from 'node:fs';

/** The reader has closed stdout, as `head` does; not an error. */
export class ReaderLeft extends Error {}

/** The output cannot be written, for example because the disk is full. */
export class OutputError extends Error {}

/** Characters written at a time. */
const CHUNK = 1 << 16;

/**
 * Prints a text, or texts as they are made, and waits while the reader is slow.
 *
 * @throws {ReaderLeft}
 * @throws {OutputError}
 */
export async function print(texts: string | Iterable<string>): Promise<void> {
  let chunk = '';
  for (const text of typeof texts === 'string' ? [texts] : texts) {
    chunk += text;
    if (chunk.length < CHUNK) continue;
    await write(chunk);
    chunk = '';
  }
  await write(chunk);
}

async function write(chunk: string): Promise<void> {
  try {
    // Node's stream to a file hides a short write, as on a full disk.
    if (fs.fstatSync(1).isFile()) fs.writeFileSync(1, chunk);
    else
      await new Promise<void>((resolve, reject) => {
        process.stdout.write(chunk, (error) => (error ? reject(error) : resolve()));
      });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') throw new ReaderLeft();
    throw new OutputError(`the output cannot be written: ${(error as Error).message}`);
  }
}

/** Prints an outcome: a text, or its fields as JSON. */
export const printOutcome = (
  text: string,
  fields: Readonly<Record<string, unknown>>,
  asJson: boolean,
): Promise<void> => print(`${asJson ? JSON.stringify(fields) : text}\n`);

/** A column of a table: its heading, and the cell of a row. */
export type Column<T> = readonly [
  heading: string,
  show: (row: T) => string | number | boolean | null,
];

/**
 * Prints rows as they are read: a table, or a JSON array of whole rows. The first rows decide the
 * widths of the columns, so that long lists are not held in memory.
 */
export async function printRows<T>(
  rows: Iterable<T>,
  columns: readonly Column<T>[],
  asJson: boolean,
): Promise<void> {
  await print(asJson ? jsonList(rows) : tableLines(rows, columns));
  if (asJson) await print('\n');
}

/** Prints one object as JSON; lists in it are printed as they are read. */
export const printObject = (fields: Readonly<Record<string, unknown>>): Promise<void> =>
  print(jsonObject(fields));

/** Rows that decide the widths of the columns. */
const SAMPLE = 500;

function* tableLines<T>(rows: Iterable<T>, columns: readonly Column<T>[]): Generator<string> {
  const lines = [columns.map(([heading]) => heading)];
  let widths: readonly number[] | undefined;
  function* takeLines(): Generator<string> {
    widths ??= columns.map((_, i) => Math.max(...lines.map((cells) => cells[i]?.length ?? 0)));
    for (const cells of lines.splice(0)) {
      const padded = cells.map((cell, i) => cell.padEnd(widths?.[i] ?? 0));
      yield `${padded.join('  ').trimEnd()}\n`;
    }
  }
  for (const row of rows) {
    lines.push(columns.map(([, show]) => String(show(row) ?? '')));
    if (widths || lines.length > SAMPLE) yield* takeLines();
  }
  if (!widths && lines.length === 1) yield 'none yet\n';
  else yield* takeLines();
}

function* jsonList(rows: Iterable<unknown>, indent = ''): Generator<string> {
  let separator = '[';
  for (const row of rows) {
    yield `${separator}\n${indent}  ${JSON.stringify(row)}`;
    separator = ',';
  }
  yield separator === '[' ? '[]' : `\n${indent}]`;
}

function* jsonObject(fields: Readonly<Record<string, unknown>>): Generator<string> {
  let separator = '{';
  for (const [name, value] of Object.entries(fields)) {
    yield `${separator}\n  ${JSON.stringify(name)}: `;
    if (isIterable(value)) yield* jsonList(value, '  ');
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

/** Epoch ms as `2026-03-02 14:05:09Z`, or as it is if no Date can hold it; empty for `null`. */
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
