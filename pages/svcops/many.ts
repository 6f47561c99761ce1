/** Invites a pasted list of people: shows what each line is, then sends the new ones. */
import {
  type AddressList,
  decodeFile,
  type Entry,
  MAX_LENGTH,
  MAX_LINES,
  readList,
  writeList,
} from './address-list.ts';
import { lists } from './api.ts';
import { find } from './elements.ts';
import { copyText, formatCount, mailbox, NO_COPY } from './parts.ts';
import { count, type Line, showLines, type What } from './preview.ts';
import { type Outcome, type Sending, sendAll } from './sending.ts';

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

let list: AddressList = { heading: '', entries: [] };
let lines: readonly Line[] = [];
/** Addresses on the invite list; read once for a list. */
let listed: Promise<ReadonlySet<string>> | undefined;
/** Addresses that the service has refused. */
const refused = new Set<string>();
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
    if (text.length < LONG || sending) return;
    // Typed by the browser, a long text stops the page for a minute.
    event.preventDefault();
    if (text.length > MAX_LENGTH) return say(TOO_LONG, 'failed');
    field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end');
    showPreview();
  });
  file.addEventListener('change', () => take(file.files?.[0]));
  box.addEventListener('dragover', (event) => event.preventDefault());
  box.addEventListener('drop', (event) => {
    const dropped = event.dataTransfer?.files[0];
    if (!dropped) return;
    event.preventDefault();
    take(dropped);
  });
  start.addEventListener('click', async () => {
    await send();
    readNow();
  });
  stop.addEventListener('click', () => sending?.stop());
  copy.addEventListener('click', async () => {
    const done = await copyText(invited.map(mailbox).join(',\n'));
    copied.textContent = done ? 'Copied.' : `${NO_COPY} The invite list shows the newest first.`;
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
  if (!chosen || sending) return;
  // A character has at most 4 bytes.
  if (chosen.size > 4 * MAX_LENGTH) return say(TOO_LONG, 'failed');
  const text = decodeFile(new Uint8Array(await chosen.arrayBuffer()));
  if (text.length > MAX_LENGTH) return say(TOO_LONG, 'failed');
  // A spreadsheet itself is no text.
  if (text.includes('\0')) return say('That file is not text. Please save it as CSV.', 'failed');
  field.value = text;
  showPreview();
}

async function showPreview(): Promise<void> {
  if (sending) return;
  const { value } = field;
  list = readList(value);
  if (value.length > MAX_LENGTH || list.entries.length > MAX_LINES) {
    lines = [];
    show();
    say(TOO_LONG, 'failed');
    return;
  }
  const problem = await compare();
  if (value !== field.value || sending) return;
  show();
  const counts = count(lines);
  say(lines.length > 0 ? `${counts}.${problem}` : '', problem ? 'failed' : '');
}

/** Tells new lines from people who are on the list. @returns a sentence, if it cannot */
async function compare(): Promise<string> {
  if (list.entries.length > 0) listed ??= readListed();
  let known: ReadonlySet<string> = new Set();
  let problem = '';
  try {
    if (listed) known = await listed;
  } catch {
    listed = undefined;
    problem = ' The invite list cannot be read: some may be on it already.';
  }
  lines = list.entries.map((entry) => ({ ...entry, what: whatIs(entry, known) }));
  return problem;
}

function whatIs({ fault, email }: Entry, known: ReadonlySet<string>): What {
  if (fault) return fault;
  if (known.has(email)) return 'listed';
  return refused.has(email) ? 'refused' : 'new';
}

async function readListed(): Promise<ReadonlySet<string>> {
  say('Comparing with the invite list…');
  const { rows } = await lists.invites(Infinity, { sort: 'email', order: 'asc' });
  return new Set(rows.map(({ email }) => email));
}

function show(): void {
  showLines(lines);
  const news = lines.filter(({ what }) => what === 'new').length;
  start.hidden = sending !== undefined || news === 0;
  start.textContent = `Invite ${formatCount(news)}`;
  stop.hidden = !sending;
  progress.hidden = !sending;
}

/** Sends the new lines. What is then left in the field can be mended and sent again. */
async function send(): Promise<void> {
  const waiting = lines.filter(({ what }) => what === 'new');
  if (sending || waiting.length === 0) return;
  progress.max = waiting.length;
  progress.value = 0;
  sending = sendAll(waiting, (number) => {
    progress.value = number;
  });
  field.readOnly = true;
  copy.hidden = true;
  copied.textContent = '';
  show();
  stop.focus();
  say(`Inviting ${formatCount(waiting.length)}…`);
  const outcomes = await sending.ended;
  const end = ENDS[sending.reason() ?? 'done'];
  sending = undefined;
  field.readOnly = false;
  await finish(outcomes, end);
}

async function finish(outcomes: ReadonlyMap<Entry, Outcome>, end: string): Promise<void> {
  const isListed = (line: Line) =>
    outcomes.get(line) === 'listed' || line.what === 'listed' || line.what === 'twice';
  const present = lines.filter(isListed).length;
  invited = lines.filter((line) => outcomes.get(line) === 'invited');
  for (const [{ email }, outcome] of outcomes) if (outcome === 'refused') refused.add(email);
  const left = lines.filter((line) => !isListed(line) && !invited.includes(line));
  field.value = writeList(list.heading, left);
  list = readList(field.value);
  listed = undefined;
  await compare();
  show();
  const sentences = [
    end,
    `${formatCount(invited.length)} invited.`,
    present > 0 ? `${formatCount(present)} already invited or twice in the list.` : '',
    lines.length > 0 ? `Left in the list: ${count(lines)}.` : '',
  ];
  say(sentences.filter(Boolean).join(' '), end ? 'failed' : 'done');
  copy.hidden = invited.length === 0;
  if (document.activeElement === document.body || document.activeElement === stop)
    (copy.hidden ? field : copy).focus();
}

const ENDS = {
  done: '',
  stopped: 'Stopped.',
  ended: 'Stopped: your session has ended, or you are no longer an administrator.',
  offline: 'Stopped: no connection to the service.',
  unavailable: 'Stopped: the service cannot answer just now.',
} as const;

function say(text: string, className: 'done' | 'failed' | '' = ''): void {
  message.className = className;
  message.textContent = text;
}
