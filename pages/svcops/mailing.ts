/** Letters to many people, one after the other in the mail app, or all as the file of a mail merge. */
import { find } from './elements.ts';
import { type Invited, type Kind, letter, mergeFile, write } from './letters.ts';
import { formatCount, readableOf } from './parts.ts';

/**
 * Fills an element with the letter to one of these people, and with what leads to the next one. The
 * browser's tab remembers the address, also when the page is loaded again.
 *
 * @returns a function that reads the people again while the element is open
 */
export function mailing(
  kind: Kind,
  within: HTMLElement,
  readPeople: () => Promise<readonly Invited[]>,
): () => void {
  within.append(find('#mailing', HTMLTemplateElement).content.cloneNode(true));
  const position = find('.position', HTMLElement, within);
  const letters = find('.letter', HTMLElement, within);
  const next = find('.next', HTMLButtonElement, within);
  const said = find('.said', HTMLElement, within);
  const writeTo = letter(kind, letters);
  let people: readonly Invited[] = [];
  let index = 0;
  let calls = 0;

  function show(): void {
    const person = people[index];
    letters.hidden = !person;
    if (!person) return;
    writeTo(person);
    sessionStorage.setItem(kind, person.email);
    const [number, all] = [index + 1, people.length].map((count) => formatCount(count));
    const to = [person.firstName, readableOf(person)].filter(Boolean).join(', ');
    position.textContent = `Letter ${number} of ${all}, to ${to}.`;
    next.textContent =
      index + 1 < people.length
        ? `Next letter, ${formatCount(index + 2)} of ${all}`
        : `Back to letter 1 of ${all}`;
    next.hidden = people.length === 1;
  }

  async function open(): Promise<void> {
    said.textContent = '';
    if (within.hidden || (within instanceof HTMLDetailsElement && !within.open)) return;
    const call = ++calls;
    const read = await readPeople();
    // Another list may have been asked for since.
    if (call !== calls) return;
    people = read;
    const last = sessionStorage.getItem(kind);
    const found = people.findIndex(({ email }) => email === last);
    index = Math.max(found, 0);
    show();
  }

  next.addEventListener('click', () => {
    index = (index + 1) % people.length;
    show();
  });
  find('.save', HTMLButtonElement, within).addEventListener('click', () => {
    const file = new Blob([mergeFile(people, (person) => write(kind, person))]);
    const link = document.createElement('a');
    link.href = URL.createObjectURL(file);
    link.download = `${kind.toLowerCase()}s.csv`;
    link.click();
    said.textContent = `${formatCount(people.length, 'letter')} saved.`;
  });
  const refresh = () =>
    void open().catch(({ message }: Error) => {
      said.textContent = message;
    });
  within.addEventListener('toggle', refresh);
  return refresh;
}
