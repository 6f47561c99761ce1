/** Letters to guests: the service itself sends no mail. */
import {
  type Addressee,
  type Letter,
  type LetterKind,
  mailto,
  writeLetter,
} from '../../../../lib/extras/letters/letters.ts';
import type { Status } from '../../../../lib/records.ts';
import { element, find } from '../../elements.ts';
import { readableOf } from '../../parts.ts';

const {
  site: publicOrigin = '',
  title = '',
  invitation = '',
  reminder = '',
  subject = '',
  reminderSubject = '',
} = find('#letters', HTMLElement).dataset;
const TEXTS = { publicOrigin, title, invitation, reminder, subject, reminderSubject };

// Only development has no https.
if (location.protocol === 'https:' && location.origin !== publicOrigin)
  find('#origin', HTMLElement).textContent =
    `Letters link to ${publicOrigin}. Set PUBLIC_ORIGIN to ${location.origin}, and restart the service.`;

export const letterTo = (person: Addressee, kind: LetterKind): Letter =>
  writeLetter(kind, TEXTS, person);

/** Opens a letter in the mail app: an invitation before a guest logs in, then a reminder to join. */
export function writeLink(guest: Addressee & { readonly status: Status | null }): Element | '' {
  const { status } = guest;
  if (status === null || status === 'joined') return '';
  const link = element('a', 'write', 'Write');
  link.href = mailto(letterTo(guest, status === 'pending' ? 'invitation' : 'reminder'));
  link.ariaLabel = `Write to ${readableOf(guest)}`;
  return link;
}
