/** The preview of a pasted list: what each line is. */
import type { Entry, Fault } from './address-list.ts';
import { element, find, update } from './elements.ts';
import { cell, dash, formatCount } from './parts.ts';
import { readable } from './readable.ts';

const preview = find('#many-preview', HTMLElement);
const rows = find('tbody', HTMLTableSectionElement, preview);
const all = find('#many-all', HTMLButtonElement);

/** Rows before "Show all lines". */
const FEW = 100;

/** `what`: a fault, `new`, `invited`, or the service's error code. */
export type Line = Entry & { readonly what: string };

const WORDS: Readonly<Record<Fault | 'new' | 'invited' | 'already_invited', string>> = {
  new: 'new',
  invited: 'invited',
  already_invited: 'already invited',
  twice: 'twice in the list',
  invalid_email: 'not an address',
  invalid_first_name: 'first name too long, or not text',
  lost_characters: 'has lost characters (�)',
  heading: 'headings',
};

const words: Readonly<Record<string, string>> = WORDS;
const describe = (what: string): string => words[what] ?? `refused by the service: ${what}`;

/** Lines that need no mending. */
const FINE = ['heading', 'already_invited', 'twice'];

/** Shows the lines, at first a few of them. */
export function showLines(lines: readonly Line[], limit = FEW): void {
  preview.hidden = lines.length === 0;
  update(rows, ...lines.slice(0, limit).map(row));
  all.hidden = lines.length <= limit;
  all.textContent = `Show all ${formatCount(lines.length)} lines`;
  all.onclick = () => showLines(lines, lines.length);
}

function row({ line, text, email, firstName, what }: Line): HTMLElement {
  const hasAddress = what !== 'heading' && what !== 'invalid_email';
  const className = what === 'new' ? 'done' : FINE.includes(what) ? '' : 'failed';
  return element(
    'tr',
    '',
    cell('Line', formatCount(line), 'number'),
    cell('Address', element('span', '', hasAddress ? readable(email) : text.slice(0, 200))),
    cell('First name', firstName ? element('span', '', firstName.slice(0, 101)) : dash()),
    cell('What it is', element('span', className, describe(what))),
  );
}

/** `78 new, 3 already invited` */
export function count(lines: readonly Line[]): string {
  const counts = new Map(Object.keys(WORDS).map((what) => [what, 0]));
  for (const { what } of lines) counts.set(what, (counts.get(what) ?? 0) + 1);
  return [...counts]
    .filter(([what, number]) => number > 0 && what !== 'heading')
    .map(([what, number]) => `${formatCount(number)} ${describe(what)}`)
    .join(', ');
}
