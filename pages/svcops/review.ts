/** The table below a list that is to be invited, or was: who is in it, and what is wrong. */
import type { Guests } from '../../lib/guest-list.ts';
import { element, find } from './elements.ts';
import { nameCell } from './guests.ts';
import { type Column, countColumn, createTable, rowElement } from './table.ts';

const review = find('#review', HTMLElement);
const cut = find('#many-cut', HTMLElement);

/** More rows than this would make the page slow. Problems are among the first. */
const MOST_LINES = 500;

/** A row of the review. */
export type Line = {
  readonly line: number;
  readonly email: string;
  readonly firstName: string | null;
  readonly result: string;
  readonly isProblem?: true;
};

export const REASONS = {
  invalid_email: 'Not an email address',
  invalid_first_name: 'Not a first name',
};

const COLUMNS: readonly Column<Line>[] = [
  { heading: 'Email', cell: ({ email }) => email },
  { heading: 'Result', cell: resultCell },
  { heading: 'First name', cell: nameCell },
  countColumn('Line', ({ line }) => line),
];

const { box, body } = createTable(COLUMNS);
review.prepend(box);
// It has no links, so the keyboard needs the box itself to scroll it.
box.tabIndex = 0;
box.role = 'region';
box.ariaLabel = 'The list as it was read';

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

export function linesOf(guests: Guests['guests'], result: string): readonly Line[] {
  return guests.map((guest) => ({ ...guest, result }));
}

/** Shows rows; without one, the table and its buttons are hidden. */
export function showLines(lines: readonly Line[]): void {
  const shown = lines.slice(0, MOST_LINES);
  body.replaceChildren(...shown.map((line) => rowElement(line, COLUMNS)));
  cut.hidden = lines.length === shown.length;
  review.hidden = lines.length === 0;
}
