/** Finds the columns of first names and of full names of a list. */
import { givenNameOf } from './first-names.ts';
import type { Heading } from './headings.ts';
import type { Row } from './rows.ts';

/** There is no such column. */
const NONE = -1;

/** Finds the columns of names. A column of the same person as the address comes first. */
export function findNames(headings: readonly Heading[], address: number, below: readonly Row[]) {
  const hasSurname = headings.some(({ kind }) => kind === 'surname');
  const isFirst = ({ kind }: Heading): boolean =>
    kind === 'first' || (kind === 'firstBesideSurname' && hasSurname);
  const isFull = ({ kind }: Heading): boolean =>
    kind === 'full' || (kind === 'firstBesideSurname' && !hasSurname);
  const whose = headings[address]?.whose ?? '';

  const isOfPayer = headings[address]?.isOfPayer ?? false;
  const isForGuest =
    headings[address]?.isOfGuest ||
    headings.some((heading) => heading.kind === 'address' && heading.isOfPayer);
  /** The address of a guest does not belong to the name of the person who paid. */
  const isOfAnother = (heading: Heading): boolean =>
    heading.isOfPayer && !isOfPayer && isForGuest === true;

  function find(isWanted: (heading: Heading) => boolean, isUseful: (cell: string) => boolean) {
    let best = NONE;
    let bestScore = -1;
    for (const [column, heading] of headings.entries()) {
      if (!isWanted(heading) || column === address) continue;
      if (isOfAnother(heading)) continue;
      const isUsed = below.some(({ cells }) => isUseful(cells[column] ?? ''));
      let score = 0;
      if (isUsed) score += 10;
      if (!heading.isSecondary) score += 5;
      if (heading.whose === whose) score += 2;
      else if (heading.whose === '') score += 1;
      if (score <= bestScore) continue;
      best = column;
      bestScore = score;
    }
    return best;
  }

  const firstName = find(isFirst, (cell) => /\p{L}/u.test(cell));
  const fullName = find(isFull, (cell) => givenNameOf(cell) !== '');
  // Next to first names, *Name* may be the surname.
  const isFamily = isSurname(firstName, fullName, below);
  return {
    firstName,
    fullName: isFamily ? NONE : fullName,
    hasSurname: hasSurname || isFamily,
  };
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
