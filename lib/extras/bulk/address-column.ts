/** Finds the column of addresses in a list by its heading and by its cells. */
import { hasAddress } from './cells.ts';
import type { Heading } from './headings.ts';
import type { Row } from './rows.ts';

/** How many cells of each column are an address. */
export function countAddresses(rows: readonly Row[]): number[] {
  const counts: number[] = [];
  for (const { cells } of rows)
    for (const [column, cell] of cells.entries())
      if (hasAddress(cell)) counts[column] = (counts[column] ?? 0) + 1;
  return counts;
}

export type Choice = {
  readonly column: number;
  /** Whether the heading of the column says that it has addresses. */
  readonly hasHeading: boolean;
  /** Columns that have addresses, but are not read. */
  readonly rivals: readonly number[];
};

/** @param counts how many cells below each heading are an address */
export function chooseAddressColumn(
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
      continue;
    }
    // With two columns of the same person, the first is enough: the second is read where it is
    // empty.
    const isOfSame = heading.whose === other?.whose;
    const hasMore = rank === otherRank && !isOfSame && countOf(column) > countOf(byHeading);
    if (rank < otherRank || hasMore) byHeading = column;
  }
  if (byHeading !== undefined && countOf(byHeading) > 0)
    return { column: byHeading, hasHeading: true, rivals: findRivals(byHeading, headings, counts) };

  const filled = [...counts.keys()].filter((column) => countOf(column) > 0);
  const own = filled.filter((column) => !headings[column]?.isOfOther);
  let most = 0;
  for (const column of own) most = Math.max(most, countOf(column));
  /** A column of notes may have a few addresses, so it has fewer than half of the most. */
  const isColumnOfAddresses = (column: number) => countOf(column) * 2 >= most;
  const leftmost = own.find(isColumnOfAddresses);
  if (leftmost !== undefined) {
    const rivals = filled.filter((column) => column !== leftmost && isColumnOfAddresses(column));
    return { column: leftmost, hasHeading: false, rivals };
  }
  if (byHeading !== undefined) return { column: byHeading, hasHeading: true, rivals: [] };
  // All addresses are of owners, managers and the like.
  const [column, ...rivals] = filled;
  return column === undefined ? undefined : { column, hasHeading: false, rivals };
}

/** Other columns of addresses. Not those of owners and the like, nor notes with a few addresses. */
function findRivals(
  chosen: number,
  headings: readonly Heading[],
  counts: readonly number[],
): readonly number[] {
  const rivals: number[] = [];
  for (const column of counts.keys()) {
    // A column without addresses has no count.
    const count = counts[column] ?? 0;
    const heading = headings[column];
    if (column === chosen || count === 0 || heading?.isOfOther) continue;
    const hasHeading = heading !== undefined && rankOf(heading) !== undefined;
    const isUsual = count > 1 && count * 2 >= (counts[chosen] ?? 0);
    if (hasHeading || isUsual) rivals.push(column);
  }
  return rivals;
}

/** Lower is better; `undefined` if the heading is not that of an address. */
function rankOf(heading: Heading): number | undefined {
  if (heading.isLooseAddress) return heading.isOfGuest ? 2 : 5;
  if (heading.kind !== 'address') return undefined;
  if (heading.isSecondary) return 4;
  if (heading.isOfPayer) return 3;
  return heading.isOfGuest ? 0 : 1;
}
