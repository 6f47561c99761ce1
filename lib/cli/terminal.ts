/** Prints tables and JSON. */
import { readableEmail } from '../addresses/normalize.ts';
import { type Columns, isTimeColumn } from '../lists.ts';
import { visible } from '../visible.ts';
import type { Call } from './tool.ts';

/** Prints an outcome: a text, or its fields as JSON. */
export function printOutcome(call: Call, text: string, fields: object): void {
  call.write(`${call.json ? JSON.stringify(fields) : text.trimEnd()}\n`);
}

/**
 * Prints rows: as JSON with all fields, in a format of the tool, or as a table of `shown`.
 *
 * @param none in place of a table without a row: `no joins yet`
 */
export function printList<Row extends object>(
  call: Call,
  none: string,
  columns: Columns<Row>,
  rows: readonly Row[],
  shown: Columns<Row> = columns,
): void {
  if (call.json) call.write(toJson(rows));
  else if (call.format) call.write(call.format(columns, rows));
  else call.write(toTable(none, shown, rows));
}

/** Rows as a table, headed by the fields' names. @param none what to print without a row */
export function toTable<Row extends object>(
  none: string,
  columns: Columns<Row>,
  rows: readonly Row[],
): string {
  if (rows.length === 0) return `${none}\n`;
  const lines: string[][] = [columns.map(toWords)];
  for (const row of rows) lines.push(columns.map((name) => visible(toTableCell(name, row[name]))));

  const widths: number[] = columns.map(() => 0);
  for (const cells of lines)
    for (const [i, cell] of cells.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);

  let table = '';
  for (const cells of lines) {
    const padded = cells.map((cell, i) => cell.padEnd(widths[i] ?? 0));
    table += `${padded.join('  ').trimEnd()}\n`;
  }
  return table;
}

/** Words for the fields whose own names would be unclear. */
const WORDS: Readonly<Record<string, string>> = {
  isAdmin: 'admin',
  firstAt: 'first join',
  lastAt: 'last join',
  timelineViews: 'views',
  joinClicks: 'joins',
  clicks: 'joins',
  users: 'people',
  clickedAt: 'joined at',
};

/** The name of a field as words: `firstName` as `first name`. */
function toWords(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return WORDS[name] ?? words.replaceAll('_', ' ');
}

/** Formats times in UTC, addresses with a readable domain, and nested fields by name. */
function toTableCell(name: string, value: unknown): string {
  if (typeof value === 'string') return readableEmail(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return isTimeColumn(name) ? toUtc(value) : String(value);
  const fields: string[] = [];
  for (const [field, each] of Object.entries(value ?? {}))
    fields.push(`${toWords(field)} ${toTableCell(field, each)}`);
  return fields.join(', ');
}

/** Epoch ms as `2026-03-02 14:05:09Z`, or unchanged if no Date can hold it. */
function toUtc(ms: number): string {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) return String(ms);
  return date.toISOString().replace(/T(.{8}).*/, ' $1Z');
}

/** Rows as JSON, one a line. */
export function toJson(rows: readonly object[]): string {
  if (rows.length === 0) return '[]\n';
  const lines = rows.map((row) => `  ${JSON.stringify(row)}`);
  return `[\n${lines.join(',\n')}\n]\n`;
}

/** A count with its noun: `1 session`, `2 sessions`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
