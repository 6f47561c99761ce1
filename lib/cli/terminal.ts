/** Prints tables and JSON. */

import { readableEmail } from '../addresses/normalize.ts';
import { type Columns, isTimeColumn } from '../lists.ts';
import { visible } from '../visible.ts';
import type { Call } from './tool.ts';

/** Prints an outcome: a text, or its fields as JSON. */
export const printOutcome = (call: Call, text: string, fields: object): void =>
  call.write(`${call.json ? JSON.stringify(fields) : text.trimEnd()}\n`);

/** Prints rows: as JSON with all fields, in a format of the tool, or as a table of `shown`. */
export function printList<Row extends object>(
  call: Call,
  columns: Columns<Row>,
  rows: readonly Row[],
  shown = columns,
  none?: string,
): void {
  if (call.json) call.write(toJson(rows));
  else if (call.format) call.write(call.format(columns, rows));
  else call.write(toTable(shown, rows, none));
}

/** Rows as a table, headed by the fields' names. */
export function toTable<Row extends object>(
  columns: Columns<Row>,
  rows: readonly Row[],
  none = 'none yet',
): string {
  if (rows.length === 0) return `${none}\n`;
  const lines = [columns.map(toWords)];
  for (const row of rows) lines.push(columns.map((name) => visible(toCell(name, row[name]))));
  const widths = columns.map((_, i) =>
    lines.reduce((most, cells) => Math.max(most, cells[i]?.length ?? 0), 0),
  );
  const padded = lines.map((cells) => cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)));
  return padded.map((cells) => `${cells.join('  ').trimEnd()}\n`).join('');
}

/** Fields whose names are not the words that people use. */
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
const toWords = (name: string): string =>
  WORDS[name] ??
  name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll('_', ' ');

/** Formats times in UTC, addresses with a readable domain, and nested fields by name. */
function toCell(name: string, value: unknown): string {
  if (typeof value === 'string') return readableEmail(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return isTimeColumn(name) ? utc(value) : String(value);
  const fields = Object.entries(value ?? {});
  return fields.map(([name, each]) => `${toWords(name)} ${toCell(name, each)}`).join(', ');
}

/** Epoch ms as `2026-03-02 14:05:09Z`, or unchanged if no Date can hold it. */
const utc = (ms: number): string =>
  new Date(ms).toJSON()?.replace(/T(.{8}).*/, ' $1Z') ?? String(ms);

/** Rows as JSON, one a line. */
export const toJson = (rows: readonly object[]): string =>
  rows.length === 0
    ? '[]\n'
    : `[\n${rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n')}\n]\n`;

/** A count with its noun: `1 session`, `2 sessions`. */
export const plural = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;
