/** The preview of a pasted list: the kind of each line, with first names to edit. */
import { normalizeFirstName } from './address.js';
import { LINE_MISTAKES, type ListEntry } from './address-list.js';
import { element, find, update } from './elements.ts';
import { meantDomain } from './near-miss.ts';
import { formatCount, row } from './parts.ts';

const preview = find('#many-preview', HTMLElement);
const headings = [...preview.querySelectorAll('th')];
const rows = find('tbody', HTMLTableSectionElement, preview);
const all = find('#many-all', HTMLButtonElement);

/** Rows before "Show all lines". */
const FEW = 100;

/** The kinds of lines, in the order of the summary. */
const WORDS: Readonly<Record<string, string>> = {
  new: 'new',
  invited: 'invited',
  already_invited: 'already invited',
  twice: 'twice in the list',
  ...LINE_MISTAKES,
  heading: 'headings',
};

const describe = (what: string): string => WORDS[what] ?? `refused by the service: ${what}`;

/** Kinds of lines without a mistake. */
const FINE = ['heading', 'already_invited', 'twice'];

/** First names that were typed into the preview, by the text of their line. */
export const names = new Map<string, string>();

/** Lines whose first name can be edited. */
const NAMED = ['new', 'invalid_first_name', 'unclear_name'];

/** A line with the first name that was typed for it. */
export function renamed(entry: ListEntry): ListEntry {
  const firstName = names.get(entry.text);
  if (firstName === undefined || !NAMED.includes(entry.what)) return entry;
  const isName = normalizeFirstName(firstName) !== undefined;
  return { ...entry, firstName, what: isName ? 'new' : 'invalid_first_name' };
}

/** Shows the lines, at first a few of them. `names` changes with an event `renamed`. */
export function showLines(lines: readonly ListEntry[], limit = FEW): void {
  preview.hidden = lines.length === 0;
  update(rows, ...lines.slice(0, limit).map(lineRow));
  all.hidden = lines.length <= limit;
  all.textContent = `Show all ${formatCount(lines.length)} lines`;
  all.onclick = () => showLines(lines, lines.length);
}

function lineRow(entry: ListEntry): HTMLElement {
  const { line, text, address, email, firstName, what } = entry;
  const meant = what === 'new' && meantDomain(email);
  const className = what === 'new' ? 'done' : FINE.includes(what) ? '' : 'failed';
  return row(headings, [
    formatCount(line),
    email === '' ? text.slice(0, 200) : address,
    NAMED.includes(what) ? nameField(entry) : firstName.slice(0, 101),
    element('span', meant ? 'failed' : className, meant ? `${meant}?` : describe(what)),
  ]);
}

function nameField({ text, email, firstName }: ListEntry): HTMLInputElement {
  const field = element('input');
  field.autocomplete = 'off';
  field.ariaLabel = `First name of ${email}`;
  // As an attribute, so that `update` sees another name.
  field.defaultValue = firstName;
  field.addEventListener('change', () => {
    field.defaultValue = field.value;
    names.set(text, field.value);
    preview.dispatchEvent(new Event('renamed'));
  });
  return field;
}

/** Questions about domains that are probably misspelt. */
export function doubts(lines: readonly ListEntry[]): string {
  const found = lines.flatMap(({ what, email }) => {
    const meant = what === 'new' && meantDomain(email);
    return meant ? [`Is ${email.replace(/.*@/, '')} right, or ${meant}?`] : [];
  });
  return [...new Set(found)].slice(0, 3).join(' ');
}

/** `78 new, 3 already invited` */
export function count(lines: readonly ListEntry[]): string {
  const counts = new Map(Object.keys(WORDS).map((what) => [what, 0]));
  for (const { what } of lines) counts.set(what, (counts.get(what) ?? 0) + 1);
  return [...counts]
    .filter(([what, number]) => number > 0 && what !== 'heading')
    .map(([what, number]) => `${formatCount(number)} ${describe(what)}`)
    .join(', ');
}
