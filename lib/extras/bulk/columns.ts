/** Finds the header row of a list, and the columns of addresses and names, by the rows below it. */
import { type Choice, chooseAddressColumn, NONE } from './address-column.ts';
import { hasAddress, mentionsAddress, readAddressCell } from './cells.ts';
import { type Heading, readHeading } from './headings.ts';
import { findNames } from './name-columns.ts';
import type { Row } from './rows.ts';
import type { Table } from './table.ts';

/** How many rows may stand above the header row, as in reports of Zoom and Teams. */
const ROWS_ABOVE = 20;

/** A wider row is no header row: no spreadsheet has so many columns. */
const MAX_COLUMNS = 20_000;

/** How many rows are read to decide which column has names. */
const SAMPLE = 100;

export type Header = {
  /** The position of the header row among the rows. */
  readonly at: number;
  readonly headings: readonly Heading[];
  /** The column of addresses; `NONE` if only those of other people hold some. */
  readonly address: number;
  /** Columns of second addresses. They are read where the first address is empty. */
  readonly fillIn: readonly number[];
  /** The columns of first names and of full names; `NONE` without one. */
  readonly firstName: number;
  readonly fullName: number;
  /** Other columns of first names. They are read where the first one has none. */
  readonly otherFirstNames: readonly number[];
  /**
   * Whether surnames have their own column. If not, a column of first names may have full names.
   */
  readonly hasSurname: boolean;
  /** Columns that have addresses, but are not read. */
  readonly rivals: readonly number[];
};

/** A row that may be the header row, and the column of addresses if it is. */
type Candidate = {
  readonly at: number;
  readonly headings: readonly Heading[];
  readonly counts: readonly number[];
  readonly choice: Choice;
  readonly known: number;
};

/** @returns `undefined` if no row has a known heading. Then the first row may be a person too. */
export function findHeader({ rows, counts }: Table): Header | undefined {
  const best = findCandidate(rows, counts);
  if (best === undefined) return undefined;
  const { at, headings, choice } = best;
  const address = choice.column;
  const below = rows.slice(at + 1, at + 1 + SAMPLE);
  const fillIn = findSecondAddresses(best);
  const rivals = choice.rivals.filter(
    (column) => !fillIn.includes(column) && !isCopy(column, address, below),
  );
  return { at, headings, address, fillIn, ...findNames(headings, address, below), rivals };
}

/** Columns with another address of the same person, not of a buyer. */
function findSecondAddresses({ headings, counts, choice }: Candidate): readonly number[] {
  const whose = headings[choice.column]?.whose ?? '';
  const columns: number[] = [];
  for (const [column, heading] of headings.entries()) {
    if (heading.kind !== 'address' || column === choice.column) continue;
    if ((counts[column] ?? 0) === 0 && mayBeOfStreet(heading)) continue;
    const isOfSame = heading.whose === whose || (heading.isSecondary && heading.whose === '');
    if (isOfSame) columns.push(column);
  }
  return columns;
}

/** Whether a heading such as *Adresse* may be that of a street. */
const mayBeOfStreet = ({ text }: Heading): boolean => /add?res/i.test(text) && !/mail/i.test(text);

/** Whether a column repeats the addresses, for example in links. */
const isCopy = (column: number, address: number, below: readonly Row[]): boolean =>
  below.every(({ cells }) => {
    const cell = cells[column] ?? '';
    return !hasAddress(cell) || addressOf(cell) === addressOf(cells[address] ?? '');
  });

const addressOf = (cell: string): string => readAddressCell(cell).address.toLowerCase();

/** @param total how many cells of each column are an address, in all rows */
function findCandidate(rows: readonly Row[], total: readonly number[]): Candidate | undefined {
  /** Of the rows below. */
  const counts = [...total];
  let best: Candidate | undefined;
  /** How many rows with addresses stand between the best candidate and this row. */
  let people = 0;
  for (const [at, { cells }] of rows.slice(0, ROWS_ABOVE).entries()) {
    if (cells.some(hasAddress)) {
      people += 1;
      for (const [column, cell] of cells.entries())
        if (hasAddress(cell)) counts[column] = (counts[column] ?? 0) - 1;
      continue;
    }
    const candidate = readCandidate(at, cells, counts);
    if (candidate === undefined) continue;
    // A later row can only replace it as the header of the same people, not of a second table.
    if (best && (people > 1 || !isAsGood(candidate, best))) continue;
    best = candidate;
    people = 0;
  }
  return best;
}

/** @returns `undefined` if the row is no header row */
function readCandidate(
  at: number,
  cells: readonly string[],
  counts: readonly number[],
): Candidate | undefined {
  if (cells.length > MAX_COLUMNS) return undefined;
  const headings = cells.map(readHeading);
  const choice = chooseAddressColumn(headings, counts);
  if (choice === undefined) return undefined;
  const known = headings.filter(({ kind }) => kind !== undefined).length;
  const isOfOthers = choice.column === NONE && hasHeadingOfOthers(headings, counts);
  if (known === 0 && !choice.hasHeading && !isOfOthers) return undefined;
  // This row is a person: `Ada: my email is ada@example.com`, `EMAIL;HOME:ada@example.com`.
  if (known < 2 && cells.some(mentionsAddress)) return undefined;
  return { at, headings, counts: [...counts], choice, known };
}

/**
 * Whether the heading of a column of addresses names other people: *Company, Owner*, or *Owner email*
 * alone, but not *Partner* alone, which may be a title.
 */
function hasHeadingOfOthers(headings: readonly Heading[], counts: readonly number[]): boolean {
  const isWide = headings.filter(({ text }) => text !== '').length > 1;
  return headings.some(
    ({ isOfOther, hasAddressWord }, column) =>
      isOfOther && (isWide || hasAddressWord) && (counts[column] ?? 0) > 0,
  );
}

/** Whether a later row is as good a header row as an earlier one. */
function isAsGood(one: Candidate, other: Candidate): boolean {
  if (textOf(one) === textOf(other)) return false;
  if (hasPeople(one) !== hasPeople(other)) return hasPeople(one);
  if (one.choice.hasHeading !== other.choice.hasHeading) return one.choice.hasHeading;
  return one.known >= other.known;
}

const textOf = ({ headings }: Candidate): string => headings.map(({ text }) => text).join('\n');

const hasPeople = ({ counts }: Candidate): boolean => counts.some((count) => count > 0);

/** Whether a row repeats the headings, as after two lists were joined. */
export function repeatsHeadings({ headings, address }: Header, cells: readonly string[]): boolean {
  const isEqual = headings.every(({ text }, column) => text === (cells[column] ?? ''));
  if (isEqual) return true;
  const isWide = cells.filter((cell) => cell !== '').length > 1;
  if (!isWide || readHeading(cells[address] ?? '').kind !== 'address') return false;
  return cells.filter((cell) => readHeading(cell).kind !== undefined).length > 1;
}
