/** The invite list: searched, filtered and taken along as CSV in the browser, which has all of it. */
import { toCsv } from '../../lib/csv.ts';
import type { ListedGuest, Status } from '../../lib/records.ts';
import { find } from '../everyone/shared.ts';
import { copyButton, dateElement, element, formatCount, personLink } from './elements.ts';
import { createList } from './list.ts';
import { countColumn, timeColumn } from './table.ts';

const text = find('#guests-text', HTMLInputElement);
const filter = find('#guests-status', HTMLSelectElement);

/** The steps in their order. */
const STEPS: readonly Status[] = ['pending', 'logged_in', 'viewed', 'joined'];

const STATUS_WORDS: Readonly<Record<Status, string>> = {
  pending: 'Not logged in yet',
  logged_in: 'Logged in',
  viewed: 'Viewed',
  joined: 'Joined',
};

type Filter = { readonly name: string; readonly takes: (guest: ListedGuest) => boolean };

const FILTERS: readonly Filter[] = [
  { name: 'Everybody', takes: () => true },
  { name: 'Not logged in yet', takes: ({ status }) => status === 'pending' },
  { name: 'Logged in', takes: ({ logins }) => logins > 0 },
  { name: 'Viewed', takes: ({ timelineViews }) => timelineViews > 0 },
  { name: 'Joined', takes: ({ joinClicks }) => joinClicks > 0 },
  { name: 'Logged in, not viewed', takes: ({ status }) => status === 'logged_in' },
  { name: 'Viewed, not joined', takes: ({ status }) => status === 'viewed' },
];

/** The headings of the CSV file. */
const CSV_COLUMNS = [
  'email',
  'firstName',
  'status',
  'logins',
  'timelineViews',
  'joinClicks',
  'lastSeenAt',
  'isAdmin',
  'invitedBy',
  'invitedAt',
  'link',
] as const;

const showList = createList<ListedGuest>({
  section: '#guests',
  sortedBy: 'Invited',
  describe: describeShown,
  columns: [
    { heading: 'Email', cell: emailCell, value: ({ email }) => email },
    { heading: 'First name', cell: nameCell, value: ({ firstName }) => firstName },
    { heading: 'Status', cell: statusCell, value: ({ status }) => STEPS.indexOf(status) },
    countColumn('Logins', ({ logins }) => logins),
    countColumn('Views', ({ timelineViews }) => timelineViews),
    countColumn('Joins', ({ joinClicks }) => joinClicks),
    timeColumn('Last seen', lastSeenCell, ({ lastSeenAt }) => lastSeenAt),
    timeColumn('Invited', invitedCell, ({ invitedAt }) => invitedAt),
    { heading: 'Link', cell: ({ link, email }) => copyButton(link, email), kind: 'bare' },
  ],
});

/** `Showing 100 of 301` */
export function describeShown(rows: readonly unknown[], shown: number): string {
  if (shown === 0) return 'Nobody found.';
  return `Showing ${formatCount(shown)} of ${formatCount(rows.length)}`;
}

function emailCell({ email, isAdmin }: ListedGuest): HTMLElement {
  const cell = element('span', '', personLink(email));
  if (isAdmin) cell.append(' ', element('span', 'badge', 'Admin'));
  return cell;
}

/** A name may be of the other direction than its row. */
export function nameCell({ firstName }: { readonly firstName: string | null }) {
  return firstName === null ? null : element('bdi', '', firstName);
}

function statusCell({ status }: ListedGuest): HTMLElement {
  return element('span', `status ${status}`, STATUS_WORDS[status]);
}

function lastSeenCell({ lastSeenAt }: ListedGuest): HTMLElement | null {
  return lastSeenAt === null ? null : dateElement(lastSeenAt);
}

function invitedCell({ invitedAt, invitedBy }: ListedGuest): HTMLElement {
  const by = invitedBy === 'cli' ? 'command line' : invitedBy;
  return element('span', '', dateElement(invitedAt), ' ', element('small', 'quiet', `by ${by}`));
}

let guests: readonly ListedGuest[] = [];

/** The whole list, as it was read last. */
export function invitedGuests(): readonly ListedGuest[] {
  return guests;
}

export function showGuests(invites: readonly ListedGuest[]): void {
  guests = invites;
  showList(matching());
}

/** Without case and accents: `Zoë` is `zoe`. */
function plain(words: string): string {
  return words.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

function matching(): readonly ListedGuest[] {
  const sought = plain(text.value.trim());
  const takes = FILTERS[filter.selectedIndex]?.takes ?? (() => true);
  return guests.filter((guest) => {
    const { email, firstName } = guest;
    return takes(guest) && plain(`${email} ${firstName ?? ''}`).includes(sought);
  });
}

/** Saves a file of guests, for example for a mail merge. */
export function saveCsv(rows: readonly ListedGuest[], file: string): void {
  const link = element('a');
  link.href = URL.createObjectURL(new Blob([toCsv(CSV_COLUMNS, rows)], { type: 'text/csv' }));
  link.download = file;
  link.click();
  URL.revokeObjectURL(link.href);
}

export function startGuests(): void {
  filter.append(...FILTERS.map(({ name }) => new Option(name)));
  text.addEventListener('input', () => showList(matching()));
  filter.addEventListener('change', () => showList(matching()));
  const csv = find('#guests-csv', HTMLButtonElement);
  csv.addEventListener('click', () => saveCsv(matching(), 'guests.csv'));
}
