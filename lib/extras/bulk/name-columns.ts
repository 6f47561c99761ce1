/** Finds the columns of first names and of full names of a list. */
import { NONE } from './address-column.ts';
import { givenNameOf } from './first-names.ts';
import type { Heading } from './headings.ts';
import type { Row } from './rows.ts';

/** Finds the columns of names. A column of the same person as the address comes first. */
export function findNames(headings: readonly Heading[], address: number, below: readonly Row[]) {
  const hasSurname = headings.some(({ kind }) => kind === 'surname');
  const isFirst = ({ kind }: Heading): boolean =>
    kind === 'first' || (kind === 'firstBesideSurname' && hasSurname);
  const isFull = ({ kind }: Heading): boolean =>
    kind === 'full' || (kind === 'firstBesideSurname' && !hasSurname);
  const whose = headings[address]?.whose ?? '';
  const mayBePayer = mayHaveNameOfPayer(headings, address);

  function collect(isWanted: (heading: Heading) => boolean, isName: (cell: string) => boolean) {
    const columns: NameColumn[] = [];
    for (const [column, heading] of headings.entries()) {
      if (!isWanted(heading) || column === address) continue;
      if (heading.isOfPayer && !mayBePayer) continue;
      const isUsed = below.some(({ cells }) => isName(cells[column] ?? ''));
      const { isSecondary } = heading;
      columns.push({ column, isUsed, isSecondary, closeness: closenessOf(heading, whose) });
    }
    return columns;
  }

  const firstName = findBest(collect(isFirst, hasLetter));
  const fullName = findBest(collect(isFull, hasGivenName));
  // Next to first names, *Name* may be the surname.
  const isFamily = isSurname(firstName, fullName, below);
  return {
    firstName,
    fullName: isFamily ? NONE : fullName,
    hasSurname: hasSurname || isFamily,
  };
}

/** Whether the name may be that of the person who paid. It does not belong to a guest's address. */
function mayHaveNameOfPayer(headings: readonly Heading[], address: number): boolean {
  const heading = headings[address];
  if (heading?.isOfPayer) return true;
  return !heading?.isOfGuest && !headings.some((each) => each.kind === 'address' && each.isOfPayer);
}

type NameColumn = {
  readonly column: number;
  /** Whether its cells have names. */
  readonly isUsed: boolean;
  readonly isSecondary: boolean;
  /** 2: of the same person as the address; 1: it does not say; 0: of another. */
  readonly closeness: number;
};

function closenessOf(heading: Heading, whose: string): number {
  if (heading.whose === whose) return 2;
  return heading.whose === '' ? 1 : 0;
}

const hasLetter = (cell: string): boolean => /\p{L}/u.test(cell);

const hasGivenName = (cell: string): boolean => givenNameOf(cell) !== '';

/** The best column, of equal ones the leftmost; `NONE` without one. */
function findBest(columns: readonly NameColumn[]): number {
  let best: NameColumn | undefined;
  for (const each of columns) if (!best || isBetter(each, best)) best = each;
  return best?.column ?? NONE;
}

function isBetter(one: NameColumn, other: NameColumn): boolean {
  if (one.isUsed !== other.isUsed) return one.isUsed;
  if (one.isSecondary !== other.isSecondary) return !one.isSecondary;
  return one.closeness > other.closeness;
}

/** Whether *Name* is the surname: its cells do not contain the first name next to them. */
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
