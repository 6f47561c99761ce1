/** Invites a list of people: the service says what each line is, and then saves the new ones. */
import { LINE_MISTAKES } from '../../lib/address.ts';
import { decodeText } from '../../lib/csv.ts';
import type { WithReadable } from '../../lib/records.ts';
import type { InviteLine } from '../../lib/replies.ts';
import { type Failure, postMany } from './api.ts';
import { afterPause, element, find, say, showFew } from './elements.ts';
import { showInvitedToday } from './filters.ts';
import { type Content, formatCount, readableOf, row } from './parts.ts';

type Line = WithReadable<InviteLine>;

const box = find('#many', HTMLDetailsElement);
const field = find('#many-list', HTMLTextAreaElement);
const file = find('#many-file', HTMLInputElement);
const message = find('#many-message', HTMLElement);
const start = find('#many-start', HTMLButtonElement);
const preview = find('#many-preview', HTMLElement);
const headings = [...preview.querySelectorAll('th')];
const rows = find('tbody', HTMLTableSectionElement, preview);
const all = find('#many-all', HTMLButtonElement);

const TOO_LARGE = 'The list is larger than 1 MB. Split it into smaller lists.';

/** More than the service takes, also in UTF-16. */
const MAX_FILE_BYTES = 2 * 1024 * 1024;

/** Length from which a pasted text is put into the field by this program. */
const LONG = 20_000;

/** The text whose lines are shown, and how many of them are new. */
let shown = '';
let newCount = 0;
let isSaving = false;

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

/** Whether a line has to be corrected. */
const isWrong = ({ status, reason }: Line): boolean => status === 'refused' && reason !== 'twice';

async function take(chosen: File | undefined): Promise<void> {
  file.value = '';
  if (!chosen) return;
  if (chosen.size > MAX_FILE_BYTES) return say(message, TOO_LARGE, 'failed');
  const text = decodeText(new Uint8Array(await chosen.arrayBuffer()));
  if (text !== undefined) return put(text, 0, field.value.length);
  say(message, `${chosen.name} is not UTF-8. Save it as CSV UTF-8 and try again.`, 'failed');
}

/** Puts a text in the place of a part of the list. */
function put(text: string, from: number, to: number): void {
  if (isSaving) return;
  field.setRangeText(text, from, to, 'end');
  showPreview();
}

/** Adds people to the list. */
export function addToList(text: string): void {
  box.open = true;
  field.focus();
  const end = field.value.length;
  put(`${field.value && '\n'}${text}`, end, end);
}

/** Shows what each line is. @param report the outcome of the last action */
async function showPreview(report = ''): Promise<void> {
  const { value } = field;
  if (value.trim() === '') {
    show('', []);
    return say(message, report);
  }
  if (value === shown) return;
  say(message, [report, 'Comparing with the invite list…'].filter(Boolean).join(' '));
  const reply = await postMany(value).catch(failureOf);
  if (value !== field.value || isSaving) return;
  if (typeof reply === 'string') {
    show('', []);
    start.hidden = false;
    start.textContent = 'Try again';
    return say(message, [report, reply].filter(Boolean).join(' '), 'failed');
  }
  show(value, reply.lines);
  const { ignored, warning } = reply;
  const columns = ignored.length > 0 ? `Ignored: ${ignored.join(', ')}.` : '';
  const sentences = [report, `${count(reply.lines)}.`, columns, warning];
  say(message, sentences.filter(Boolean).join(' '), report ? 'failed' : '');
}

function show(text: string, lines: readonly Line[]): void {
  shown = text;
  preview.hidden = lines.length === 0;
  showFew(rows, all, lines.map(lineRow));
  newCount = lines.filter(({ status }) => status === 'new').length;
  start.hidden = newCount === 0;
  start.textContent = `Invite ${formatCount(newCount)}`;
}

function lineRow(line: Line): HTMLElement {
  const { email, firstName, status, suggestion } = line;
  const className = isWrong(line) ? 'failed' : status === 'new' ? 'done' : '';
  return row(headings, [
    formatCount(line.line),
    email === '' ? line.text.slice(0, 200) : readableOf(line),
    firstName,
    status === 'new' && suggestion
      ? domainButton(email, suggestion)
      : element('span', className, describe(kindOf(line))),
  ]);
}

/** Asks about a domain that is probably misspelt, and corrects it in the whole list. */
function domainButton(email: string, suggestion: string): Content {
  const typed = email.replace(/.*@/, '');
  const mend = element('button', '', `Did you mean ${suggestion}?`);
  mend.type = 'button';
  mend.addEventListener('click', () => {
    const pattern = new RegExp(`@${typed.replaceAll('.', '\\.')}(?![\\w.-])`, 'gi');
    field.value = field.value.replace(pattern, `@${suggestion}`);
    field.focus();
    showPreview();
  });
  return mend;
}

/** `78 new, 3 already invited` */
function count(lines: readonly Line[]): string {
  const counts = new Map(Object.keys(WORDS).map((kind) => [kind, 0]));
  for (const line of lines) counts.set(kindOf(line), (counts.get(kindOf(line)) ?? 0) + 1);
  return [...counts]
    .filter(([, number]) => number > 0)
    .map(([kind, number]) => `${formatCount(number)} ${describe(kind)}`)
    .join(', ');
}

const failureOf = ({ code, message }: Failure): string =>
  code === 'body_too_large' ? TOO_LARGE : message;

/** Saves the new lines. Where others are wrong, the list stays, to correct and save again. */
async function save(): Promise<void> {
  // Only lines that were shown are saved.
  if (field.value !== shown) return showPreview();
  if (isSaving || newCount === 0) return;
  setSaving(true);
  say(message, `Inviting ${formatCount(newCount)}…`);
  const reply = await postMany(field.value, true).catch(failureOf);
  setSaving(false);
  shown = '';
  if (typeof reply === 'string')
    return showPreview(`${reply} The invitations may not have been saved.`);
  const { added, lines } = reply;
  const known = lines.filter(({ status }) => status === 'invited' || status === 'renames').length;
  const wrong = lines.filter(isWrong).length;
  const done = [
    `${formatCount(added)} invited`,
    known > 0 && `${formatCount(known)} already invited`,
    wrong > 0 && `${formatCount(wrong)} ${wrong === 1 ? 'needs' : 'need'} fixing`,
  ];
  dispatchEvent(new Event('invited'));
  if (wrong === 0) {
    field.value = '';
    showInvitedToday();
  }
  const guests = formatCount(added, 'guest');
  const next = wrong === 0 ? ` ${guests} added. Now send their invitations.` : '';
  await showPreview(`${done.filter(Boolean).join(', ')}.${next}`);
}

function setSaving(saving: boolean): void {
  isSaving = saving;
  field.readOnly = saving;
  start.hidden = saving;
  preview.inert = saving;
}

field.addEventListener('input', afterPause(showPreview));
field.addEventListener('paste', (event) => {
  const text = event.clipboardData?.getData('text/plain') ?? '';
  if (text.length < LONG) return;
  // Typed by the browser, a long text stops the page for a minute.
  event.preventDefault();
  put(text, field.selectionStart, field.selectionEnd);
});
file.addEventListener('change', () => take(file.files?.[0]));
box.addEventListener('dragover', (event) => event.preventDefault());
box.addEventListener('drop', (event) => {
  const dropped = event.dataTransfer?.files[0];
  if (!dropped) return;
  event.preventDefault();
  box.open = true;
  take(dropped);
});
start.addEventListener('click', save);
// A browser may have restored the list from before a reload.
if (field.value !== '') showPreview();
