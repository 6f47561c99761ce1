/** The rows of a list that is to be invited, or was: what becomes of each address in it. */
import type { Person, Result } from '../../lib/guest-list.ts';
import { element } from './elements.ts';
import { nameCell } from './guests.ts';
import { createList } from './list.ts';
import { countColumn } from './table.ts';

/** A row of the review. */
export type Line = Omit<Person, 'result'> & { readonly result: Result | 'known' | 'invited' };

/** In the order of the review: problems first. */
export const RESULTS: ReadonlyMap<Line['result'], string> = new Map([
  ['invalid_email', 'Not an email address'],
  ['invalid_first_name', 'Not a first name'],
  ['repeat', 'Listed twice'],
  ['elsewhere', 'In another column, not invited'],
  ['known', 'Already invited'],
  ['guest', 'New'],
  ['invited', 'Invited'],
]);

const ORDER = [...RESULTS.keys()].reverse();

export const showLines = createList<Line>({
  section: '#review',
  sortedBy: 'Result',
  none: '',
  columns: [
    { heading: 'Email', cell: ({ email }) => email, value: ({ email }) => email },
    { heading: 'Result', cell: resultCell, value: ({ result }) => ORDER.indexOf(result) },
    { heading: 'First name', cell: nameCell, value: ({ firstName }) => firstName },
    countColumn('Line', ({ line }) => line),
  ],
});

function resultCell({ result }: Line): HTMLElement {
  const isProblem = ['invalid_email', 'invalid_first_name', 'repeat'].includes(result);
  return element('span', isProblem ? 'failed' : 'quiet', RESULTS.get(result) ?? '');
}
