/** Finds the delimiter of a list, and splits the list into rows. */
import { hasAddress } from './cells.ts';
import { parseRows, type Row } from './rows.ts';

/** In the order of preference. */
const DELIMITERS = ['\t', ';', ','];

/** `sep=;`, which tells Excel the delimiter of the lines below. */
const SEPARATOR_LINE = /^"?sep=(.)"?[^\n]*\n/i;

/** The rows of a list, in which each row has a visible character. */
export function readTable(text: string): readonly Row[] {
  const plain = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const delimiter = SEPARATOR_LINE.exec(plain)?.[1];
  if (delimiter) return filled(parseRows(plain.replace(SEPARATOR_LINE, ''), delimiter));
  return filled(chooseRows(unquoteRows(plain)));
}

/** The cells of a row alone, by the delimiter that suits it best. */
export function splitRow(row: Row): readonly string[] {
  const [best] = chooseRows(row.text);
  return best?.cells ?? [];
}

/** Splits a text by each delimiter, and takes the best split. */
function chooseRows(text: string): readonly Row[] {
  const present = DELIMITERS.filter((delimiter) => text.includes(delimiter));
  const [first = ',', ...others] = present;
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
  for (const outer of DELIMITERS) {
    const rows = parseRows(text, outer);
    const isQuoted = rows.filter(isQuotedLine).length > rows.length / 2;
    if (isQuoted && rows.every(isOneCell))
      return rows.map(({ cells }) => cells[0] ?? '').join('\n');
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
