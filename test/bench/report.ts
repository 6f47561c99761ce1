/** Words and tables of a run, and their place in `docs/performance.md`. */
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../../lib/config.ts';

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

const BEGIN = '<!-- bench: begin (npm run bench writes what is between these two lines) -->';
const END = '<!-- bench: end -->';

const file = path.join(root, 'docs', 'performance.md');

/** Replaces the text between the marks, and keeps the text around them. */
export function writeReport(text: string): void {
  const page = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '# Performance\n';
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  const marked = `${BEGIN}\n\n${text.trim()}\n\n${END}`;
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(
    file,
    begin < 0 || end < begin
      ? `${page.trimEnd()}\n\n${marked}\n`
      : page.slice(0, begin) + marked + page.slice(end + END.length),
  );
}
