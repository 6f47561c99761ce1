// extra: export
/** The links to the letters of a list as a file for a mail merge. */
import type { LetterKind } from '../../../../lib/extras/letters/letters.ts';
import type { InvitesReply } from '../../../../lib/routes/replies.ts';
import { type Query, read, urlOf } from '../../api.ts';
import { find } from '../../elements.ts';
import { formatCount } from '../../parts.ts';
import { showSample } from './letters.ts';

const letters = find('#people-letters', HTMLElement);

showSample(find('.sample', HTMLElement, letters));

const tooSoon = find('#people-too-soon', HTMLElement);

/** A guest gets no reminder for so long after the invitation, in ms. */
const REMINDER_DELAY = 24 * 3_600_000;

let lastCall = 0;

/** Hides the links to the letters of the last list. */
export function hideMailMerge(): void {
  lastCall += 1;
  letters.hidden = true;
}

/**
 * Shows a link for each kind of letter that guests of a list can get.
 *
 * @param filter the value of the list's filter
 * @param count of the guests
 * @param query of the list
 * @throws {Failure} if the guests who can get a reminder cannot be counted
 */
export async function showMailMerge(filter: string, count: number, query: Query): Promise<void> {
  lastCall += 1;
  const call = lastCall;
  const kinds = count > 0 ? kindsFor(new URLSearchParams(filter)) : [];
  // Some guests who logged in were invited only a moment ago.
  const isMixed = kinds.includes('reminder') && !query.before;
  const asked = isMixed ? { ...query, before: String(Date.now() - REMINDER_DELAY) } : query;
  const total = isMixed ? await countOf(asked) : count;
  if (call !== lastCall) return;
  letters.hidden = kinds.length === 0 || total === 0;
  tooSoon.hidden = total === count;
  for (const link of letters.querySelectorAll('a')) {
    const kind = kinds.find((each) => each === link.dataset.letters);
    link.hidden = kind === undefined;
    link.textContent = `Download ${formatCount(total, link.dataset.letters)}`;
    const wanted = { format: 'csv', letters: link.dataset.letters ?? '' };
    link.href = urlOf('invites', { ...asked, ...wanted });
  }
}

async function countOf(query: Query): Promise<number> {
  const { total } = await read<InvitesReply>('invites', { ...query, limit: '1' });
  return total;
}

/** Guests who were invited days ago may need a reminder, or may have lost the invitation. */
function kindsFor(filter: URLSearchParams): readonly LetterKind[] {
  const status = filter.get('status') ?? '';
  if (status === 'pending') return filter.has('days') ? ['reminder', 'invitation'] : ['invitation'];
  return ['logged_in', 'viewed'].includes(status) ? ['reminder'] : [];
}
// end: export
