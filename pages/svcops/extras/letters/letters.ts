/** Letters to guests: the service itself sends no mail. */
import {
  type Addressee,
  fitsMailto,
  type LetterKind,
  mailto,
  warnOfSample,
  writeLetter,
} from '../../../../lib/extras/letters/letters.ts';
import type { Status } from '../../../../lib/records.ts';
import { isYou } from '../../account.ts';
import { openDialog } from '../../dialogs.ts';
import { button, element, find } from '../../elements.ts';
import { breakable, readableOf } from '../../parts.ts';

const {
  site: publicOrigin = '',
  sample = '',
  title = '',
  invitation = '',
  reminder = '',
  subject = '',
  reminderSubject = '',
} = find('#letters', HTMLElement).dataset;
const isSample = sample !== '';
const TEXTS = { publicOrigin, isSample, title, invitation, reminder, subject, reminderSubject };

// Only development has no https.
if (location.protocol === 'https:' && location.origin !== publicOrigin)
  find('#origin', HTMLElement).textContent =
    `Letters link to ${publicOrigin}. Set PUBLIC_ORIGIN to ${location.origin}, and restart the service.`;

/** Says in an element that guests would see the sample. Otherwise hides the element. */
export function showSample(place: HTMLElement): void {
  const warning = warnOfSample(TEXTS);
  place.textContent = warning ?? '';
  place.hidden = warning === undefined;
}

/** Shows a letter in an element that letter.html has filled. */
export function showLetter(within: HTMLElement, guest: Addressee, kind: LetterKind): void {
  const letter = writeLetter(kind, TEXTS, guest);
  const text = find('textarea', HTMLTextAreaElement, within);
  const copied = find('[role=status]', HTMLElement, within);
  const open = find('a', HTMLAnchorElement, within);
  const fits = fitsMailto(letter);
  showSample(find('.sample', HTMLElement, within));
  find('.how', HTMLElement, within).textContent = fits
    ? 'Guestlist sends no email. Copy this letter, or open it in your mail app.'
    : 'Guestlist sends no email. Copy this letter.';
  find('.subject', HTMLElement, within).textContent = letter.subject;
  text.value = letter.message;
  text.ariaLabel = `${nameOf(kind)} to ${readableOf(guest)}`;
  copied.textContent = '';
  open.href = mailto(letter);
  open.hidden = !fits;
  find('.copy', HTMLButtonElement, within).onclick = async () => {
    text.select();
    const { value } = text;
    const isCopied = await copy(value);
    // The panel may show another letter now.
    if (text.value !== value) return;
    copied.textContent = isCopied
      ? 'Copied.'
      : 'Couldn’t copy. The text is selected, so you can copy it.';
  };
}

/** How long the clipboard may take, in ms. Firefox without one never answers. */
const COPY_TIMEOUT = 1000;

/** Copies a text. @returns whether it is in the clipboard, which a page without HTTPS does not get */
function copy(text: string): Promise<boolean> {
  const timeout = new Promise<boolean>((resolve) => setTimeout(resolve, COPY_TIMEOUT, false));
  return Promise.race([write(text), timeout]);
}

async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

const dialog = find('#letter', HTMLDialogElement);

// The browser's Back button closes a person's panel, and with it the letter above.
addEventListener('popstate', () => dialog.close());

/** The button that opened the letter, and the element to focus if the button has gone. */
let opener: HTMLElement | undefined;
let fallback: HTMLElement | null | undefined;

dialog.addEventListener('close', () => {
  if (!opener?.isConnected) fallback?.focus({ preventScroll: true });
});

/**
 * A button that opens a letter: an invitation before a guest logs in, then a reminder to join.
 * Guests who joined get no letter, and administrators write none to themselves.
 */
export function letterButton(guest: Addressee & { readonly status: Status | null }): Element | '' {
  const { email, status } = guest;
  if (status === null || status === 'joined' || isYou(email)) return '';
  const kind = status === 'pending' ? 'invitation' : 'reminder';
  const open = button(nameOf(kind), () => {
    showLetter(dialog, guest, kind);
    const addressee = breakable(readableOf(guest));
    find('#letter-title', HTMLElement).replaceChildren(`${nameOf(kind)} to `, ...addressee);
    const panel = open.closest('dialog');
    opener = open;
    fallback = panel ? panel.querySelector('button') : open.closest<HTMLElement>('[tabindex]');
    openDialog(dialog);
  });
  open.className = 'write';
  open.ariaLabel = `${nameOf(kind)} to ${readableOf(guest)}`;
  // When a list is read again, equal buttons stay. If the name has changed, the button must be a
  // new one, whose letter has the new name.
  open.dataset.firstName = guest.firstName ?? '';
  return element('span', `letter-of ${kind}`, open);
}

const nameOf = (kind: LetterKind): string => (kind === 'invitation' ? 'Invitation' : 'Reminder');
