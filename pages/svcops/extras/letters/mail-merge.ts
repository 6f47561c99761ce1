// extra: export
/** The links to the letters of a list as a file for a mail merge. */
import type { LetterKind } from '../../../../lib/extras/letters/letters.ts';
import type { Query } from '../../api.ts';
import { find } from '../../elements.ts';
import { formatCount } from '../../parts.ts';
import { showSample } from './letters.ts';

const letters = find('#people-letters', HTMLElement);

showSample(find('.sample', HTMLElement, letters));

/**
 * Shows a link for each kind of letter that the guests of a list get.
 *
 * @param filter the value of the list's filter
 * @param count of the guests
 * @param urlOf the address of the list, with more query
 */
export function showMailMerge(filter: string, count: number, urlOf: (more: Query) => string): void {
  const kinds = kindsFor(new URLSearchParams(filter));
  letters.hidden = kinds.length === 0 || count === 0;
  for (const link of letters.querySelectorAll('a')) {
    const kind = kinds.find((each) => each === link.dataset.letters);
    link.hidden = kind === undefined;
    link.textContent = `Download ${formatCount(count, link.dataset.letters)}`;
    link.href = urlOf({ format: 'csv', letters: link.dataset.letters ?? '' });
  }
}

/** Guests who were invited days ago may need a reminder, or have lost the invitation. */
function kindsFor(filter: URLSearchParams): readonly LetterKind[] {
  const status = filter.get('status') ?? '';
  if (status === 'pending') return filter.has('days') ? ['reminder', 'invitation'] : ['invitation'];
  return ['logged_in', 'viewed'].includes(status) ? ['reminder'] : [];
}
// end: export
