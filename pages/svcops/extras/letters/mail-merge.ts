// extra: export
/** The links to the letters of a list as a file for a mail merge. */
import type { Query } from '../../api.ts';
import { find } from '../../elements.ts';

const letters = find('#people-letters', HTMLElement);

/** Shows the links if guests of these statuses get letters. @param urlOf the list, with more query */
export function showMailMerge(statuses: string, urlOf: (more: Query) => string): void {
  letters.hidden = !['pending', 'logged_in', 'viewed'].includes(statuses);
  for (const link of letters.querySelectorAll('a'))
    link.href = urlOf({ format: 'csv', letters: link.dataset.letters ?? '' });
}
// end: export
