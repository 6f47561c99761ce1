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
      const { isCalled, isSecondary } = heading;
      const closeness = closenessOf(heading, whose);
      columns.push({ column, isUsed, isSecondary, closeness, isCalled });
    }
    return columns.sort(compare);
  }

  const [first, ...others] = collect(isFirst, hasLetter);
  const firstName = first?.column ?? NONE;
  const [full] = collect(isFull, hasGivenName);
  const fullName = full?.column ?? NONE;
  // Next to first names, *Name* may be the surname.
  const isFamily = isSurname(firstName, fullName, below);
  return {
    firstName,
    otherFirstNames: others
      .map(({ column }) => column)
      .filter((column) => mayFillIn(headings[column], headings[firstName])),
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
  readonly isCalled: boolean;
};

function closenessOf(heading: Heading, whose: string): number {
  if (heading.whose === whose) return 2;
  return heading.whose === '' ? 1 : 0;
}

const hasLetter = (cell: string): boolean => /\p{L}/u.test(cell);

const hasGivenName = (cell: string): boolean => givenNameOf(cell) !== '';

/** Sorts the best column first. Equal ones stay in their order. */
function compare(one: NameColumn, other: NameColumn): number {
  if (one.isUsed !== other.isUsed) return one.isUsed ? -1 : 1;
  if (one.isSecondary !== other.isSecondary) return one.isSecondary ? 1 : -1;
  if (one.closeness !== other.closeness) return other.closeness - one.closeness;
  return Number(other.isCalled) - Number(one.isCalled);
}

/** Whether a column has first names of the same people. If two headings are equal, it may not. */
const mayFillIn = (one: Heading | undefined, best: Heading | undefined): boolean =>
  one?.whose === best?.whose && one?.isSecondary === best?.isSecondary && one?.text !== best?.text;

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
