/** What is sent to people by other means: the owner's invitation and reminder, and addresses. */
import type { Invite, Shown } from '../../lib/records.ts';
import { find } from './elements.ts';
import { readableOf } from './parts.ts';

export type Invited = Shown<Pick<Invite, 'email' | 'firstName'>>;

/** Wires a text to send and the button that copies it. @returns writes the text to a person */
export function letter(
  kind: 'Invitation' | 'Reminder',
  within: HTMLElement,
): (person: Invited) => void {
  const { site = '', title = '', invitation = '', reminder = '' } = document.body.dataset;
  const words = kind === 'Invitation' ? invitation : reminder;
  const text = find('textarea', HTMLTextAreaElement, within);
  const copied = find('[role=status]', HTMLElement, within);
  find('button', HTMLButtonElement, within).addEventListener('click', () => {
    text.select();
    copyTo(copied, { text: text.value }, 'The text is selected for you.');
  });
  return (person) => {
    const email = readableOf(person);
    const firstName = person.firstName ?? '';
    // The entry page fills in the address of the fragment, which is not sent to the service.
    const address = `${site}/#${encodeURIComponent(person.email).replace('%40', '@')}`;
    const written = fillIn(words, { firstName, address, email, title });
    text.ariaLabel = `${kind} to send to ${email}`;
    if (text.value !== written) copied.textContent = '';
    text.value = written;
  };
}

/**
 * Fills in the places of a text, as `{title}`. Without a first name, the spaces and the comma
 * before its place go too. At the start of a line, those after it go, and the next letter is a
 * capital.
 */
export function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  const words = values.firstName
    ? text
    : text
        .replace(/^\{firstName\}[ \u00a0,،:;!.–—-]*(.?)/gmu, (_, next: string) =>
          next.toUpperCase(),
        )
        .replace(/[ \u00a0,،]*\{firstName\}/g, '');
  return words.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}

/** A text to copy, and what is then said. */
type Copy = { readonly text: string; readonly done?: string };

/**
 * Copies a text, and says so. Safari copies a text that is still being read only if it gets the
 * promise of it. Pages that were not sent over HTTPS get no clipboard.
 *
 * @param instead says what can be done where the browser refuses
 * @throws what the promise throws
 */
export async function copyTo(
  said: HTMLElement,
  copy: Copy | Promise<Copy>,
  instead: string,
): Promise<void> {
  const toBlob = async () => new Blob([(await copy).text], { type: 'text/plain' });
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': toBlob() })]);
    said.textContent = (await copy).done ?? 'Copied.';
  } catch {
    await copy;
    said.textContent = `The browser does not let this page copy. ${instead}`;
  }
}

/** `Ada <ada@example.com>`, as mail programs read it. */
export function mailbox({ email, firstName }: Invited): string {
  if (!firstName) return email;
  // RFC 5322 wants quotes around all but letters, digits and a few signs.
  const isPlain = /^[\p{L}\p{N} ]+$/u.test(firstName);
  return `${isPlain ? firstName : `"${firstName.replace(/["\\]/g, '\\$&')}"`} <${email}>`;
}
