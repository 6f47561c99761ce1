/** Letters to send with other programs: copied, or opened in the mail app. */
import {
  type Addressee,
  type LetterKind,
  mailto,
  writeLetter,
} from '../../lib/addresses/letters.ts';
import { find } from './elements.ts';
import { readableOf } from './parts.ts';

const {
  site: publicOrigin = '',
  title = '',
  invitation = '',
  reminder = '',
  subject = '',
  reminderSubject = '',
} = document.body.dataset;
const TEXTS = { publicOrigin, title, invitation, reminder, subject, reminderSubject };

/** A link that opens a letter in the mail app. */
export const mailLink = (kind: LetterKind, person: Addressee): string =>
  mailto(writeLetter(kind, TEXTS, person));

/** Wires a letter, and what copies or opens it. @returns writes the letter to a person */
export function letterBox(within: HTMLElement): (kind: LetterKind, person: Addressee) => void {
  const text = find('textarea', HTMLTextAreaElement, within);
  const mail = find('a', HTMLAnchorElement, within);
  const copied = find('[role=status]', HTMLElement, within);
  const copy = find('button', HTMLButtonElement, within);
  copy.addEventListener('click', async () => {
    text.select();
    try {
      await navigator.clipboard.writeText(text.value);
      copied.textContent = 'Copied.';
    } catch {
      // Also where a page without HTTPS gets no clipboard.
      copied.textContent = 'Couldn’t copy. The text is selected, so you can copy it.';
    }
  });
  return (kind, person) => {
    const { message } = writeLetter(kind, TEXTS, person);
    copy.textContent = `Copy ${kind}`;
    text.ariaLabel = `${kind.replace(/^./, (first) => first.toUpperCase())} for ${readableOf(person)}`;
    if (text.value !== message) copied.textContent = '';
    text.value = message;
    mail.href = mailLink(kind, person);
  };
}
