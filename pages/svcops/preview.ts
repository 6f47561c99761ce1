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

/** What a line is, before or after it was sent. */
export type What = Fault | 'new' | 'listed' | 'refused';
export type Line = Entry & { readonly what: What };

const WORDS: Readonly<Record<What, string>> = {
  new: 'new',
  listed: 'already invited',
  twice: 'twice in the list',
  no_address: 'not an address',
  bad_name: 'first name too long, or not text',
  lost_characters: 'has lost characters (�)',
  refused: 'refused by the service',
};

/** Shows the lines, at first a few of them. */
export function showLines(lines: readonly Line[], limit = FEW): void {
  preview.hidden = lines.length === 0;
  update(rows, ...lines.slice(0, limit).map(row));
  all.hidden = lines.length <= limit;
  all.textContent = `Show all ${formatCount(lines.length)} lines`;
  all.onclick = () => showLines(lines, lines.length);
}

function row({ line, text, email, firstName, what }: Line): HTMLElement {
  const address = what === 'no_address' ? text.slice(0, 200) : readable(email);
  return element(
    'tr',
    '',
    cell('Line', formatCount(line), 'number'),
    cell('Address', element('span', '', address)),
    cell('First name', firstName ? element('span', '', firstName.slice(0, 101)) : dash()),
    cell('What it is', element('span', what, WORDS[what])),
  );
}

/** `78 new, 3 already invited` */
export function count(counted: readonly Line[]): string {
  return (Object.keys(WORDS) as What[])
    .map((what) => [counted.filter((line) => line.what === what).length, WORDS[what]] as const)
    .filter(([number]) => number > 0)
    .map(([number, words]) => `${formatCount(number)} ${words}`)
    .join(', ');
}
