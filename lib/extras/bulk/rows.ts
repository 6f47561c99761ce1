/** Splits the text of a list into rows of cells (RFC 4180), whatever the cells mean. */
import { trimInvisible } from '../../addresses/address.ts';

export type Row = {
  /** The number of the row from 1, as a spreadsheet counts. A cell may have several lines. */
  readonly line: number;
  /** As it was typed. */
  readonly text: string;
  /** Trimmed, and without the quotes around them. */
  readonly cells: readonly string[];
};

/**
 * Splits a text with `\n` between its lines. A quote may open a cell after spaces, and text may
 * follow the closing quote: `"Lovelace, Ada" <ada@example.com>`. A quote that is never closed is an
 * ordinary character, so no row gets lost. An empty line is counted, but is not a row.
 *
 * @param limit of the rows
 */
export function parseRows(text: string, delimiter: string, limit = Infinity): readonly Row[] {
  const rows: Row[] = [];
  let at = 0;

  /** Reads a cell, and moves to what ends it: a delimiter, a line break, or the end. */
  function readCell(): string {
    const start = at;
    const open = skipSpaces(text, at, delimiter);
    const close = text[open] === '"' ? findClosingQuote(text, open, delimiter) : -1;
    if (close >= 0) {
      at = skipSpaces(text, close + 1, delimiter);
      if (endsCell(text, at, delimiter))
        return trim(text.slice(open + 1, close).replaceAll('""', '"'));
    }
    while (!endsCell(text, at, delimiter)) at += 1;
    return trim(text.slice(start, at));
  }

  for (let line = 1; at < text.length && rows.length < limit; line += 1) {
    const start = at;
    const lineEnd = findLineEnd(text, at);
    const typed = text.slice(start, lineEnd);
    if (!typed.includes('"')) {
      if (typed !== '') rows.push({ line, text: typed, cells: splitUnquoted(typed, delimiter) });
      at = lineEnd + 1;
      continue;
    }
    const cells = [readCell()];
    while (text[at] === delimiter) {
      at += 1;
      cells.push(readCell());
    }
    rows.push({ line, text: text.slice(start, at), cells });
    // The line break.
    at += 1;
  }
  return rows;
}

function splitUnquoted(line: string, delimiter: string): readonly string[] {
  const cells = line.split(delimiter);
  for (let i = 0; i < cells.length; i += 1) {
    const cell = cells[i] ?? '';
    // In a wide export, most cells are empty.
    if (cell !== '') cells[i] = trim(cell);
  }
  return cells;
}

function findLineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

/** The position of the quote that closes a cell; -1 without one. */
function findClosingQuote(text: string, open: number, delimiter: string): number {
  let at = text.indexOf('"', open + 1);
  // Two quotes mean one.
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  if (at < 0) return -1;
  // If a cell has several lines, its end must be clear. Else the quote belongs to another cell.
  const hasLines = text.slice(open, at).includes('\n');
  const isClear = endsCell(text, skipSpaces(text, at + 1, delimiter), delimiter);
  return isClear || !hasLines ? at : -1;
}

function skipSpaces(text: string, from: number, delimiter: string): number {
  let at = from;
  while ((text[at] === ' ' || text[at] === '\t') && text[at] !== delimiter) at += 1;
  return at;
}

const endsCell = (text: string, at: number, delimiter: string): boolean =>
  at >= text.length || text[at] === delimiter || text[at] === '\n';

/**
 * Whether a cell begins and ends with a visible ASCII character, as most do. It needs no search.
 */
function trim(text: string): string {
  const isTrimmed = isPlain(text.charCodeAt(0)) && isPlain(text.charCodeAt(text.length - 1));
  return text === '' || isTrimmed ? text : trimInvisible(text);
}

const isPlain = (code: number): boolean => code > 0x20 && code < 0x7f;
