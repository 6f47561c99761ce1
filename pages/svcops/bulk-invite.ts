/** Invites a list of people: the service says what each line is, and then saves the new ones. */
import { decodeText } from '../../lib/csv.ts';
import type { InviteManyReply } from '../../lib/replies.ts';
import { type Failure, postMany } from './api.ts';
import { count, doubts, isDone, type Line, names, renamed, showLines } from './bulk-preview.ts';
import { afterPause, find, say } from './elements.ts';
import { mailing } from './mailing.ts';
import { formatCount } from './parts.ts';
import { linesLeft } from './text-list.ts';

const box = find('#many', HTMLDetailsElement);
const field = find('#many-list', HTMLTextAreaElement);
const file = find('#many-file', HTMLInputElement);
const message = find('#many-message', HTMLElement);
const start = find('#many-start', HTMLButtonElement);
const preview = find('#many-preview', HTMLElement);
const untold = find('#many-untold', HTMLElement);
const untoldCount = find('h3', HTMLElement, untold);

const TOO_LARGE = 'The list is larger than 1 MB. Split it into smaller lists.';

/** More than the service takes, also in UTF-16. */
const MAX_FILE_BYTES = 2 * 1024 * 1024;

/** Length from which a pasted text is put into the field by this program. */
const LONG = 20_000;

/** The text that is shown, and what the service said of its lines. */
let shown = '';
let lines: readonly Line[] = [];
/** What else it said: a doubt about names, and columns that are not read. */
let notes = '';
/** The people of this list who are invited, and whether it still has others. */
let invited: readonly Line[] = [];
let isRest = false;
let isSaving = false;

const showLetters = mailing('Invitation', untold, async () => invited);

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
async function showPreview(report = '', className: 'done' | 'failed' | '' = ''): Promise<void> {
  const { value } = field;
  if (value.trim() === '') {
    names.clear();
    isRest = false;
    lines = [];
    notes = '';
  } else if (value !== shown) {
    say(message, 'Comparing with the invite list…');
    const reply = await postMany(value).catch(failureOf);
    if (value !== field.value || isSaving) return;
    lines = typeof reply === 'string' ? [] : reply.lines;
    notes = typeof reply === 'string' ? '' : describe(reply);
    if (typeof reply === 'string') {
      show('');
      start.hidden = false;
      start.textContent = 'Try again';
      return say(message, [report, reply].filter(Boolean).join(' '), 'failed');
    }
  }
  show(value);
  const left = lines.length > 0 ? `${report && 'Still in the list: '}${count(listed())}.` : '';
  const sentences = [report, left, notes, doubts(newLines())];
  say(message, sentences.filter(Boolean).join(' '), className);
}

const describe = ({ ignored, warning }: InviteManyReply): string =>
  [ignored.length > 0 && `Ignored: ${ignored.join(', ')}.`, warning].filter(Boolean).join(' ');

const listed = (): readonly Line[] => lines.map(renamed);
const newLines = (): readonly Line[] => listed().filter(({ status }) => status === 'new');

function show(text: string): void {
  shown = text;
  showLines(listed());
  const { length } = newLines();
  start.hidden = length === 0;
  start.textContent = `Invite ${formatCount(length)}`;
}

const failureOf = ({ code, message }: Failure): string =>
  code === 'body_too_large' ? TOO_LARGE : message;

/** Saves the new lines. The refused ones stay in the field, to correct and save again. */
async function save(): Promise<void> {
  // Only lines that were shown are saved.
  if (field.value !== shown) return showPreview();
  const waiting = newLines();
  if (isSaving || waiting.length === 0) return;
  setSaving(true);
  say(message, `Inviting ${formatCount(waiting.length)}…`);
  const quote = (cell: string | null) => `"${(cell ?? '').replaceAll('"', '""')}"`;
  const rows = waiting.map(({ email, firstName }) => `${quote(email)},${quote(firstName)}`);
  const reply = await postMany(['email,first name', ...rows].join('\n'), true).catch(failureOf);
  setSaving(false);
  shown = '';
  if (typeof reply === 'string') {
    await showPreview(`${reply} The invitations may not have been saved.`, 'failed');
    return;
  }
  const added = reply.lines.filter(({ status }) => status === 'new');
  invited = isRest ? [...invited, ...added] : added;
  const known = [...listed(), ...reply.lines].filter(
    (line) => line.status !== 'new' && isDone(line),
  );
  field.value = linesLeft(field.value, lines, (line) => isDone(renamed(line)));
  isRest = field.value !== '';
  untold.hidden = invited.length === 0;
  const are = `${formatCount(invited.length)} ${invited.length === 1 ? 'is' : 'are'}`;
  untoldCount.textContent = `${are} on the list. Invitations not sent yet.`;
  showLetters();
  const done = [added.length > 0 && `${formatCount(added.length)} invited`, count(known)];
  dispatchEvent(new Event('invited'));
  await showPreview(`${done.filter(Boolean).join(', ')}.`, 'done');
  if (document.activeElement === document.body) (untold.hidden ? field : untold).focus();
}

function setSaving(saving: boolean): void {
  isSaving = saving;
  field.readOnly = saving;
  start.hidden = saving;
  preview.inert = saving;
  if (saving) untold.hidden = true;
}

field.addEventListener('input', afterPause(showPreview));
preview.addEventListener('renamed', () => showPreview());
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
