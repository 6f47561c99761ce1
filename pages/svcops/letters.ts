/** Letters to send with other programs: the owner's invitation and reminder, and addresses. */
import { csvLines } from '../../lib/csv.ts';
import type { Invite, WithReadable } from '../../lib/records.ts';
import { find } from './elements.ts';
import { readableOf } from './parts.ts';

export type Invited = WithReadable<Pick<Invite, 'email' | 'firstName'>>;

export type Kind = 'Invitation' | 'Reminder';

/** Wires a text to send, and what copies or opens it. @returns writes the text to a person */
export function letter(kind: Kind, within: HTMLElement): (person: Invited) => void {
  const text = find('textarea', HTMLTextAreaElement, within);
  const mail = find('a', HTMLAnchorElement, within);
  const copied = find('[role=status]', HTMLElement, within);
  find('button', HTMLButtonElement, within).addEventListener('click', async () => {
    text.select();
    try {
      await navigator.clipboard.writeText(text.value);
      copied.textContent = 'Copied.';
    } catch {
      // Also where a page without HTTPS gets no clipboard.
      copied.textContent = 'Your browser did not allow copying. The text is selected.';
    }
  });
  return (person) => {
    const written = write(kind, person);
    text.ariaLabel = `${kind} for ${readableOf(person)}`;
    if (text.value !== written) copied.textContent = '';
    text.value = written;
    mail.href = mailto(person.email, subject(person), written);
  };
}

export const write = (kind: Kind, person: Invited): string => {
  const { invitation = '', reminder = '' } = document.body.dataset;
  return fillIn(kind === 'Invitation' ? invitation : reminder, valuesOf(person));
};

const subject = (person: Invited): string =>
  fillIn(document.body.dataset.subject ?? '', valuesOf(person));

function valuesOf(person: Invited) {
  const { site = '', title = '' } = document.body.dataset;
  // The entry page fills in the address of the fragment, which is not sent to the service.
  const address = `${site}/#${encodeURIComponent(person.email).replace('%40', '@')}`;
  return { firstName: person.firstName ?? '', address, email: readableOf(person), title };
}

/**
 * Fills in the places of a text, as `{title}`. Without a first name, the spaces and the comma
 * before its place go too. At the start of a line, those after it go, and the next letter is a
 * capital.
 */
export function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  const named = values.firstName
    ? text
    : text
        .replace(/^\{firstName\}[ \u00a0,،:;!.–—-]*(.?)/gmu, (_, next: string) =>
          next.toUpperCase(),
        )
        .replace(/[ \u00a0,،]*\{firstName\}/g, '');
  return named.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}

/** A link that opens a letter in the mail program (RFC 6068). */
export function mailto(email: string, subject: string, body: string): string {
  const [to, head, text] = [email, subject, body.replaceAll('\n', '\r\n')].map(encodeURIComponent);
  return `mailto:${to?.replace('%40', '@')}?subject=${head}&body=${text}`;
}

/** The file of a mail merge: the email, the first name and the letter of each person. */
export function mergeFile(people: readonly Invited[], writeTo: (person: Invited) => string) {
  const letters = people.map((person) => ({ ...person, message: writeTo(person) }));
  return [...csvLines(['email', 'firstName', 'message'], letters)].join('');
}
