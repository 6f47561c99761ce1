/** The invite list: searched, filtered and taken along as CSV in the browser, which has all of it. */
import { toCsv } from '../../lib/csv.ts';
import type { ListedGuest } from '../../lib/records.ts';
import { find } from '../everyone/shared.ts';
import { copy, copyButton, countOf, dateElement, element, personLink } from './elements.ts';
import { FILTERS, STEPS, showFunnel, startFunnel, statusElement } from './funnel.ts';
import { countColumn, createList, timeColumn } from './list.ts';

const text = find('#guests-text', HTMLInputElement);
const filter = find('#guests-filter', HTMLSelectElement);
const copyAll = find('#guests-copy', HTMLButtonElement);
const csv = find('#guests-csv', HTMLButtonElement);

/** The columns of the CSV file, as `invite list --csv` has them. */
const CSV_COLUMNS = [
  'email',
  'firstName',
  'status',
  'isAdmin',
  'invitedBy',
  'invitedAt',
  'lastSeenAt',
  'logins',
  'timelineViews',
  'joinClicks',
  'link',
] as const;

const showList = createList<ListedGuest>({
  section: '#guests',
  sortedBy: 'Invited',
  none: 'No guests match.',
  columns: [
    { heading: 'Email', cell: emailCell, value: ({ email }) => email },
    { heading: 'First name', cell: nameCell, value: ({ firstName }) => firstName },
    {
      heading: 'Status',
      cell: ({ status }) => statusElement(status),
      value: ({ status }) => STEPS.indexOf(status),
    },
    countColumn('Logins', ({ logins }) => logins),
    countColumn('Views', ({ timelineViews }) => timelineViews),
    countColumn('Joins', ({ joinClicks }) => joinClicks),
    timeColumn('Last seen', ({ lastSeenAt }) => lastSeenAt, dateElement),
    { ...timeColumn('Invited', ({ invitedAt }) => invitedAt), cell: invitedElement },
    { heading: 'Link', cell: ({ link, email }) => copyButton(link, email), kind: 'bare' },
  ],
});

function emailCell({ email, isAdmin }: ListedGuest): HTMLElement {
  const cell = element('span', '', personLink(email));
  if (isAdmin) cell.append(' ', element('span', 'badge', 'Admin'));
  return cell;
}

/** A name may be of the other direction than its row. */
export function nameCell({ firstName }: { readonly firstName: string | null }) {
  return firstName === null ? null : element('bdi', '', firstName);
}

/** When a guest was invited, and by whom. */
export function invitedElement({ invitedAt, invitedBy }: ListedGuest): HTMLElement {
  const by = invitedBy === 'cli' ? 'the invite tool' : invitedBy;
  return element('span', '', dateElement(invitedAt), ' ', element('small', 'quiet', `by ${by}`));
}

let guests: readonly ListedGuest[] = [];

/** The whole list, as it was read last. */
export function invitedGuests(): readonly ListedGuest[] {
  return guests;
}

export function showGuests(invites: readonly ListedGuest[]): void {
  guests = invites;
  find('#read-at', HTMLElement).replaceChildren(dateElement(Date.now()));
  showFunnel((name) => filtered(name).length);
  showMatching();
}

function showMatching(): void {
  const found = matching();
  showList(found);
  showCopyWords();
  copyAll.disabled = found.length === 0;
  csv.disabled = found.length === 0;
}

function showCopyWords(): void {
  copyAll.textContent = `Copy ${countOf(matching().length, 'address', 'addresses')}`;
}

function filtered(name: string): readonly ListedGuest[] {
  return guests.filter(FILTERS[name] ?? (() => true));
}

/** Without case and accents: `Zoë` is `zoe`. */
function plain(words: string): string {
  return words.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

function matching(): readonly ListedGuest[] {
  const sought = plain(text.value.trim());
  return filtered(filter.value).filter(({ email, firstName }) =>
    plain(`${email} ${firstName ?? ''}`).includes(sought),
  );
}

/** Saves a file of guests, for example for a mail merge. */
export function saveCsv(rows: readonly ListedGuest[], file: string): void {
  const link = element('a');
  link.href = URL.createObjectURL(new Blob([toCsv(CSV_COLUMNS, rows)], { type: 'text/csv' }));
  link.download = file;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** As the blind copies of an email take them. */
function copyAddresses(): void {
  const addresses = matching().map(({ email }) => email);
  copy(addresses.join(', '), copyAll, showCopyWords);
}

function choose(name: string): void {
  filter.value = name;
  text.value = '';
  showMatching();
}

text.addEventListener('input', showMatching);
filter.addEventListener('change', showMatching);
copyAll.addEventListener('click', copyAddresses);
csv.addEventListener('click', () => saveCsv(matching(), 'guests.csv'));
startFunnel(choose);
