/** Invites a list of people: the service says what each row is, and then saves the new ones. */
import { decodeText, decodeWindows1252 } from '../../../../lib/extras/bulk/decode.ts';
import { describeReading } from '../../../../lib/extras/bulk/reading.ts';
import type { InviteManyReply } from '../../../../lib/extras/bulk/reply.ts';
import { Failure, post } from '../../api.ts';
import { afterPause, button, element, find, say } from '../../elements.ts';
import { showSavedList } from '../../filters.ts';
import { grid, showFew } from '../../list.ts';
import { type Content, formatCount, readableOf, withBadge } from '../../parts.ts';
import { classOf, countKinds, inOrder, isWrong, type Line, wordsOf } from './bulk-lines.ts';
import { findSavedList, type SavedList } from './saved-list.ts';

const field = find('#many-list', HTMLTextAreaElement);
const file = find('#many-file', HTMLInputElement);
const message = find('#many-message', HTMLElement);
const start = find('#many-start', HTMLButtonElement);
const preview = find('#many-preview', HTMLElement);
const warnings = find('#many-warning', HTMLElement);
const reading = find('#many-read', HTMLElement);
const ignoredColumns = find('#many-ignored', HTMLDetailsElement);
const all = find('#many-all', HTMLButtonElement);
const range = find('#many-shown', HTMLElement);
const table = grid<Line>(find('.table', HTMLElement, preview), [
  ['Row', ({ line }) => formatCount(line), 'number'],
  ['Address', addressOf],
  ['First name', nameOf],
  ['Status', statusOf],
]);

const TOO_LARGE = 'The list is larger than 1 MB. Split it into smaller lists.';

type LostSave = {
  /** The addresses of the new people. */
  readonly emails: ReadonlySet<string>;
  /** The message in the meantime. */
  readonly warning: string;
};

/** More than the service takes, also in UTF-16. */
const MAX_FILE_BYTES = 2 * 1024 * 1024;

/** The text whose rows are shown, and the addresses of the new people in it. */
let shown = '';
let newEmails: ReadonlySet<string> = new Set();
/** A save without a reply, until it is known whether it invited people. */
let unsure: LostSave | undefined;
/** Whether the list is from a file that is not UTF-8, and was read as Windows-1252. */
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

const ask = (text: string, save = false): Promise<InviteManyReply | Failure> =>
  post<InviteManyReply>('invites/many', { text, save }).catch((failure: Failure) => failure);

const reasonOf = ({ code, message }: Failure): string =>
  code === 'body_too_large' ? TOO_LARGE : message;

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
  if (reply instanceof Failure) {
    show('', []);
    return offerAgain(unsure?.warning ?? reasonOf(reply));
  }
  show(value, reply.lines);
  showReading(reply);
  sayCounts('', reply.lines);
  if (unsure) await settle(unsure, reply.lines);
}

/** Says why nothing was compared or saved. The button then compares the list again. */
function offerAgain(why: string): void {
  shown = '';
  start.hidden = false;
  start.textContent = 'Try again';
  say(message, why, 'failed');
}

/**
 * Shows a sentence, then how many lines of each kind there are, as chips. Screen readers read
 * commas between them.
 */
function sayCounts(sentence: string, lines: readonly Line[], className: 'failed' | '' = ''): void {
  say(message, sentence === '' ? '' : `${sentence} `, className);
  const counts = countKinds(lines);
  if (counts.length === 0) {
    message.append('No addresses.');
    return;
  }
  for (const [i, { words, className }] of counts.entries()) {
    if (i > 0) message.append(element('span', 'hidden', ', '));
    message.append(element('span', `chip ${className}`.trim(), words));
  }
  message.append(element('span', 'hidden', '.'));
}

/** Says how the list was read. What the administrator should check comes first. */
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
  // Without people, only the sentences are shown.
  preview.hidden = lines.length === 0 && warning === null && reply.withoutAddress === 0;
}

/** If the encoding was guessed wrongly, letters beyond ASCII are wrong. */
function adviseOnEncoding(lines: readonly Line[]): string {
  const names = new Set<string>();
  for (const { firstName } of lines) {
    const hasOtherLetters = /[^ -~]/.test(firstName ?? '');
    if (hasOtherLetters) names.add(`“${firstName}”`);
  }
  const check = names.size > 0 ? ` Check these names: ${[...names].join(', ')}.` : '';
  return `This file is not UTF-8. It was read as Windows-1252.${check}`;
}

function show(text: string, lines: readonly Line[]): void {
  shown = text;
  preview.hidden = lines.length === 0;
  // A new list is shown from its beginning.
  delete all.dataset.pressed;
  const make = (line: Line) => table.row(line, `${line.line} ${line.email}`);
  showFew(table.body, all, inOrder(lines), make, 'row', range);
  newEmails = emailsOfNew(lines);
  start.hidden = newEmails.size === 0;
  start.textContent = `Invite ${formatCount(newEmails.size)}`;
}

function emailsOfNew(lines: readonly Line[]): ReadonlySet<string> {
  const fresh = lines.filter(({ status }) => status === 'new');
  return new Set(fresh.map(({ email }) => email));
}

/** The first name, with a mark if the administrator should check it. */
function nameOf({ firstName, isDoubtful }: Line): Content {
  return isDoubtful ? withBadge(firstName, 'check') : firstName;
}

/** The address, and its cell as it was typed if the cell has more. */
function addressOf(line: Line): Content {
  if (!line.email) return line.text;
  const text = element('small', '', line.text);
  const address = readableOf(line);
  return line.text.trim() === address ? address : element('span', '', `${address} `, text);
}

/** The kind of a line. One press corrects a domain in the whole list that is probably misspelt. */
function statusOf(line: Line): Content {
  const { email, suggestion } = line;
  const words = element('span', classOf(line), wordsOf(line));
  if (!suggestion) return words;
  const mend = button(`Did you mean ${suggestion}?`, () => {
    const typed = email.replace(/.*@/, '').replaceAll('.', '\\.');
    // For `gmial.com`: `@gmial.com,`, not `@gmial.com.au`.
    const pattern = new RegExp(`@${typed}(?![\\w.-])`, 'gi');
    field.value = field.value.replace(pattern, `@${suggestion}`);
    field.focus();
    showPreview();
  });
  return element('span', '', words, ' ', mend);
}

/** Saves the new lines. If others are wrong, the list stays, so that they can be corrected. */
async function save(): Promise<void> {
  // Only lines that are shown are saved.
  if (field.value !== shown) return showPreview();
  if (field.readOnly || newEmails.size === 0) return;
  setSaving(true);
  say(message, `Inviting ${formatCount(newEmails.size)}…`);
  const emails = newEmails;
  const reply = await ask(field.value, true);
  setSaving(false);
  if (reply instanceof Failure) {
    if (reply.kind === 'ended' || reply.kind === 'refused')
      return offerAgain(`Not invited. ${reasonOf(reply)}`);
    const warning = `${reply.message} The invitations may not have been saved.`;
    unsure = { emails, warning };
    shown = '';
    dispatchEvent(new Event('invited'));
    return showPreview();
  }
  if (reply.added > 0) unsure = undefined;
  dispatchEvent(new Event('invited'));
  const { added, lines } = reply;
  const sentence = await conclude(added, countKnown(lines), lines);
  if (added === 0) return;
  // The letters to the others can be sent even if rows were refused.
  const saved = await findSavedList(emailsOfNew(lines)).catch(() => undefined);
  if (saved) await leadOn(saved, sentence);
}

/**
 * Finds out whether a save without a reply invited people.
 *
 * @param lines of the list, compared after the save
 */
async function settle(lost: LostSave, lines: readonly Line[]): Promise<void> {
  const { emails, warning } = lost;
  const saved = await findSavedList(emails).catch((failure: Failure) => failure);
  if (unsure !== lost) return;
  if (saved instanceof Failure) return offerAgain(warning);
  if (!saved) return sayCounts(warning, lines, 'failed');
  unsure = undefined;
  await leadOn(saved, await conclude(saved.count, countKnown(lines) - saved.count, lines));
}

const countKnown = (lines: readonly Line[]): number =>
  lines.filter(({ status }) => status === 'invited' || status === 'renames').length;

/**
 * Shows the result of a save. Clears the list unless rows of it need corrections.
 *
 * @param added the number of people whom it invited
 * @param known the number of people who were invited before
 * @returns `12 guests added, 1 already invited.`
 */
async function conclude(added: number, known: number, lines: readonly Line[]): Promise<string> {
  const others = known > 0 ? `, ${formatCount(known)} already invited` : '';
  const sentence = `${formatCount(added, 'guest')} added${others}.`;
  const wrong = lines.filter(isWrong).length;
  if (wrong === 0) field.value = '';
  shown = '';
  await showPreview();
  const needs = `${formatCount(wrong)} ${wrong === 1 ? 'row needs' : 'rows need'} fixing`;
  if (wrong > 0) say(message, `${sentence} ${needs}.`, 'failed');
  else say(message, sentence, 'done');
  return sentence;
}

const leadOn = ({ invitedAt }: SavedList, sentence: string): Promise<void> =>
  showSavedList(invitedAt, `${sentence} Now send their invitations.`);

function setSaving(saving: boolean): void {
  field.readOnly = saving;
  start.hidden = saving;
  preview.inert = saving;
}

field.addEventListener('input', () => {
  unsure = undefined;
});
field.addEventListener('input', afterPause(showPreview));
addEventListener('online', () => {
  if (unsure) showPreview();
});
file.addEventListener('change', () => take(file.files?.[0]));
start.addEventListener('click', save);
// After a reload, a browser may have restored the list.
showPreview();
