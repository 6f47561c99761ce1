/** Invites a pasted list of people: shows what each line is, then sends the new ones. */
import {
  decodeFile,
  type Entry,
  MAX_LENGTH,
  MAX_LINES,
  readList,
  writeList,
} from './address-list.ts';
import { lists } from './api.ts';
import { find } from './elements.ts';
import { copyTo, mailbox } from './letters.ts';
import { formatCount } from './parts.ts';
import { count, type Line, showLines } from './preview.ts';
import { type Sending, sendAll } from './sending.ts';

const box = find('#many', HTMLDetailsElement);
const field = find('#many-list', HTMLTextAreaElement);
const file = find('#many-file', HTMLInputElement);
const message = find('#many-message', HTMLElement);
const start = find('#many-start', HTMLButtonElement);
const stop = find('#many-stop', HTMLButtonElement);
const progress = find('#many-progress', HTMLProgressElement);
const copy = find('#many-copy', HTMLButtonElement);
const copied = find('#many-copied', HTMLElement);

/** Length from which a pasted text is put into the field by this program. */
const LONG = 20_000;

/** How long typing must pause before the preview, in ms. */
const PAUSE = 250;

let lines: readonly Line[] = [];
/** The text of the field that the lines are from. */
let shown = '';
/** Addresses on the invite list; read again after an empty field and after the invites. */
let listed: Promise<ReadonlySet<string>> | undefined;
/** Texts of lines that the service has refused, with its error codes. */
const refused = new Map<string, string>();
let invited: readonly Line[] = [];
let sending: Sending | undefined;

/** Calls `readNow` after the invites were sent. */
export function wireMany(readNow: () => Promise<unknown>): void {
  let timer = 0;
  field.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(showPreview, PAUSE);
  });
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
  start.addEventListener('click', async () => {
    await send();
    readNow();
  });
  stop.addEventListener('click', () => {
    if (sending) sending.end ??= 'stopped';
  });
  copy.addEventListener('click', () => {
    const text = invited.map(mailbox).join(',\n');
    copyTo(copied, { text }, 'The invite list shows the newest first.');
  });
  addEventListener('beforeunload', (event) => sending && event.preventDefault());
  // A browser may have restored the list from before a reload.
  if (field.value !== '') showPreview();
}

const TOO_LONG = `The list is too long: at most ${formatCount(MAX_LINES)} lines and ${formatCount(
  MAX_LENGTH,
)} characters. Please divide it.`;

async function take(chosen: File | undefined): Promise<void> {
  file.value = '';
  if (!chosen) return;
  // A character has at most 4 bytes.
  if (chosen.size > 4 * MAX_LENGTH) return say(TOO_LONG, 'failed');
  const text = decodeFile(new Uint8Array(await chosen.arrayBuffer()));
  // A spreadsheet itself is no text.
  if (text.includes('\0')) return say('That file is not text. Please save it as CSV.', 'failed');
  put(text, 0, field.value.length);
}

/** Puts a text in the place of a part of the list. */
function put(text: string, start: number, end: number): void {
  if (sending) {
    say('Please wait until these are invited. The new list is not taken.', 'failed');
    return;
  }
  if (text.length > MAX_LENGTH) {
    say(TOO_LONG, 'failed');
    return;
  }
  field.setRangeText(text, start, end, 'end');
  showPreview();
}

/** Shows what each line is. @param report what was done before */
async function showPreview(report = '', className: 'done' | 'failed' | '' = ''): Promise<void> {
  if (sending) return;
  const { value } = field;
  const entries = value.length > MAX_LENGTH ? [] : readList(value);
  if (value.length > MAX_LENGTH || entries.length > MAX_LINES) {
    show([]);
    return say(TOO_LONG, 'failed');
  }
  const known = await compare(entries);
  if (value !== field.value || sending) return;
  shown = value;
  show(
    entries.map((entry): Line => {
      const { text, email, fault } = entry;
      const what = fault ?? (known?.has(email) ? 'already_invited' : refused.get(text));
      return { ...entry, what: what ?? 'new' };
    }),
  );
  const left = lines.length > 0 ? `${report && 'Left in the list: '}${count(lines)}.` : '';
  const problem = known ? '' : 'The invite list cannot be read: some may be on it already.';
  say([report, left, problem].filter(Boolean).join(' '), known ? className : 'failed');
}

/** Reads the invite list, if there are people to compare with it; `undefined` if that fails. */
async function compare(entries: readonly Entry[]): Promise<ReadonlySet<string> | undefined> {
  if (entries.length === 0) listed = undefined;
  else listed ??= readListed();
  try {
    return (await listed) ?? new Set();
  } catch {
    listed = undefined;
    return undefined;
  }
}

async function readListed(): Promise<ReadonlySet<string>> {
  say('Comparing with the invite list…');
  const { rows } = await lists.invites(Infinity, { sort: 'email', order: 'asc' });
  return new Set(rows.map(({ email }) => email));
}

function show(wanted: readonly Line[]): void {
  lines = wanted;
  showLines(lines);
  const { length } = lines.filter(({ what }) => what === 'new');
  start.hidden = length === 0;
  start.textContent = `Invite ${formatCount(length)}`;
}

/** Sends the new lines. What is then left in the field can be mended and sent again. */
async function send(): Promise<void> {
  // Nobody is invited whose line was not shown.
  if (field.value !== shown) return showPreview();
  const waiting = lines.filter(({ what }) => what === 'new');
  if (sending || waiting.length === 0) return;
  const current: Sending = { answers: new Map() };
  sending = current;
  progress.max = waiting.length;
  showSending(true);
  stop.focus();
  say(`Inviting ${formatCount(waiting.length)}…`);
  await sendAll(waiting, current, () => {
    progress.value = current.answers.size;
  });
  sending = undefined;
  showSending(false);
  await finish(current.answers, ENDS[current.end ?? 'done']);
}

function showSending(isSending: boolean): void {
  progress.value = 0;
  field.readOnly = isSending;
  for (const each of [progress, stop]) each.hidden = !isSending;
  for (const each of [start, copy]) each.hidden = isSending;
  copied.textContent = '';
}

async function finish(answers: Sending['answers'], end: string): Promise<void> {
  const answered = lines.map((line) => ({ ...line, what: answers.get(line) ?? line.what }));
  const isDone = ({ what }: Line) => ['invited', 'already_invited', 'twice'].includes(what);
  invited = answered.filter(({ what }) => what === 'invited');
  for (const [line, code] of answers)
    if (!isDone({ ...line, what: code })) refused.set(line.text, code);
  field.value = writeList(answered.filter((line) => !isDone(line)));
  listed = undefined;
  copy.hidden = invited.length === 0;
  const done = count(answered.filter(isDone)) || 'Nobody invited';
  await showPreview([end, `${done}.`].filter(Boolean).join(' '), end ? 'failed' : 'done');
  if (document.activeElement === document.body || document.activeElement === stop)
    (copy.hidden ? field : copy).focus();
}

const ENDS: Readonly<Record<NonNullable<Sending['end']> | 'done', string>> = {
  done: '',
  stopped: 'Stopped.',
  ended: 'Stopped: your session has ended, or you are no longer an administrator.',
  offline: 'Stopped: no connection to the service.',
  unavailable: 'Stopped: the service cannot answer just now.',
  refused: '',
};

function say(text: string, className: 'done' | 'failed' | '' = ''): void {
  message.className = className;
  message.textContent = text;
}
