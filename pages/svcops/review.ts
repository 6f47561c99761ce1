/** The rows of a list that is to be invited, or was: who is in it, and what is wrong. */
import type { Guests } from '../../lib/guest-list.ts';
import { element } from './elements.ts';
import { describeShown, nameCell } from './guests.ts';
import { createList } from './list.ts';
import { countColumn } from './table.ts';

/** A row of the review. */
export type Line = {
  readonly line: number;
  readonly email: string;
  readonly firstName: string | null;
  readonly result: string;
  readonly isProblem: boolean;
};

export const REASONS = {
  invalid_email: 'Not an email address',
  invalid_first_name: 'Not a first name',
};

/** Shows rows, problems first. */
export const showLines = createList<Line>({
  section: '#review',
  sortedBy: 'Result',
  describe: describeShown,
  columns: [
    { heading: 'Email', cell: ({ email }) => email, value: ({ email }) => email },
    { heading: 'Result', cell: resultCell, value: ({ isProblem }) => Number(isProblem) },
    { heading: 'First name', cell: nameCell, value: ({ firstName }) => firstName },
    countColumn('Line', ({ line }) => line),
  ],
});

function resultCell({ result, isProblem }: Line): HTMLElement {
  return element('span', isProblem ? 'failed' : 'quiet', result);
}

export function problemLines({ problems, duplicates }: Guests): readonly Line[] {
  const lines: Line[] = [];
  for (const { line, text: wrong, reason } of problems) {
    const isName = reason === 'invalid_first_name';
    const cells = isName ? { email: '', firstName: wrong } : { email: wrong, firstName: null };
    lines.push({ line, ...cells, result: REASONS[reason], isProblem: true });
  }
  for (const { line, email } of duplicates)
    lines.push({ line, email, firstName: null, result: 'Twice in this list', isProblem: true });
  return lines;
}
