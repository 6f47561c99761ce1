/** The preview of a pasted list: what each line is. */
import { type Entry, MISTAKES } from './address-list.js';
import { element, find, update } from './elements.ts';
import { formatCount, row } from './parts.ts';

const preview = find('#many-preview', HTMLElement);
const headings = [...preview.querySelectorAll('th')];
const rows = find('tbody', HTMLTableSectionElement, preview);
const all = find('#many-all', HTMLButtonElement);

/** Rows before "Show all lines". */
const FEW = 100;

/** What lines are, in the order in which they are counted. */
const WORDS: Readonly<Record<string, string>> = {
  new: 'new',
  invited: 'invited',
  already_invited: 'already invited',
  twice: 'twice in the list',
  ...MISTAKES,
  heading: 'headings',
};

const describe = (what: string): string => WORDS[what] ?? `refused by the service: ${what}`;

/** Lines that need no mending. */
const FINE = ['heading', 'already_invited', 'twice'];

/** Shows the lines, at first a few of them. */
export function showLines(lines: readonly Entry[], limit = FEW): void {
  preview.hidden = lines.length === 0;
  update(rows, ...lines.slice(0, limit).map(lineRow));
  all.hidden = lines.length <= limit;
  all.textContent = `Show all ${formatCount(lines.length)} lines`;
  all.onclick = () => showLines(lines, lines.length);
}

function lineRow({ line, text, address, email, firstName, what }: Entry): HTMLElement {
  const className = what === 'new' ? 'done' : FINE.includes(what) ? '' : 'failed';
  return row(headings, [
    formatCount(line),
    email === '' ? text.slice(0, 200) : address,
    firstName.slice(0, 101),
    element('span', className, describe(what)),
  ]);
}

/** `78 new, 3 already invited` */
export function count(lines: readonly Entry[]): string {
  const counts = new Map(Object.keys(WORDS).map((what) => [what, 0]));
  for (const { what } of lines) counts.set(what, (counts.get(what) ?? 0) + 1);
  return [...counts]
    .filter(([what, number]) => number > 0 && what !== 'heading')
    .map(([what, number]) => `${formatCount(number)} ${describe(what)}`)
    .join(', ');
}
