/** Finds the delimiter of a list, and splits the list into rows. */
import { hasAddress } from './cells.ts';
import { parseRows, type Row } from './rows.ts';

/** In the order of preference. */
const DELIMITERS = ['\t', ';', ','];

/** `sep=;`, which tells Excel the delimiter of the lines below. */
const SEPARATOR_LINE = /^"?sep=(.)"?[^\n]*\n/i;

export type Table = {
  /** Each row has a visible character. */
  readonly rows: readonly Row[];
  /** Whether a row alone would be split in the same way. */
  readonly isSplitForEachRow: boolean;
};

export function readTable(text: string): Table {
  const plain = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const delimiter = SEPARATOR_LINE.exec(plain)?.[1];
  if (delimiter) {
    const rows = filled(parseRows(plain.replace(SEPARATOR_LINE, ''), delimiter));
    return { rows, isSplitForEachRow: true };
  }
  const content = unquoteRows(plain);
  const rows = filled(chooseRows(content));
  return { rows, isSplitForEachRow: rows.length === 1 || delimitersIn(content).length === 1 };
}

/** Splits a row alone by the delimiter that suits it best: `Ada;ada@example.com` among commas. */
export function splitRow(text: string): readonly string[] {
  const [best] = chooseRows(text);
  return best?.cells ?? [];
}

/** Splits a text by each delimiter, and takes the best split. */
function chooseRows(text: string): readonly Row[] {
  const [first = ',', ...others] = delimitersIn(text);
  let best = parseRows(text, first);
  if (others.length === 0) return best;
  let bestScore = scoreOf(best);
  for (const delimiter of others) {
    const rows = parseRows(text, delimiter);
    const score = scoreOf(rows);
    const isBetter =
      score.addresses > bestScore.addresses ||
      (score.addresses === bestScore.addresses && score.wideRows > bestScore.wideRows);
    if (!isBetter) continue;
    best = rows;
    bestScore = score;
  }
  return best;
}

/** The delimiters that a text has; a comma without any. */
function delimitersIn(text: string): readonly string[] {
  const present = DELIMITERS.filter((delimiter) => text.includes(delimiter));
  return present.length > 0 ? present : [','];
}

/** How well a split suits: cells that are one address, and rows of more than one filled cell. */
type Score = {
  readonly addresses: number;
  readonly wideRows: number;
};

function scoreOf(rows: readonly Row[]): Score {
  let addresses = 0;
  let wideRows = 0;
  for (const { cells } of rows) {
    for (const cell of cells) if (hasAddress(cell)) addresses += 1;
    if (cells.length > 1) wideRows += 1;
  }
  return { addresses, wideRows };
}

/**
 * Excel may put whole lines into the cells of column A, and save each as one quoted cell:
 * `"Titre,""Prénom"""`. Where most rows are so and no row has a second cell, their content is read.
 */
function unquoteRows(text: string): string {
  if (!text.trimStart().startsWith('"')) return text;
  for (const outer of delimitersIn(text)) {
    const rows = parseRows(text, outer);
    const isQuoted = rows.filter(isQuotedLine).length > rows.length / 2;
    if (isQuoted && rows.every(isOneCell)) return joinLines(rows);
  }
  return text;
}

/** The first cell of each row, on the line where the row is. */
function joinLines(rows: readonly Row[]): string {
  let text = '';
  let line = 1;
  for (const row of rows) {
    text += '\n'.repeat(row.line - line) + (row.cells[0] ?? '');
    line = row.line;
  }
  return text;
}

/** Empty cells behind the first one do not count. */
const isOneCell = ({ cells }: Row): boolean => cells.slice(1).every((cell) => cell === '');

/** Whether the first cell is in quotes as a whole, and has several cells inside. */
function isQuotedLine({ text, cells: [first = ''] }: Row): boolean {
  const typed = text.trimStart();
  return typed.startsWith('"') && !typed.startsWith(first) && hasDelimiter(first);
}

const hasDelimiter = (cell: string): boolean =>
  DELIMITERS.some((delimiter) => cell.includes(delimiter));

const filled = (rows: readonly Row[]): readonly Row[] =>
  rows.filter(({ cells }) => cells.some((cell) => /[^\s\p{Cf},;"]/u.test(cell)));
