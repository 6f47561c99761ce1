/** Finds the column of addresses in a list by its heading and by its cells. */
import type { Heading } from './headings.ts';

/** No such column. */
export const NONE = -1;

export type Choice = {
  /** `NONE` if only columns of owners, managers and the like hold addresses. */
  readonly column: number;
  /** Whether the heading of the column says that it has addresses. */
  readonly hasHeading: boolean;
  /** Columns that have addresses, but are not read. */
  readonly rivals: readonly number[];
};

type Column = {
  readonly at: number;
  readonly heading: Heading | undefined;
  /** How many of its cells are an address. */
  readonly count: number;
};

/**
 * @param counts how many cells below each heading are an address
 * @returns `undefined` without an address and without a heading of one
 */
export function chooseAddressColumn(
  headings: readonly Heading[],
  counts: readonly number[],
): Choice | undefined {
  const columns: Column[] = [];
  for (let at = 0; at < Math.max(headings.length, counts.length); at += 1)
    columns.push({ at, heading: headings[at], count: counts[at] ?? 0 });
  const filled = columns.filter(({ count }) => count > 0);

  const named = findByHeading(columns);
  if (named && named.count > 0)
    return { column: named.at, hasHeading: true, rivals: rivalsOfNamed(named, filled) };

  const own = filled.filter(({ heading }) => !heading?.isOfOther);
  let most = 0;
  for (const { count } of own) most = Math.max(most, count);
  /** A column of notes may have a few addresses, so it has fewer than half of the most. */
  const isOfAddresses = ({ count }: Column) => count * 2 >= most;
  const leftmost = own.find(isOfAddresses);
  if (leftmost) {
    const rivals = filled.filter((column) => column !== leftmost && isOfAddresses(column));
    return { column: leftmost.at, hasHeading: false, rivals: rivals.map(({ at }) => at) };
  }

  if (named) return { column: named.at, hasHeading: true, rivals: [] };
  return filled.length > 0 ? { column: NONE, hasHeading: false, rivals: [] } : undefined;
}

/** The best column whose own heading is that of an address. */
function findByHeading(columns: readonly Column[]): Column | undefined {
  let best: Column | undefined;
  for (const column of columns)
    if (rankOf(column.heading) !== NO_RANK && (!best || isBetter(column, best))) best = column;
  return best;
}

function isBetter(one: Column, best: Column): boolean {
  const isFilled = one.count > 0;
  if (isFilled !== best.count > 0) return isFilled;
  const rank = rankOf(one.heading);
  const bestRank = rankOf(best.heading);
  if (rank !== bestRank) return rank < bestRank;
  // With two columns of the same person, the first is enough: the second is read where it is empty.
  return one.heading?.whose !== best.heading?.whose && one.count > best.count;
}

/** Other columns of addresses. Not those of owners and the like, nor notes with a few addresses. */
function rivalsOfNamed(named: Column, filled: readonly Column[]): readonly number[] {
  const rivals: number[] = [];
  for (const column of filled) {
    const { at, heading, count } = column;
    if (column === named || heading?.isOfOther) continue;
    const isUsual = count > 1 && count * 2 >= named.count;
    if (isUsual || rankOf(heading) !== NO_RANK) rivals.push(at);
  }
  return rivals;
}

/** Of a heading that is not that of a guest's address. */
const NO_RANK = Infinity;

/** How well a heading suits the addresses of guests; lower is better. */
function rankOf(heading: Heading | undefined): number {
  if (!heading || heading.isOfOther) return NO_RANK;
  if (heading.kind === 'address') {
    if (heading.isSecondary) return 4;
    if (heading.isOfPayer) return 3;
    return heading.isOfGuest ? 0 : 1;
  }
  // Such as *Email for the invitation*.
  const isLoose = heading.kind === undefined && heading.hasAddressWord;
  if (!isLoose) return NO_RANK;
  return heading.isOfGuest ? 2 : 5;
}
