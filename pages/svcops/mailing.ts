/** Letters to many people, to send with other programs: one for all, or one to each. */
import { Failure } from './api.ts';
import { find } from './elements.ts';
import { copyTo, type Invited, type Kind, mailbox, mergeFile, write } from './letters.ts';
import { formatCount } from './parts.ts';

/** People, and a sentence if there are more of them. */
export type Recipients = { readonly people: readonly Invited[]; readonly more: string };

/**
 * Fills an element with the letter for all, and with buttons that copy it, copy the addresses of
 * these people and save the file of a mail merge.
 *
 * @returns a function that clears the messages
 */
export function mailing(
  kind: Kind,
  within: HTMLElement,
  readPeople: () => Promise<Recipients>,
): () => void {
  within.append(find('#mailing', HTMLTemplateElement).content.cloneNode(true));
  const text = find('textarea', HTMLTextAreaElement, within);
  const said = find('[role=status]', HTMLElement, within);
  text.value = write(kind);
  text.ariaLabel = `${kind} for all, without names`;

  const on = (name: string, task: () => Promise<unknown>) =>
    find(`.${name}`, HTMLButtonElement, within).addEventListener('click', () => {
      said.textContent = '';
      task().catch((error: unknown) => {
        said.textContent = error instanceof Failure ? error.message : String(error);
      });
    });
  const letter = () => ({ text: text.value, done: 'The letter is copied.' });
  on('copy-letter', () => copyTo(said, letter(), 'Please select the text.'));
  on('copy-people', () => {
    const copy = readPeople().then(({ people, more }) => ({
      text: people.map(mailbox).join(',\n'),
      done: `${formatCount(people.length, 'address')} copied.${more}`,
    }));
    return copyTo(said, copy, 'The export of the invite list has the addresses.');
  });
  on('save', async () => {
    const { people, more } = await readPeople();
    const file = new Blob([mergeFile(people, (person) => write(kind, person))]);
    const link = document.createElement('a');
    link.href = URL.createObjectURL(file);
    link.download = `${kind.toLowerCase()}s.csv`;
    link.click();
    said.textContent = `${formatCount(people.length, 'letter')} saved.${more}`;
  });
  return () => said.replaceChildren();
}
