/** Reads tables, and writes them for spreadsheets. Runs in the browser and in the tools. */

/** Tells spreadsheets that a file is UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/** The byte order marks of UTF-16. */
const UTF_16: Readonly<Record<string, string>> = { '255,254': 'utf-16le', '254,255': 'utf-16be' };

/** What a spreadsheet takes for a formula: `=1+1` and `@SUM(A1)`, but not `a=b`. */
const FORMULA = /^[=+\-@\t]/;

/** A CSV file (RFC 4180), headed by the names of its columns. */
export function toCsv<Row extends object>(
  columns: readonly (keyof Row & string)[],
  rows: readonly Row[],
): string {
  const lines = [toLine(columns)];
  for (const row of rows) lines.push(toLine(columns.map((name) => formatValue(name, row[name]))));
  return BYTE_ORDER_MARK + lines.join('');
}

/**
 * A value as lists show it. A number under a name like `invitedAt` is a time, in epoch
 * milliseconds; `null` is empty.
 */
export function formatValue(name: string, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' && name.endsWith('At')) return new Date(value).toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function toLine(texts: readonly string[]): string {
  return `${texts.map((text) => quote(harmless(text))).join(',')}\r\n`;
}

/** Names and addresses come from pasted lists. In a spreadsheet, none may be a formula. */
function harmless(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export type TableRow = {
  /** Where it begins, as an editor counts lines, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
};

/**
 * Reads a table (RFC 4180, and without spaces before a cell). Inside a cell, a quotation mark is a
 * character like others.
 *
 * @returns the rows that are not empty; none if a quotation mark is not closed
 */
export function parseTable(text: string, separator: string): readonly TableRow[] {
  const rows: TableRow[] = [];
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  let line = 1;
  let firstLine = 1;

  function endCell(): void {
    cells.push(cell);
    cell = '';
  }

  function endRow(): void {
    endCell();
    if (cells.some(isFilled)) rows.push({ line: firstLine, cells });
    cells = [];
    firstLine = line;
  }

  const unix = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  for (let i = 0; i < unix.length; i += 1) {
    const char = unix.charAt(i);
    if (char === '\n') line += 1;
    if (isQuoted && char === '"' && unix[i + 1] === '"') {
      cell += char;
      i += 1;
    } else if (char === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted;
    else if (isQuoted) cell += char;
    else if (char === '\n') endRow();
    else if (char === separator) endCell();
    else if (char !== ' ' || cell !== '') cell += char;
  }
  endRow();
  return isQuoted ? [] : rows;
}

export function isFilled(cell: string): boolean {
  return cell.trim() !== '';
}

/** The text of a file in UTF-8, or in UTF-16 with a byte order mark; `undefined` for any other. */
export function decodeFile(bytes: Uint8Array): string | undefined {
  const encoding = UTF_16[bytes.subarray(0, 2).join()] ?? 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
