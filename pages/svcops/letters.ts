/** What is sent to people by other means: the owner's invitation and reminder, and addresses. */
import type { Invite } from '../../lib/records.ts';
import { find } from './elements.ts';
import { readable } from './readable.ts';

const { site = '', title = '', invitation = '', reminder = '' } = document.body.dataset;

const WORDS = { Invitation: invitation, Reminder: reminder } as const;

export type Invited = Pick<Invite, 'email' | 'firstName'>;

/** Wires a text to send and the button that copies it. @returns writes the text to a person */
export function letter(kind: keyof typeof WORDS, within: HTMLElement): (person: Invited) => void {
  const text = find('textarea', HTMLTextAreaElement, within);
  const copied = find('[role=status]', HTMLElement, within);
  find('button', HTMLButtonElement, within).addEventListener('click', () => {
    text.select();
    copyTo(copied, { text: text.value }, 'The text is selected for you.');
  });
  return ({ email, firstName }) => {
    const address = readable(email);
    const values: Readonly<Record<string, string>> = {
      firstName: firstName ?? '',
      // The entry page fills in the address of the fragment, which is not sent to the service.
      address: `${site}/#${encodeURIComponent(email).replace('%40', '@')}`,
      email: address,
      title,
    };
    // Without a first name, the spaces and the comma before its place go too.
    const words = firstName ? WORDS[kind] : WORDS[kind].replace(/[\s,،]*\{firstName\}/gu, '');
    const written = words.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
    text.ariaLabel = `${kind} to send to ${address}`;
    if (text.value !== written) copied.textContent = '';
    text.value = written;
  };
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
