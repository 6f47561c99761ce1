/** Words and tables of a run, and their place in the documents. */
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../../lib/config.ts';
import type { Figures } from './aims.ts';

/** Cells of one line; the first is a name, the others are figures. */
export type Line = readonly string[];

export const heading = (text: string): string => `\n### ${text}\n\n`;

/** A Markdown table. */
export function table(columns: Line, lines: readonly Line[]): string {
  const all = [columns, ...lines];
  const widths = columns.map((_, i) => Math.max(3, ...all.map((line) => line[i]?.length ?? 0)));
  const row = (line: Line) =>
    `| ${widths.map((width, i) => (i === 0 ? line[i]?.padEnd(width) : line[i]?.padStart(width))).join(' | ')} |\n`;
  const rule = `|${widths.map((width, i) => (i === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|\n`;
  return row(columns) + rule + lines.map(row).join('');
}

/** With separators of thousands. */
export const number = (value: number): string => Math.round(value).toLocaleString('en-GB');

/** µs as ms with three significant digits. */
export const ms = (us: number): string => {
  const value = us / 1000;
  return `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ms`;
};

/** What a part of the bench has found. */
export type Report = { readonly text: string; readonly figures: Partial<Figures> };

/** Replaces the text between the marks `<!-- name: begin … -->` and `<!-- name: end -->` of a document. */
export function writeBetween(document: string, name: string, text: string): void {
  const file = path.join(root, document);
  const marks = new RegExp(`(<!-- ${name}: begin.*-->\n)[^]*(<!-- ${name}: end -->)`);
  const page = fs.readFileSync(file, 'utf8');
  if (!marks.test(page)) throw new Error(`${document} has no marks for ${name}`);
  fs.writeFileSync(
    file,
    page.replace(marks, (_, begin, end) => `${begin}\n${text.trim()}\n\n${end}`),
  );
}
