/** Finds the header row of a list, and the columns of addresses and names, by the rows below it. */
import { type Choice, chooseAddressColumn, countAddresses } from './address-column.ts';
import { hasAddress, mentionsAddress, readAddressCell } from './cells.ts';
import { type Heading, readHeading } from './headings.ts';
import { findNames } from './name-columns.ts';
import type { Row } from './rows.ts';

/** How many rows may stand above the header row, as in reports of Zoom and Teams. */
const ROWS_ABOVE = 20;

/** How many rows are read to decide which column has names. */
const SAMPLE = 100;

export type Header = {
  /** The position of the header row among the rows. */
  readonly at: number;
  readonly headings: readonly Heading[];
  /** The column of addresses. */
  readonly address: number;
  /** Columns of second addresses. They are read where the first address is empty. */
  readonly fillIn: readonly number[];
  /** The columns of first names and of full names; -1 without one. */
  readonly firstName: number;
  readonly fullName: number;
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
export function findHeader(rows: readonly Row[]): Header | undefined {
  const best = findCandidate(rows);
  if (best === undefined) return undefined;
  const { at, headings, counts, choice } = best;
  const below = rows.slice(at + 1, at + 1 + SAMPLE);
  const whose = headings[choice.column]?.whose ?? '';
  /** Another address of the same person, not of a buyer. */
  const isSecond = (heading: Heading, column: number): boolean => {
    if (heading.kind !== 'address' || column === choice.column) return false;
    if ((counts[column] ?? 0) === 0 && mayBeOfStreet(heading)) return false;
    return heading.whose === whose || (heading.isSecondary && heading.whose === '');
  };
  /** A column may repeat the addresses, for example in links. */
  const isCopy = (column: number): boolean =>
    below.every(({ cells }) => {
      const cell = cells[column] ?? '';
      return !hasAddress(cell) || addressOf(cell) === addressOf(cells[choice.column] ?? '');
    });
  const fillIn: number[] = [];
  for (const [column, heading] of headings.entries())
    if (isSecond(heading, column)) fillIn.push(column);
  return {
    at,
    headings,
    address: choice.column,
    fillIn,
    ...findNames(headings, choice.column, below),
    rivals: choice.rivals.filter((column) => !fillIn.includes(column) && !isCopy(column)),
  };
}

/** Whether a heading such as *Adresse* may be that of a street. */
const mayBeOfStreet = ({ text }: Heading): boolean => /add?res/i.test(text) && !/mail/i.test(text);

const addressOf = (cell: string): string => readAddressCell(cell).address.toLowerCase();

function findCandidate(rows: readonly Row[]): Candidate | undefined {
  const counts = countAddresses(rows);
  let best: Candidate | undefined;
  /** How many rows with addresses stand between the best candidate and this row. */
  let people = 0;
  for (const [at, { cells }] of rows.slice(0, ROWS_ABOVE).entries()) {
    const holders = cells.map((cell) => hasAddress(cell));
    if (holders.includes(true)) {
      people += 1;
      for (const [column, isHolder] of holders.entries())
        if (isHolder) counts[column] = (counts[column] ?? 0) - 1;
      continue;
    }
    if (best && cells.join('\n') === best.headings.map(({ text }) => text).join('\n')) continue;
    const headings = cells.map((cell) => readHeading(cell));
    const known = headings.filter(({ kind }) => kind !== undefined).length;
    const choice = chooseAddressColumn(headings, counts);
    const hasHeading = known > 0 || choice?.hasHeading;
    if (!choice || !hasHeading) continue;
    // This row is a person: `Ada: my email is ada@example.com`, `EMAIL;HOME:ada@example.com`.
    if (known < 2 && cells.some(mentionsAddress)) continue;
    const candidate = { at, headings, counts: [...counts], choice, known };
    // A later row can only replace it as the header of the same people, not of a second table.
    if (best && (people > 1 || !isAsGood(candidate, best))) continue;
    best = candidate;
    people = 0;
  }
  return best;
}

/** Whether a later row is as good a header row as an earlier one. */
function isAsGood(one: Candidate, other: Candidate): boolean {
  const hasPeople = ({ counts }: Candidate) => counts.some((count) => count > 0);
  if (hasPeople(one) !== hasPeople(other)) return hasPeople(one);
  if (one.choice.hasHeading !== other.choice.hasHeading) return one.choice.hasHeading;
  return one.known >= other.known;
}

/** Whether a row repeats the headings, as after two lists were joined. */
export function repeatsHeadings({ headings, address }: Header, cells: readonly string[]): boolean {
  const isEqual = headings.every(({ text }, column) => text === (cells[column] ?? ''));
  if (isEqual) return true;
  const isWide = cells.filter((cell) => cell !== '').length > 1;
  if (!isWide || readHeading(cells[address] ?? '').kind !== 'address') return false;
  return cells.filter((cell) => readHeading(cell).kind !== undefined).length > 1;
}
