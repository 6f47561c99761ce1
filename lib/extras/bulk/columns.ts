/** Finds the header row of a list, and the columns of addresses and names, by what is below it. */
import { hasAddress } from './cells.ts';
import { givenNameOf } from './first-names.ts';
import { type Heading, readHeading } from './headings.ts';
import type { Row } from './rows.ts';

/** How many filled rows may stand above the data, as in reports of Zoom and Teams. */
const ROWS_ABOVE = 20;

/** How many rows decide which column has names. */
const SAMPLE = 100;

/** No such column. */
const NONE = -1;

export type Header = {
  /** The position of the header row among the rows. */
  readonly at: number;
  readonly headings: readonly Heading[];
  /** The column of addresses. */
  readonly address: number;
  /** Columns of second addresses, which fill in where the first is empty. */
  readonly fillIn: readonly number[];
  /** The columns of first names and of full names; -1 without one. */
  readonly firstName: number;
  readonly fullName: number;
  /** Columns with as good a claim to be that of the addresses, which was chosen as the leftmost. */
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

/** @returns `undefined` if no row has a known heading: then every row may be a person */
export function findHeader(rows: readonly Row[]): Header | undefined {
  const best = findCandidate(rows);
  if (best === undefined) return undefined;
  const { at, headings, choice } = best;
  const below = rows.slice(at + 1, at + 1 + SAMPLE);
  const whose = headings[choice.column]?.whose ?? '';
  /** An address of the same person: that of a buyer is none. */
  const isSecond = (heading: Heading, column: number): boolean => {
    if (heading.kind !== 'address' || column === choice.column) return false;
    return heading.whose === whose || (heading.isSecondary && heading.whose === '');
  };
  return {
    at,
    headings,
    address: choice.column,
    fillIn: headings.flatMap((heading, column) => (isSecond(heading, column) ? column : [])),
    ...findNames(headings, choice.column, below),
    rivals: choice.rivals,
  };
}

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
    const candidate = { at, headings, counts: [...counts], choice, known };
    // A later one is better only as the header of the same people, not of a second table.
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

/** Whether a row has headings again, as where two lists were joined. */
export function repeatsHeadings({ headings, address }: Header, cells: readonly string[]): boolean {
  if (readHeading(cells[address] ?? '').kind !== 'address') return false;
  const isEqual = headings.every(({ text }, column) => text === (cells[column] ?? ''));
  return isEqual || cells.filter((cell) => readHeading(cell).kind !== undefined).length > 1;
}

/** How many cells of each column are an address. */
function countAddresses(rows: readonly Row[]): number[] {
  const counts: number[] = [];
  for (const { cells } of rows)
    for (const [column, cell] of cells.entries())
      if (hasAddress(cell)) counts[column] = (counts[column] ?? 0) + 1;
  return counts;
}

type Choice = {
  readonly column: number;
  /** Whether its own heading says that it has addresses. */
  readonly hasHeading: boolean;
  readonly rivals: readonly number[];
};

/** @param counts of the cells below that are an address, by column */
function chooseAddressColumn(
  headings: readonly Heading[],
  counts: readonly number[],
): Choice | undefined {
  const countOf = (column: number) => counts[column] ?? 0;
  let byHeading: number | undefined;
  for (const [column, heading] of headings.entries()) {
    const rank = rankOf(heading);
    if (rank === undefined) continue;
    if (byHeading === undefined) {
      byHeading = column;
      continue;
    }
    const other = headings[byHeading];
    const otherRank = (other && rankOf(other)) ?? 0;
    const isFilled = countOf(column) > 0;
    const isOtherFilled = countOf(byHeading) > 0;
    if (isFilled !== isOtherFilled) {
      if (isFilled) byHeading = column;
    } else if (rank < otherRank || (rank === otherRank && countOf(column) > countOf(byHeading)))
      byHeading = column;
  }
  if (byHeading !== undefined && countOf(byHeading) > 0)
    return { column: byHeading, hasHeading: true, rivals: [] };

  const filled = [...counts.keys()].filter((column) => countOf(column) > 0);
  const own = filled.filter((column) => !headings[column]?.isOfOther);
  let most = 0;
  for (const column of own) most = Math.max(most, countOf(column));
  /** A column of notes may hold a few addresses. */
  const isColumnOfAddresses = (column: number) => countOf(column) * 2 >= most;
  const leftmost = own.find(isColumnOfAddresses);
  if (leftmost !== undefined) {
    const rivals = filled.filter((column) => column !== leftmost && isColumnOfAddresses(column));
    return { column: leftmost, hasHeading: false, rivals };
  }
  if (byHeading !== undefined) return { column: byHeading, hasHeading: true, rivals: [] };
  // Only addresses of owners, managers and the like.
  const [column, ...rivals] = filled;
  return column === undefined ? undefined : { column, hasHeading: false, rivals };
}

/** Lower is better; `undefined` if the heading is not that of an address. */
function rankOf(heading: Heading): number | undefined {
  if (heading.isLooseAddress) return 4;
  if (heading.kind !== 'address') return undefined;
  if (heading.isSecondary) return 3;
  if (heading.isOfPayer) return 2;
  return heading.isOfGuest ? 0 : 1;
}

/** The columns of names. Those of the same person as the address come first. */
function findNames(headings: readonly Heading[], address: number, below: readonly Row[]) {
  const hasSurname = headings.some(({ kind }) => kind === 'surname');
  const isFirst = ({ kind }: Heading): boolean =>
    kind === 'first' || (kind === 'firstBesideSurname' && hasSurname);
  const isFull = ({ kind }: Heading): boolean =>
    kind === 'full' || (kind === 'firstBesideSurname' && !hasSurname);
  const whose = headings[address]?.whose ?? '';

  function find(isWanted: (heading: Heading) => boolean, isUseful: (cell: string) => boolean) {
    let best = NONE;
    let bestScore = -1;
    for (const [column, heading] of headings.entries()) {
      if (!isWanted(heading) || column === address) continue;
      const isUsed = below.some(({ cells }) => isUseful(cells[column] ?? ''));
      const isSame = heading.whose === whose ? 2 : heading.whose === '' ? 1 : 0;
      const score = (isUsed ? 10 : 0) + (heading.isSecondary ? 0 : 5) + isSame;
      if (score <= bestScore) continue;
      best = column;
      bestScore = score;
    }
    return best;
  }

  const firstName = find(isFirst, (cell) => /\p{L}/u.test(cell));
  const fullName = find(isFull, (cell) => givenNameOf(cell) !== '');
  return { firstName, fullName: isSurname(firstName, fullName, below) ? NONE : fullName };
}

/** Whether *Name* is that of the family: beside a first name, it does not contain that. */
function isSurname(firstName: number, fullName: number, below: readonly Row[]): boolean {
  let both = 0;
  let containing = 0;
  for (const { cells } of below) {
    const first = cells[firstName] ?? '';
    const full = cells[fullName] ?? '';
    if (first === '' || full === '') continue;
    both += 1;
    if (full.includes(first)) containing += 1;
  }
  return both > 0 && containing * 2 < both;
}
