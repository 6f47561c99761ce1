/**
 * Invites a list. It is read here, in the browser; the person corrects the two columns and looks at
 * the problems, and only the button sends something.
 */
import { decodeFile } from '../../lib/csv.ts';
import {
  describeLines,
  type Guests,
  guestsOf,
  type List,
  ListError,
  readList,
} from '../../lib/guest-list.ts';
import type { InvitedMany, ListedGuest } from '../../lib/records.ts';
import { find } from '../everyone/shared.ts';
import { report, send } from './api.ts';
import { countOf, formatCount, whileBusy } from './elements.ts';
import { invitedGuests, saveCsv } from './guests.ts';
import { type Line, problemLines, REASONS, showLines } from './review.ts';

const form = find('#many-form', HTMLFormElement);
const text = find('#many-text', HTMLTextAreaElement);
const file = find('#many-file', HTMLInputElement);
const columns = find('#columns', HTMLElement);
const addresses = find('#address-column', HTMLSelectElement);
const names = find('#name-column', HTMLSelectElement);
const firstWord = find('#first-word', HTMLInputElement);
const outcome = find('#outcome', HTMLElement);
const nameless = find('#nameless', HTMLElement);
const review = find('#review', HTMLElement);
const invite = find('#many-invite', HTMLButtonElement);
const csv = find('#many-csv', HTMLButtonElement);

type People = Guests['guests'];

/** The list under review, and who of it is to be invited. */
let list: List | undefined;
let fresh: People = [];
/** Who was invited by the last press. */
let invited: readonly ListedGuest[] = [];

/** Reads the text, and proposes columns. */
function readText(): void {
  clear();
  try {
    list = readList(text.value);
  } catch (error) {
    if (!(error instanceof ListError)) throw error;
    say('failed', `This list cannot be read: ${error.message}.`);
    return;
  }
  if (list.addressColumn === null) {
    say('failed', 'There is no email address in this list.');
    return;
  }
  offerColumns(list);
  showReview();
}

function offerColumns({ columns: all, addressColumn, firstNameColumn }: List): void {
  // A single column leaves nothing to choose.
  columns.hidden = all.length < 2;
  const options = all.map(
    ({ index, heading, samples }) =>
      new Option(`${heading || `Column ${index + 1}`}: ${samples.join(' · ')}`, String(index)),
  );
  addresses.replaceChildren(...options.map((option) => option.cloneNode(true)));
  names.replaceChildren(new Option('none', ''), ...options);
  addresses.value = String(addressColumn ?? '');
  names.value = String(firstNameColumn ?? '');
  firstWord.checked = false;
}

function showReview(): void {
  if (!list) return;
  const read = guestsOf(list, {
    address: Number(addresses.value),
    firstName: names.value === '' ? null : Number(names.value),
    firstWordOnly: firstWord.checked,
  });
  const known = new Set(invitedGuests().map(({ email }) => email));
  const old = read.guests.filter(({ email }) => known.has(email));
  fresh = read.guests.filter(({ email }) => !known.has(email));
  const problems = problemLines(read);
  showLines([...problems, ...linesOf(old, 'Already invited'), ...linesOf(fresh, 'New')]);
  const parts = [
    `${formatCount(fresh.length)} new`,
    `${formatCount(old.length)} already invited`,
    `${formatCount(read.problems.length)} refused`,
  ];
  const twice = read.duplicates.length;
  if (twice > 0) parts.push(`${formatCount(twice)} twice in this list`);
  const without = describeLines(read.withoutAddress);
  if (without !== '') parts.push(`without an address: ${without}`);
  say('', parts.join(' · '));
  // A list with other columns may have names in one of them.
  const isNameless = names.value === '' && list.columns.length > 1 && fresh.length > 0;
  nameless.hidden = !isNameless;
  const suffix = isNameless ? ' without first names' : '';
  invite.textContent = `Invite ${countOf(fresh.length, 'guest')}${suffix}`;
  invite.hidden = fresh.length === 0;
  csv.hidden = true;
  review.hidden = false;
}

function linesOf(people: People, result: string): readonly Line[] {
  return people.map((person) => ({ ...person, result, isProblem: false }));
}

function say(className: 'done' | 'failed' | '', words: string): void {
  outcome.className = className;
  outcome.textContent = words;
}

function clear(): void {
  list = undefined;
  columns.hidden = true;
  nameless.hidden = true;
  review.hidden = true;
  say('', '');
}

/** @param changed reads the invite list again */
async function inviteAll(changed: () => Promise<void>): Promise<void> {
  const sent = fresh;
  const invites = sent.map(({ email, firstName }) => ({ email, firstName }));
  const reply = await send<InvitedMany>('/api/svcops/invites/many', { invites });
  form.reset();
  clear();
  await changed();
  showInvited(sent, reply);
}

/** What happened, and to whom. */
function showInvited(sent: People, { added, invited: already, refused }: InvitedMany) {
  const reasons = new Map(refused.map(({ index, reason }) => [index, reason]));
  const lines = sent.map((person, index) => {
    const reason = reasons.get(index);
    const result = reason ? REASONS[reason] : 'Invited';
    return { ...person, result, isProblem: reason !== undefined };
  });
  showLines(lines);
  const emails = new Set(sent.map(({ email }) => email));
  invited = invitedGuests().filter(({ email }) => emails.has(email));

  const parts = [`Invited ${countOf(added, 'guest')}.`];
  // Another administrator may have been faster.
  if (already > 0) parts.push(`${formatCount(already)} already invited.`);
  if (refused.length > 0) parts.push(`${formatCount(refused.length)} refused.`);
  say('done', parts.join(' '));
  invite.hidden = true;
  csv.hidden = invited.length === 0;
  review.hidden = false;
  outcome.focus();
}

async function readFile(chosen: File | undefined): Promise<void> {
  if (!chosen) return;
  text.value = decodeFile(new Uint8Array(await chosen.arrayBuffer()));
  readText();
}

/** @param changed reads the invite list again after an invitation */
export function startMany(changed: () => Promise<void>): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    readText();
  });
  // What was reviewed is what is invited.
  text.addEventListener('input', clear);
  // So that the same file can be chosen again after a correction.
  file.addEventListener('click', () => {
    file.value = '';
  });
  file.addEventListener('change', () => readFile(file.files?.[0]).catch(report));
  form.addEventListener('dragover', (event) => event.preventDefault());
  form.addEventListener('drop', (event) => {
    const dropped = event.dataTransfer?.files[0];
    if (!dropped) return;
    event.preventDefault();
    readFile(dropped).catch(report);
  });
  for (const choice of [addresses, names, firstWord]) choice.addEventListener('change', showReview);
  invite.addEventListener('click', () => {
    whileBusy(invite, () => inviteAll(changed).catch(report));
  });
  csv.addEventListener('click', () => saveCsv(invited, 'invited.csv'));
}
