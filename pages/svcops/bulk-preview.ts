/** The preview of a list of people: what each line is, with first names to edit. */
import { LINE_MISTAKES, normalizeFirstName } from '../../lib/address.ts';
import type { WithReadable } from '../../lib/records.ts';
import type { InviteLine } from '../../lib/replies.ts';
import { element, find, update } from './elements.ts';
import { formatCount, readableOf, row } from './parts.ts';

export type Line = WithReadable<InviteLine>;

const preview = find('#many-preview', HTMLElement);
const headings = [...preview.querySelectorAll('th')];
const rows = find('tbody', HTMLTableSectionElement, preview);
const all = find('#many-all', HTMLButtonElement);

/** Rows before "Show all lines". */
const FEW = 100;

/** The kinds of lines, in the order of the summary. */
const WORDS: Readonly<Record<string, string>> = {
  new: 'new',
  invited: 'already invited',
  renames: 'already invited under another name',
  twice: 'duplicate',
  ...LINE_MISTAKES,
};

const kindOf = ({ status, reason }: Line): string => reason ?? status;

const describe = (kind: string): string => WORDS[kind] ?? `refused: ${kind}`;

/** Whether nothing is left to do with a line after the new ones are saved. */
export const isDone = (line: Line): boolean => line.status !== 'refused' || line.reason === 'twice';

/** First names that were typed into the preview, by the text of their line. */
export const names = new Map<string, string>();

/** Lines whose first name can be edited. */
const NAMED = ['new', 'invalid_first_name'];

/** A line with the first name that was typed for it. */
export function renamed(line: Line): Line {
  const firstName = names.get(line.text);
  if (firstName === undefined || !NAMED.includes(kindOf(line))) return line;
  if (normalizeFirstName(firstName) !== undefined)
    return { ...line, firstName, status: 'new', reason: null };
  return { ...line, firstName, status: 'refused', reason: 'invalid_first_name' };
}

/** Shows the lines, at first a few of them. `names` changes with an event `renamed`. */
export function showLines(lines: readonly Line[], limit = FEW): void {
  preview.hidden = lines.length === 0;
  update(rows, ...lines.slice(0, limit).map(lineRow));
  all.hidden = lines.length <= limit;
  all.textContent = `Show all ${formatCount(lines.length)} lines`;
  all.onclick = () => showLines(lines, lines.length);
}

function lineRow(line: Line): HTMLElement {
  const { email, firstName, status } = line;
  const suggestion = status === 'new' && line.suggestion;
  const className = suggestion || !isDone(line) ? 'failed' : status === 'new' ? 'done' : '';
  return row(headings, [
    formatCount(line.line),
    email === '' ? line.text.slice(0, 200) : readableOf(line),
    NAMED.includes(kindOf(line)) ? nameField(line) : firstName,
    element('span', className, suggestion ? `${suggestion}?` : describe(kindOf(line))),
  ]);
}

function nameField({ text, email, firstName }: Line): HTMLInputElement {
  const field = element('input');
  field.autocomplete = 'off';
  field.ariaLabel = `First name of ${email}`;
  // As an attribute, so that `update` sees another name.
  field.defaultValue = firstName ?? '';
  field.addEventListener('change', () => {
    field.defaultValue = field.value;
    names.set(text, field.value);
    preview.dispatchEvent(new Event('renamed'));
  });
  return field;
}

/** Questions about domains that are probably misspelt. */
export function doubts(lines: readonly Line[]): string {
  const found = lines.flatMap(({ email, suggestion }) =>
    suggestion ? [`Is ${email.replace(/.*@/, '')} right, or ${suggestion}?`] : [],
  );
  return [...new Set(found)].slice(0, 3).join(' ');
}

/** `78 new, 3 already invited` */
export function count(lines: readonly Line[]): string {
  const counts = new Map(Object.keys(WORDS).map((kind) => [kind, 0]));
  for (const line of lines) counts.set(kindOf(line), (counts.get(kindOf(line)) ?? 0) + 1);
  return [...counts]
    .filter(([, number]) => number > 0)
    .map(([kind, number]) => `${formatCount(number)} ${describe(kind)}`)
    .join(', ');
}
