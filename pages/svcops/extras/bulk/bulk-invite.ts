/** Invites a list of people: the service says what each row is, and then saves the new ones. */
import { decodeText, decodeWindows1252 } from '../../../../lib/extras/bulk/decode.ts';
import { describeReading } from '../../../../lib/extras/bulk/reading.ts';
import type { InviteManyReply } from '../../../../lib/extras/bulk/reply.ts';
import type { PersonReply } from '../../../../lib/routes/replies.ts';
import { type Failure, post, read } from '../../api.ts';
import { afterPause, button, element, find, say } from '../../elements.ts';
import { showSavedList } from '../../filters.ts';
import { grid, showFew } from '../../list.ts';
import { type Content, formatCount, readableOf } from '../../parts.ts';
import { count, isWrong, type Line, wordsOf } from './bulk-lines.ts';

const field = find('#many-list', HTMLTextAreaElement);
const file = find('#many-file', HTMLInputElement);
const message = find('#many-message', HTMLElement);
const start = find('#many-start', HTMLButtonElement);
const preview = find('#many-preview', HTMLElement);
const warnings = find('#many-warning', HTMLElement);
const reading = find('#many-read', HTMLElement);
const ignoredColumns = find('#many-ignored', HTMLDetailsElement);
const all = find('#many-all', HTMLButtonElement);
const table = grid<Line>(find('.table', HTMLElement, preview), [
  ['Row', ({ line }) => formatCount(line), 'number'],
  ['Address', addressOf],
  ['First name', ({ firstName }) => firstName],
  ['Status', statusOf],
]);

const TOO_LARGE = 'The list is larger than 1 MB. Split it into smaller lists.';

/** More than the service takes, also in UTF-16. */
const MAX_FILE_BYTES = 2 * 1024 * 1024;

/** The text whose rows are shown, and how many of them are new. */
let shown = '';
let newCount = 0;
/** The addresses of the first and of the last new person. */
let newEnds: readonly string[] = [];
/** Whether the list is of a file that is not UTF-8, and was read as Windows-1252. */
let isGuessed = false;

async function take(chosen: File | undefined): Promise<void> {
  file.value = '';
  if (!chosen || field.readOnly) return;
  field.value = '';
  show('', []);
  if (chosen.size > MAX_FILE_BYTES) return say(message, TOO_LARGE, 'failed');
  const bytes = new Uint8Array(await chosen.arrayBuffer());
  const text = decodeText(bytes);
  const guess = text ?? decodeWindows1252(bytes);
  if (guess === undefined)
    return say(message, `${chosen.name} is no list. Save it as CSV UTF-8 and try again.`, 'failed');
  isGuessed = text === undefined;
  field.value = guess;
  showPreview();
}

const ask = (text: string, save = false): Promise<InviteManyReply | string> =>
  post<InviteManyReply>('invites/many', { text, save }).catch(({ code, message }: Failure) =>
    code === 'body_too_large' ? TOO_LARGE : message,
  );

/** Shows what each line is. */
async function showPreview(): Promise<void> {
  const { value } = field;
  if (value.trim() === '') {
    isGuessed = false;
    show('', []);
    return say(message, '');
  }
  if (value === shown) return;
  say(message, 'Comparing with the invite list…');
  const reply = await ask(value);
  if (value !== field.value || field.readOnly) return;
  if (typeof reply === 'string') {
    show('', []);
    start.hidden = false;
    start.textContent = 'Try again';
    return say(message, reply, 'failed');
  }
  show(value, reply.lines);
  showReading(reply);
  const found = reply.lines.length > 0 ? count(reply.lines) : 'No addresses';
  say(message, `${found}.`);
}

/** Says how the list was read: first what somebody should look at. */
function showReading(reply: InviteManyReply): void {
  const { ignored, lines, warning } = reply;
  const encoding = isGuessed ? `${adviseOnEncoding(lines)} ` : '';
  say(warnings, encoding + (warning ?? ''));
  reading.textContent = describeReading(reply);
  ignoredColumns.hidden = ignored.length === 0;
  ignoredColumns.open = false;
  find('summary', HTMLElement, ignoredColumns).textContent =
    `${formatCount(ignored.length, 'column')} ignored`;
  find('p', HTMLElement, ignoredColumns).textContent = `${ignored.join(', ')}.`;
  // Without people, the sentences stand alone.
  preview.hidden = lines.length === 0 && warning === null && reply.withoutAddress === 0;
}

/** A file in another encoding has other letters in the place of those beyond ASCII. */
function adviseOnEncoding(lines: readonly Line[]): string {
  const names = new Set<string>();
  for (const { firstName } of lines)
    if (firstName !== null && /[^ -~]/.test(firstName)) names.add(`“${firstName}”`);
  const check = names.size > 0 ? ` Check these names: ${[...names].join(', ')}.` : '';
  return `This file is not UTF-8. It was read as Windows-1252.${check}`;
}

function show(text: string, lines: readonly Line[]): void {
  shown = text;
  preview.hidden = lines.length === 0;
  // New people first, refused rows after them.
  const rank = (line: Line): number => {
    if (line.status === 'new') return line.suggestion ? 0 : 1;
    return isWrong(line) ? 2 : 3;
  };
  const sorted = [...lines].sort((a, b) => rank(a) - rank(b));
  showFew(table.body, all, sorted, (line) => table.row(line, `${line.line} ${line.email}`));
  const fresh = lines.filter(({ status }) => status === 'new');
  newCount = fresh.length;
  newEnds = endsOf(lines);
  start.hidden = newCount === 0;
  start.textContent = `Invite ${formatCount(newCount)}`;
}

/** The address, and its cell as it was typed, unless that is all of it. */
function addressOf(line: Line): Content {
  const text = element('small', '', line.text);
  if (!line.email) return text;
  const address = readableOf(line);
  return line.text.trim() === address ? address : element('span', '', `${address} `, text);
}

/** What a line is. A domain that is probably misspelt is corrected in the whole list by a press. */
function statusOf(line: Line): Content {
  const { email, status, suggestion } = line;
  const className = isWrong(line) ? 'failed' : status === 'new' ? 'done' : '';
  if (status !== 'new' || !suggestion) return element('span', className, wordsOf(line));
  return button(`Did you mean ${suggestion}?`, () => {
    const typed = email.replace(/.*@/, '').replaceAll('.', '\\.');
    const pattern = new RegExp(`@${typed}(?![\\w.-])`, 'gi');
    field.value = field.value.replace(pattern, `@${suggestion}`);
    field.focus();
    showPreview();
  });
}

/** Saves the new lines. Where others are wrong, the list stays, to correct and save again. */
async function save(): Promise<void> {
  // Only lines that were shown are saved.
  if (field.value !== shown) return showPreview();
  if (field.readOnly || newCount === 0) return;
  setSaving(true);
  say(message, `Inviting ${formatCount(newCount)}…`);
  const expected = newEnds;
  const reply = await ask(field.value, true);
  setSaving(false);
  shown = '';
  // Somebody else may have invited some of them in the meantime.
  const ends = typeof reply === 'string' ? expected : endsOf(reply.lines);
  const invitedAt = await momentOfSave(ends);
  if (typeof reply === 'string') {
    dispatchEvent(new Event('invited'));
    await showPreview();
    const now = message.textContent;
    if (invitedAt === undefined)
      return say(message, `${reply} The invitations may not have been saved. ${now}`, 'failed');
    say(message, `${reply} The list was saved. ${now}`);
    return showSavedList(invitedAt, 'The list was saved. Now send its invitations.');
  }
  const { added, lines } = reply;
  const wrong = lines.filter(isWrong).length;
  const invited = lines.filter(({ status }) => status === 'invited' || status === 'renames').length;
  const known = invited > 0 ? `, ${formatCount(invited)} already invited` : '';
  dispatchEvent(new Event('invited'));
  if (wrong === 0) field.value = '';
  await showPreview();
  const sentence = `${formatCount(added, 'guest')} added${known}.`;
  const needs = `${formatCount(wrong)} ${wrong === 1 ? 'row needs' : 'rows need'} fixing`;
  if (wrong > 0) say(message, `${sentence} ${needs}.`, 'failed');
  else say(message, sentence, 'done');
  // Also where rows are refused: the letters to the others can go.
  if (added > 0 && invitedAt !== undefined)
    await showSavedList(invitedAt, `${sentence} Now send their invitations.`);
}

/** The addresses of the first and of the last new person of a list. */
function endsOf(lines: readonly Line[]): readonly string[] {
  const fresh = lines.filter(({ status }) => status === 'new').map(({ email }) => email);
  return [...fresh.slice(0, 1), ...fresh.slice(-1)];
}

/**
 * When a list was saved, which is the moment of all its invites.
 *
 * @param ends addresses of people who were not invited before
 * @returns `undefined` if they were not invited at one moment, or nothing can be read
 */
async function momentOfSave(ends: readonly string[]): Promise<number | undefined> {
  const moments = new Set<number | undefined>();
  for (const email of ends) {
    const reply = await read<PersonReply>('person', { email }).catch(() => undefined);
    moments.add(reply?.person?.invitedAt ?? undefined);
  }
  const [moment] = moments;
  return moments.size === 1 ? moment : undefined;
}

function setSaving(saving: boolean): void {
  field.readOnly = saving;
  start.hidden = saving;
  preview.inert = saving;
}

field.addEventListener('input', afterPause(showPreview));
file.addEventListener('change', () => take(file.files?.[0]));
start.addEventListener('click', save);
// A browser may have restored the list from before a reload.
showPreview();
