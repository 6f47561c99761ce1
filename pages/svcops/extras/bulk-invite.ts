/** Invites a list of people: the service says what each line is, and then saves the new ones. */
import { decodeText, LINE_MISTAKES } from '../../../lib/extras/bulk/mistakes.ts';
import type { InviteLine, InviteManyReply } from '../../../lib/extras/bulk/reply.ts';
import type { WithReadable } from '../../../lib/records.ts';
import { type Failure, post } from '../api.ts';
import { afterPause, button, element, find, say } from '../elements.ts';
import { grid, showFew } from '../list.ts';
import { type Content, formatCount, readableOf } from '../parts.ts';

type Line = WithReadable<InviteLine>;

const field = find('#many-list', HTMLTextAreaElement);
const file = find('#many-file', HTMLInputElement);
const message = find('#many-message', HTMLElement);
const start = find('#many-start', HTMLButtonElement);
const preview = find('#many-preview', HTMLElement);
const all = find('#many-all', HTMLButtonElement);
const table = grid<Line>(find('.table', HTMLElement, preview), [
  ['Line', ({ line }) => formatCount(line), 'number'],
  ['Address', addressOf],
  ['First name', ({ firstName }) => firstName],
  ['Status', statusOf],
]);

const TOO_LARGE = 'The list is larger than 1 MB. Split it into smaller lists.';

/** More than the service takes, also in UTF-16. */
const MAX_FILE_BYTES = 2 * 1024 * 1024;

/** The text whose lines are shown, and how many of them are new. */
let shown = '';
let newCount = 0;

/** The kinds of lines, in the order of the summary. */
const WORDS: Readonly<Record<string, string>> = {
  new: 'new',
  invited: 'already invited',
  renames: 'already invited with another first name',
  twice: 'duplicate',
  ...LINE_MISTAKES,
};

const kindOf = ({ status, reason }: Line): string => reason ?? status;

/** Whether a line has to be corrected. */
const isWrong = ({ status, reason }: Line): boolean => status === 'refused' && reason !== 'twice';

async function take(chosen: File | undefined): Promise<void> {
  file.value = '';
  if (!chosen || field.readOnly) return;
  field.value = '';
  show('', []);
  if (chosen.size > MAX_FILE_BYTES) return say(message, TOO_LARGE, 'failed');
  const text = decodeText(new Uint8Array(await chosen.arrayBuffer()));
  if (text === undefined)
    return say(
      message,
      `${chosen.name} is not UTF-8. Save it as CSV UTF-8 and try again.`,
      'failed',
    );
  field.value = text;
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
  const { ignored, warning } = reply;
  const columns = ignored.length > 0 ? `Ignored: ${ignored.join(', ')}.` : '';
  say(message, [`${count(reply.lines)}.`, columns, warning].filter(Boolean).join(' '));
}

function show(text: string, lines: readonly Line[]): void {
  shown = text;
  preview.hidden = lines.length === 0;
  // First what needs a look.
  const rank = (line: Line) => (isWrong(line) ? 0 : line.suggestion ? 1 : 2);
  const sorted = [...lines].sort((a, b) => rank(a) - rank(b));
  showFew(
    table.body,
    all,
    sorted.map((line) => table.row(line, `${line.line} ${line.email}`)),
  );
  newCount = lines.filter(({ status }) => status === 'new').length;
  start.hidden = newCount === 0;
  start.textContent = `Invite ${formatCount(newCount)}`;
}

/** The address, and the line as it was typed, unless that is all of it. */
function addressOf(line: Line): Content {
  const text = element('small', '', line.text.slice(0, 200));
  if (!line.email) return text;
  const address = readableOf(line);
  return line.text.trim() === address ? address : element('span', '', `${address} `, text);
}

/** What a line is. A domain that is probably misspelt is corrected in the whole list by a press. */
function statusOf(line: Line): Content {
  const { email, status, suggestion } = line;
  const className = isWrong(line) ? 'failed' : status === 'new' ? 'done' : '';
  if (status !== 'new' || !suggestion)
    return element('span', className, WORDS[kindOf(line)] ?? kindOf(line));
  return button(`Did you mean ${suggestion}?`, () => {
    const typed = email.replace(/.*@/, '').replaceAll('.', '\\.');
    const pattern = new RegExp(`@${typed}(?![\\w.-])`, 'gi');
    field.value = field.value.replace(pattern, `@${suggestion}`);
    field.focus();
    showPreview();
  });
}

/** `78 new, 3 already invited` */
function count(lines: readonly Line[]): string {
  return Object.entries(WORDS)
    .map(([kind, words]) => ({ words, of: lines.filter((line) => kindOf(line) === kind).length }))
    .flatMap(({ words, of }) => (of > 0 ? `${formatCount(of)} ${words}` : []))
    .join(', ');
}

/** Saves the new lines. Where others are wrong, the list stays, to correct and save again. */
async function save(): Promise<void> {
  // Only lines that were shown are saved.
  if (field.value !== shown) return showPreview();
  if (field.readOnly || newCount === 0) return;
  setSaving(true);
  say(message, `Inviting ${formatCount(newCount)}…`);
  const reply = await ask(field.value, true);
  setSaving(false);
  shown = '';
  if (typeof reply === 'string') {
    await showPreview();
    const now = message.textContent;
    return say(message, `${reply} The invitations may not have been saved. ${now}`, 'failed');
  }
  const { added, lines } = reply;
  const wrong = lines.filter(isWrong).length;
  const invited = lines.filter(({ status }) => status === 'invited' || status === 'renames').length;
  const known = invited > 0 ? `, ${formatCount(invited)} already invited` : '';
  dispatchEvent(new Event('invited'));
  if (wrong === 0) {
    field.value = '';
    location.hash = 'status=pending&since=today';
  }
  await showPreview();
  const needs = `${formatCount(wrong)} ${wrong === 1 ? 'needs' : 'need'} fixing`;
  if (wrong > 0) return say(message, `${formatCount(added)} invited${known}, ${needs}.`, 'failed');
  const sentence = `${formatCount(added, 'guest')} added${known}. Now send their invitations.`;
  say(message, sentence, 'done');
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
