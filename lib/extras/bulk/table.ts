/** Finds the delimiter of a list, and splits the list into rows. */
import { hasAddress } from './cells.ts';
import { parseRows, type Row } from './rows.ts';

/** In the order of preference. */
const DELIMITERS = ['\t', ';', ','];

/** The delimiter of Markdown tables, and of lists typed by hand. An address may also contain it. */
const PIPE = '|';

/** `sep=;`, which tells Excel the delimiter of the lines below. */
const SEPARATOR_LINE = /^"?sep=(.)"?[^\n]*\n/i;

export type Table = {
  /** Rows that have more than delimiters and dashes. */
  readonly rows: readonly Row[];
  /** How many cells of each column are an address. */
  readonly counts: readonly number[];
  /** Whether each row alone would be split in the same way. */
  readonly isSplitForEachRow: boolean;
  /** Whether the delimiter is a `|`, without a line that says so. */
  readonly hasPipes: boolean;
};

export function readTable(text: string): Table {
  const plain = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const delimiter = SEPARATOR_LINE.exec(plain)?.[1];
  if (delimiter) {
    const split = splitAt(plain.replace(SEPARATOR_LINE, ''), delimiter);
    return toTable(split, { isSplitForEachRow: true, hasPipes: false });
  }
  const content = unquoteRows(plain);
  const piped = splitAtPipes(content);
  if (piped) return toTable(piped, { isSplitForEachRow: true, hasPipes: true });
  const usual = delimitersIn(content);
  const best = chooseSplit(content, usual);
  const isSplitForEachRow = best.rows.length === 1 || usual.length === 1;
  return toTable(best, { isSplitForEachRow, hasPipes: false });
}

const toTable = (
  { rows, counts }: Split,
  how: Pick<Table, 'isSplitForEachRow' | 'hasPipes'>,
): Table => ({ rows: rows.filter(isFilled), counts, ...how });

/**
 * Splits one row by the delimiter that suits it best: `Ada;ada@example.com` in a list with commas.
 */
export function splitRow(text: string): readonly string[] {
  const [best] = chooseSplit(text, delimitersIn(text)).rows;
  return best?.cells ?? [];
}

/** Splits a text by each delimiter, and takes the best split. */
function chooseSplit(text: string, [first = ',', ...others]: readonly string[]): Split {
  let best = splitAt(text, first);
  for (const delimiter of others) {
    const split = splitAt(text, delimiter);
    const isBetter =
      split.addresses > best.addresses ||
      (split.addresses === best.addresses && split.wideRows > best.wideRows);
    if (isBetter) best = split;
  }
  return best;
}

/**
 * Splits a text at each `|`, as in Markdown. A `|` may also be part of an address, or stand between
 * the addresses in a cell.
 *
 * @returns `undefined` if a line has no `|`, if there is no address, or if a cell with an address has
 *   another delimiter too
 */
function splitAtPipes(text: string): Split | undefined {
  if (!text.includes(PIPE)) return undefined;
  const isEverywhere = text.split('\n').every((line) => line.includes(PIPE) || line.trim() === '');
  if (!isEverywhere) return undefined;
  const split = splitAt(text, PIPE);
  const isMixed = split.rows.some(({ cells }) =>
    cells.some((cell) => cell.includes('@') && hasDelimiter(cell)),
  );
  return isMixed || split.addresses === 0 ? undefined : split;
}

/** The delimiters that a text has; a comma without any. */
function delimitersIn(text: string): readonly string[] {
  const present = DELIMITERS.filter((delimiter) => text.includes(delimiter));
  return present.length > 0 ? present : [','];
}

/** A text that was split by one delimiter, and how well the delimiter suits. */
type Split = {
  readonly rows: readonly Row[];
  /** How many cells of each column are an address. */
  readonly counts: readonly number[];
  /** The sum of `counts`. */
  readonly addresses: number;
  /** The number of rows of more than one cell. */
  readonly wideRows: number;
};

function splitAt(text: string, delimiter: string): Split {
  const rows = parseRows(text, delimiter);
  const counts: number[] = [];
  let addresses = 0;
  let wideRows = 0;
  for (const { cells } of rows) {
    if (cells.length > 1) wideRows += 1;
    for (let column = 0; column < cells.length; column += 1) {
      if (!hasAddress(cells[column] ?? '')) continue;
      counts[column] = (counts[column] ?? 0) + 1;
      addresses += 1;
    }
  }
  return { rows, counts, addresses, wideRows };
}

/**
 * Excel may put whole lines into the cells of column A, and save each one as a quoted cell:
 * `"Titre,""Prénom"""`. If most rows are like this and no row has a second cell, their content is
 * read.
 */
function unquoteRows(text: string): string {
  if (!text.trimStart().startsWith('"')) return text;
  for (const outer of delimitersIn(text)) {
    const [first] = parseRows(text, outer, 1);
    if (first === undefined || !isOneCell(first)) continue;
    const rows = parseRows(text, outer);
    const isQuoted = rows.filter(isQuotedLine).length > rows.length / 2;
    if (isQuoted && rows.every(isOneCell)) return joinLines(rows);
  }
  return text;
}

/** The first cell of each row, on the same line as the row. */
function joinLines(rows: readonly Row[]): string {
  let text = '';
  let line = 1;
  for (const row of rows) {
    text += '\n'.repeat(row.line - line) + (row.cells[0] ?? '');
    line = row.line;
  }
  return text;
}

/** Empty cells after the first one do not count. */
const isOneCell = ({ cells }: Row): boolean => cells.slice(1).every((cell) => cell === '');

/** Whether the first cell is quoted as a whole, and contains several cells. */
function isQuotedLine({ text, cells: [first = ''] }: Row): boolean {
  const typed = text.trimStart();
  return typed.startsWith('"') && !typed.startsWith(first) && hasDelimiter(first);
}

const hasDelimiter = (cell: string): boolean =>
  DELIMITERS.some((delimiter) => cell.includes(delimiter));

/** Not `;;`, and not the line below the headings of a table in Markdown: `|---|:--:|`. */
const isFilled = ({ cells }: Row): boolean => cells.some((cell) => /[^\s\p{Cf},;"|:-]/u.test(cell));
