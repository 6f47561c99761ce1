/** Prints tables, JSON and CSV while they are made, so that a slow reader costs no memory. */
import * as csv from '../csv.ts';
import type { DeviceShare, ListPage } from '../records.ts';
import { readableEmail } from '../store/normalize.ts';
import { type PageQuery, readAllPages } from '../store/paging.ts';
import { type Filter, readFilter, readLimit } from './arguments.ts';
import type { Shell } from './shell.ts';
import { readStore, type ToolReaders } from './store.ts';
import type { Call } from './tool.ts';

/** Characters written at a time. */
const CHUNK_LENGTH = 1 << 16;

/** Rows that determine the widths of the columns. */
const WIDTH_ROWS = 500;

/** Prints texts while they are produced. Blocks while the reader is slow. */
export function print({ write }: Shell, texts: Iterable<string>): void {
  let chunk = '';
  for (const text of texts) {
    chunk += text;
    if (chunk.length < CHUNK_LENGTH) continue;
    write(chunk);
    chunk = '';
  }
  write(chunk);
}

/** Prints an outcome: a text, or its fields as JSON. */
export const printOutcome = (call: Call, text: string, fields: object): void =>
  call.write(`${call.json ? JSON.stringify(fields) : text}\n`);

/** Prints rows while they are read: as CSV, as JSON with all fields, or as a table of `shown`. */
export const printList = <Row extends object>(
  call: Call,
  columns: csv.Columns<Row>,
  read: (readers: ToolReaders) => Iterable<Row | undefined>,
  shown = columns,
): void => {
  const limit = readLimit(call);
  readStore(call, (readers) => {
    const rows = takeRows(read(readers), limit);
    if (call.json) print(call, jsonLines(rows));
    else if (call.flag('csv')) print(call, csv.csvLines(columns, rows));
    else print(call, tableLines(shown, rows));
  });
};

/** Up to `limit` rows of a list that pauses. */
export function* takeRows<Row>(rows: Iterable<Row | undefined>, limit = Infinity): Generator<Row> {
  let left = limit;
  for (const row of rows) {
    if (row === undefined) continue;
    yield row;
    left -= 1;
    if (left === 0) return;
  }
}

/** Prints a list that is read in pages, with the filter of the call. */
export function printPages<Row extends object, Position>(
  call: Call,
  columns: csv.Columns<Row>,
  listOf: (
    readers: ToolReaders,
  ) => (query: Filter & PageQuery<Position>) => ListPage<Row, Position>,
): void {
  const filter = readFilter(call);
  printList(call, columns, (readers) => readAllPages(listOf(readers), filter));
}

/** Prints numbers: a table for each heading, or `fields` as JSON. */
export function printCounts(
  call: Call,
  tables: Readonly<Record<string, readonly DeviceShare[]>>,
  fields: object = tables,
): void {
  const texts = Object.entries(tables).map(([heading, counts]) => {
    const rows = counts.map(({ name, count }) => ({ [heading]: name, count }));
    return [...tableLines([heading, 'count'], rows)].join('');
  });
  printOutcome(call, texts.join('\n').trimEnd(), fields);
}

/** Rows as a table, headed by the fields' names. */
export function* tableLines<Row extends object>(
  columns: csv.Columns<Row>,
  rows: Iterable<Row>,
): Generator<string> {
  const lines = [columns.map(toWords)];
  let widths: readonly number[] | undefined;
  const takeLines = (): string => {
    widths ??= columns.map((_, i) => Math.max(...lines.map((cells) => cells[i]?.length ?? 0)));
    const padded = lines
      .splice(0)
      .map((cells) => cells.map((cell, i) => cell.padEnd(widths?.[i] ?? 0)));
    return padded.map((cells) => `${cells.join('  ').trimEnd()}\n`).join('');
  };
  for (const row of rows) {
    lines.push(columns.map((name) => toCell(name, row[name])));
    if (widths || lines.length > WIDTH_ROWS) yield takeLines();
  }
  yield !widths && lines.length === 1 ? 'none yet\n' : takeLines();
}

/** The name of a field as words: `firstName` as `first name`. */
const toWords = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll('_', ' ');

/** Formats times in UTC, addresses with a readable domain, and nested fields by name. */
function toCell(name: string, value: unknown): string {
  if (typeof value === 'string') return readableEmail(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return csv.isTimeColumn(name) ? utc(value) : String(value);
  const fields = Object.entries(value ?? {});
  return fields.map(([name, each]) => `${toWords(name)} ${toCell(name, each)}`).join(', ');
}

/** Epoch ms as `2026-03-02 14:05:09Z`, or unchanged if no Date can hold it. */
const utc = (ms: number): string =>
  new Date(ms).toJSON()?.replace(/T(.{8}).*/, ' $1Z') ?? String(ms);

/** Rows as JSON, one a line. */
export function* jsonLines(rows: Iterable<object>): Generator<string> {
  let separator = '[';
  for (const row of rows) {
    yield `${separator}\n  ${JSON.stringify(row)}`;
    separator = ',';
  }
  yield separator === '[' ? '[]\n' : '\n]\n';
}

/** A count with its noun: `1 session`, `2 sessions`. */
export const plural = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;
