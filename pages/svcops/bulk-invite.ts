/** Invites a pasted list of people: shows the kind of each line, then sends the new ones. */
import type { PersonReply } from '../../lib/records.ts';
import { decodeText, type ListEntry, readAddressList, writeAddressList } from './address-list.js';
import { lists, postInvite, read } from './api.ts';
import { count, doubts, names, renamed, showLines } from './bulk-preview.ts';
import { askConcurrently, type Run } from './concurrent.ts';
import { afterPause, find, say } from './elements.ts';
import type { Invited } from './letters.ts';
import { mailing } from './mailing.ts';
import { formatCount } from './parts.ts';

const box = find('#many', HTMLDetailsElement);
const field = find('#many-list', HTMLTextAreaElement);
const file = find('#many-file', HTMLInputElement);
const message = find('#many-message', HTMLElement);
const start = find('#many-start', HTMLButtonElement);
const stop = find('#many-stop', HTMLButtonElement);
const progress = find('#many-progress', HTMLProgressElement);
const preview = find('#many-preview', HTMLElement);
const untold = find('#many-untold', HTMLElement);
const untoldCount = find('h3', HTMLElement, untold);

/** The longest list, in UTF-16 code units and in lines. */
const MAX_LENGTH = 1_000_000;
const MAX_LINES = 10_000;

/** Length from which a pasted text is put into the field by this program. */
const LONG = 20_000;

let lines: readonly ListEntry[] = [];
/** The text that was parsed into the lines. */
let shown = '';
/** The people of this list who are invited, and whether it still has others. */
let invited: Invited[] = [];
let isRest = false;
/** The service's answers by the text of the line, until the field is empty. */
const answers = new Map<string, string>();
let sending: Run | undefined;

const showLetters = mailing('Invitation', untold, async () => ({ people: invited, more: '' }));

async function take(chosen: File | undefined): Promise<void> {
  file.value = '';
  if (!chosen) return;
  // A character has at most 4 bytes. A little more is read, so that too much is found to be so.
  const bytes = await chosen.slice(0, 5 * MAX_LENGTH).arrayBuffer();
  const text = decodeText(new Uint8Array(bytes));
  // A spreadsheet itself is no text.
  if (text.includes('\0')) say(message, 'That file is not text. Please save it as CSV.', 'failed');
  else put(text, 0, field.value.length);
}

const TOO_LONG = `The list is too long: at most ${formatCount(MAX_LINES)} lines and ${formatCount(
  MAX_LENGTH,
)} characters. Please divide it.`;

/** Puts a text in the place of a part of the list. */
function put(text: string, from: number, to: number): void {
  const busy = 'Please wait until these are invited. The new list is not taken.';
  const fault = sending ? busy : text.length > MAX_LENGTH ? TOO_LONG : '';
  if (fault) {
    say(message, fault, 'failed');
    return;
  }
  field.setRangeText(text, from, to, 'end');
  showPreview();
}

/** Shows the kind of each line. @param report the outcome of the last action */
async function showPreview(report = '', className: 'done' | 'failed' | '' = ''): Promise<void> {
  if (sending) return;
  const { value } = field;
  const entries = value.length > MAX_LENGTH ? [] : readAddressList(value).map(renamed);
  if (value.length > MAX_LENGTH || entries.length > MAX_LINES) {
    show([]);
    return say(message, TOO_LONG, 'failed');
  }
  const problem = await compare(entries);
  if (value !== field.value || sending) return;
  shown = value;
  show(entries.map(answered));
  const left = lines.length > 0 ? `${report && 'Left in the list: '}${count(lines)}.` : '';
  const text = [report, left, doubts(lines), problem].filter(Boolean).join(' ');
  say(message, text, problem ? 'failed' : className);
}

/** Asks who is on the invite list already. @returns a sentence if that is not known */
async function compare(entries: readonly ListEntry[]): Promise<string> {
  if (entries.length === 0) {
    answers.clear();
    names.clear();
    isRest = false;
  }
  const asked = entries.filter(({ what, text }) => what === 'new' && !answers.has(text));
  if (asked.length === 0) return '';
  say(message, 'Comparing with the invite list…');
  // Of an invite list that is far longer than this one, only these people are looked for.
  const list = lists.invites(asked.length * 100, { sort: 'email', order: 'asc' });
  const listed = list.then(({ rows }) => new Set(rows.map(({ email }) => email)));
  const run: Run = {};
  await askConcurrently(asked, run, answers, async ({ email }) => {
    if ((await listed).has(email)) return 'already_invited';
    if ((await list).next === null) return 'new';
    const { person } = await read<PersonReply>('person', { email });
    return person?.status ? 'already_invited' : 'new';
  });
  return run.end ? 'The invite list cannot be read: some may be on it already.' : '';
}

const answered = (entry: ListEntry): ListEntry =>
  entry.what === 'new' ? { ...entry, what: answers.get(entry.text) ?? 'new' } : entry;

function show(wanted: readonly ListEntry[]): void {
  lines = wanted;
  showLines(lines);
  const { length } = lines.filter(({ what }) => what === 'new');
  start.hidden = length === 0;
  start.textContent = `Invite ${formatCount(length)}`;
}

/** Sends the new lines. The others stay in the field, to correct and send again. */
async function send(): Promise<void> {
  // Only lines that were shown are sent.
  if (field.value !== shown) return showPreview();
  const waiting = lines.filter(({ what }) => what === 'new');
  if (sending || waiting.length === 0) return;
  const run: Run = {};
  sending = run;
  if (!isRest) invited = [];
  progress.max = waiting.length;
  showSending(true);
  stop.focus();
  say(message, `Inviting ${formatCount(waiting.length)}…`);
  await askConcurrently(waiting, run, answers, async ({ email, firstName }) => {
    try {
      const reply = await postInvite(email, firstName);
      invited.push(reply.invite);
      return 'invited';
    } finally {
      progress.value += 1;
    }
  });
  sending = undefined;
  showSending(false);
  const isDone = ({ what }: ListEntry) => ['invited', 'already_invited', 'twice'].includes(what);
  const now = lines.map(answered);
  for (const { what, text } of now) if (what === 'invited') answers.set(text, 'already_invited');
  field.value = writeAddressList(now.filter((line) => !isDone(line)));
  isRest = field.value !== '';
  const are = `${formatCount(invited.length)} ${invited.length === 1 ? 'is' : 'are'}`;
  untoldCount.textContent = `${are} on the list. Nobody has been told yet.`;
  const done = count(now.filter(isDone)) || 'Nobody invited';
  dispatchEvent(new Event('invited'));
  await showPreview([run.end, `${done}.`].filter(Boolean).join(' '), run.end ? 'failed' : 'done');
  if (document.activeElement === document.body || document.activeElement === stop)
    (untold.hidden ? field : untold).focus();
}

function showSending(isSending: boolean): void {
  progress.value = 0;
  field.readOnly = isSending;
  for (const each of [progress, stop]) each.hidden = !isSending;
  start.hidden = isSending;
  preview.inert = isSending;
  untold.hidden = isSending || invited.length === 0;
  showLetters();
}

field.addEventListener('input', afterPause(showPreview));
preview.addEventListener('renamed', () => showPreview());
field.addEventListener('paste', (event) => {
  const text = event.clipboardData?.getData('text/plain') ?? '';
  if (text.length < LONG || sending) return;
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
start.addEventListener('click', send);
stop.addEventListener('click', () => {
  if (sending) sending.end ??= 'Stopped.';
});
addEventListener('beforeunload', (event) => sending && event.preventDefault());
// A browser may have restored the list from before a reload.
if (field.value !== '') showPreview();
