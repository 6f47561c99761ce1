/**
 * Invites a list. It is read here, in the browser; the person corrects the two columns and looks at
 * the problems, and only the button sends something.
 */
import { decodeFile } from '../../lib/csv.ts';
import {
  describeWithout,
  type List,
  type Person,
  type Result,
  readList,
  readPeople,
} from '../../lib/guest-list.ts';
import type { InvitedMany, ListedGuest, NewGuest } from '../../lib/records.ts';
import { find } from '../everyone/shared.ts';
import { report, send } from './api.ts';
import { countOf, element, formatCount, whileBusy } from './elements.ts';
import { invitedGuests, nameCell, saveCsv } from './guests.ts';
import { countColumn, createList } from './list.ts';

const form = find('#many-form', HTMLFormElement);
const text = find('#many-text', HTMLTextAreaElement);
const file = find('#many-file', HTMLInputElement);
const columns = find('#columns', HTMLElement);
const addresses = find('#address-column', HTMLSelectElement);
const names = find('#name-column', HTMLSelectElement);
const firstWord = find('#first-word', HTMLInputElement);
const outcome = find('#outcome', HTMLElement);
const hint = find('#hint', HTMLElement);
const review = find('#review', HTMLElement);
const invite = find('#many-invite', HTMLButtonElement);
const csv = find('#many-csv', HTMLButtonElement);

const NOT_TEXT = 'This is not a text file. Save the list as CSV, or copy its cells and paste them.';

/** A row of the review: what becomes of an address. */
type Line = Omit<Person, 'result'> & { readonly result: Result | 'known' | 'invited' };

/** From the best to the worst. The review begins with the problems. */
const RESULTS: Readonly<Record<Line['result'], string>> = {
  invited: 'Invited',
  guest: 'New',
  known: 'Already invited',
  elsewhere: 'In another column, not invited',
  repeat: 'Listed twice',
  invalid_first_name: 'Not a first name',
  invalid_email: 'Not an email address',
};

const ORDER = Object.keys(RESULTS);

const showLines = createList<Line>({
  section: '#review',
  sortedBy: 'Result',
  none: '',
  columns: [
    { heading: 'Email', cell: ({ email }) => email, value: ({ email }) => email },
    { heading: 'Result', cell: resultCell, value: ({ result }) => ORDER.indexOf(result) },
    { heading: 'First name', cell: nameCell, value: ({ firstName }) => firstName },
    countColumn('Line', ({ line }) => line),
  ],
});

function resultCell({ result }: Line): HTMLElement {
  return element('span', result.startsWith('invalid_') ? 'failed' : 'quiet', RESULTS[result]);
}

/** The list under review, and who of it is to be invited. */
let list: List | undefined;
let fresh: readonly NewGuest[] = [];
/** Who was invited by the last press. */
let invited: readonly ListedGuest[] = [];
/** Whether the letters of the file are a guess. */
let isGuess = false;

/** Reads the text, and proposes columns. */
function readText() {
  clear();
  if (text.value.trim() === '') return fail('Paste a list or choose a file first.');
  list = readList(text.value);
  if (!list) return fail('There is no email address to invite in this list.');
  offerColumns(list);
  return showReview();
}

function offerColumns({ columns: all, proposal }: List): void {
  // A single column leaves nothing to choose.
  columns.hidden = all.length < 2;
  const options = all.map(
    ({ name, samples }, index) => new Option(`${name}: ${samples.join(' · ')}`, String(index)),
  );
  addresses.replaceChildren(...options.map((option) => option.cloneNode(true)));
  names.replaceChildren(new Option('none', '-1'), ...options);
  addresses.value = String(proposal.address);
  names.value = String(proposal.firstName);
  firstWord.checked = proposal.firstWordOnly;
}

/** What becomes of each address, by the invite list as it was read last. */
function showReview(): void {
  if (!list) return;
  const people = readPeople(list, {
    address: Number(addresses.value),
    firstName: Number(names.value),
    firstWordOnly: firstWord.checked,
  });
  const known = new Set(invitedGuests().map(({ email }) => email));
  const ours = new Set(invited.map(({ email }) => email));
  const lines = people.map((person): Line => {
    if (person.result !== 'guest' || !known.has(person.email)) return person;
    return { ...person, result: ours.has(person.email) ? 'invited' : 'known' };
  });
  fresh = lines
    .filter(({ result }) => result === 'guest')
    .map(({ email, firstName }) => ({ email, firstName }));
  showLines(lines);
  outcome.className = ours.size > 0 ? 'done' : '';
  outcome.textContent = describe(lines, list.withoutAddress);
  hint.textContent = describeDoubts(list);
  invite.textContent = `Invite ${countOf(fresh.length, 'guest')}`;
  invite.hidden = fresh.length === 0;
  csv.hidden = ours.size === 0;
  review.hidden = false;
}

/** `4 new · 2 already invited · line 9 has no address` */
function describe(lines: readonly Line[], withoutAddress: readonly number[]): string {
  const parts: string[] = [];
  for (const [result, words] of Object.entries(RESULTS)) {
    const count = lines.filter((line) => line.result === result).length;
    if (count > 0) parts.push(`${formatCount(count)} ${words.toLowerCase()}`);
  }
  if (withoutAddress.length > 0) parts.push(describeWithout(withoutAddress));
  return parts.join(' · ');
}

function describeDoubts({ columns: all, addressColumns }: List): string {
  const doubts: string[] = [];
  if (addressColumns.length > 1) {
    const found = addressColumns.map(({ name }) => name).join(' and ');
    doubts.push(`${found} have addresses. Only those in the column above are invited.`);
  }
  if (isGuess) doubts.push('Letters look wrong? Save the list as CSV UTF-8, or paste its cells.');
  // A list with other columns may have names in one of them.
  if (names.value === '-1' && all.length > 1)
    doubts.push('No first names yet. If your list has them, choose their column above.');
  return doubts.join(' ');
}

function fail(words: string): void {
  outcome.className = 'failed';
  outcome.textContent = words;
}

function clear(): void {
  list = undefined;
  invited = [];
  columns.hidden = true;
  review.hidden = true;
  outcome.textContent = '';
}

/** @param changed reads the invite list again */
async function inviteAll(changed: () => Promise<void>): Promise<void> {
  const sent = new Set(fresh.map(({ email }) => email));
  await send<InvitedMany>('/api/svcops/invites/many', { invites: fresh });
  await changed();
  const me = find('#me', HTMLElement).title;
  // Another administrator may have been faster.
  invited = invitedGuests().filter(({ email, invitedBy }) => sent.has(email) && invitedBy === me);
  showReview();
  form.reset();
  hint.textContent = '';
  columns.hidden = true;
  outcome.focus();
}

async function readFile(chosen: File): Promise<void> {
  const bytes = new Uint8Array(await chosen.arrayBuffer());
  const decoded = decodeFile(bytes);
  isGuess = decoded === undefined;
  const read = decoded ?? new TextDecoder('windows-1252').decode(bytes);
  // A workbook or a picture has this character.
  const isText = !read.includes('\0');
  text.value = isText ? read : '';
  readText();
  if (!isText) fail(NOT_TEXT);
}

/** Names under another heading are full names, for all we know. */
function chooseNames(): void {
  const chosen = Number(names.value);
  firstWord.checked = chosen !== -1 && chosen !== list?.proposal.firstName;
  showReview();
}

/** @param changed reads the invite list again after an invitation */
export function startMany(changed: () => Promise<void>): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    readText();
  });
  // What was reviewed is what is invited.
  text.addEventListener('input', () => {
    isGuess = false;
    clear();
  });
  // So that the same file can be chosen again after a correction.
  file.addEventListener('click', () => {
    file.value = '';
  });
  file.addEventListener('change', () => {
    for (const chosen of file.files ?? []) readFile(chosen).catch(report);
  });
  addresses.addEventListener('change', showReview);
  names.addEventListener('change', chooseNames);
  firstWord.addEventListener('change', showReview);
  invite.addEventListener('click', () => {
    whileBusy(invite, () => inviteAll(changed).catch(report));
  });
  csv.addEventListener('click', () => saveCsv(invited, 'invited.csv'));
}
