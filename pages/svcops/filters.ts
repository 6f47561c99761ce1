/** The controls of the tables: they sort and filter the tables and their exports, and copy. */
import { normalizeEmail } from './address.js';
import { lists, search } from './api.ts';
import { addDays, dayOf } from './days.ts';
import { afterPause, find, update } from './elements.ts';
import { copyTo, mailbox } from './letters.ts';
import { report } from './live.ts';
import { mailing, type Recipients } from './mailing.ts';
import { formatCount, readableOf } from './parts.ts';
import { period } from './period.ts';
import { changes, clicks, events, invites, joins } from './tables.ts';

/** Addresses that are copied at most. */
const MOST_COPIED = 5_000;

const headings = [...document.querySelectorAll('#people th')];
const peopleText = find('#people-text', HTMLInputElement);
const peopleStatus = find('#people-status', HTMLSelectElement);
const copied = find('#people-copied', HTMLElement);
const remind = find('#people-remind', HTMLDetailsElement);
const logType = find('#events-type', HTMLSelectElement);
const logDay = find('#events-day', HTMLInputElement);
const logEmail = find('#events-email', HTMLInputElement);
const logPeople = find('#events-people', HTMLDataListElement);
const logHint = find('#events-hint', HTMLElement);
const changesEmail = find('#changes-email', HTMLInputElement);
const changesHint = find('#changes-hint', HTMLElement);

/** The service's own order until a heading is pressed. */
let sorting = { sort: '', order: '' };

/** Shows the period in joins, clicks and events. */
export function filterLogs(): void {
  joins.filter({ of: 'summary', ...period() });
  clicks.filter({ of: 'clicks', ...period() });
  filterLog();
}

/** Shows the period in the event log too, instead of a day. */
export function showPeriod(): void {
  logDay.value = '';
  filterLogs();
}

export function showDay(day: string): void {
  logDay.value = day;
  filterLog();
  const section = find('#events', HTMLElement);
  section.scrollIntoView();
  unfold(section);
}

/** In narrow windows a log is folded until it is asked for (cards.css). */
function unfold(section: HTMLElement): void {
  section.classList.add('open');
  section.focus({ preventScroll: true });
}

/** Sorts by a column in its first direction, and by a sorted column in the other direction. */
function sortBy(heading: Element, { sort = '', first = 'asc' }: DOMStringMap): void {
  const { ariaSort } = heading;
  const order = ariaSort === 'none' ? first : ariaSort === 'ascending' ? 'desc' : 'asc';
  sorting = { sort, order };
  for (const each of headings) each.ariaSort = 'none';
  heading.ariaSort = order === 'asc' ? 'ascending' : 'descending';
  filterPeople();
}

export function filterPeople(): void {
  const [status = '', days] = peopleStatus.value.split(' ');
  // Whole days before today, in UTC.
  const to = days === undefined ? '' : addDays(dayOf(Date.now()), -Number(days) - 1);
  const before = search(invites.query());
  invites.filter({ ...sorting, q: textOf(peopleText), status, to });
  if (search(invites.query()) === before) return;
  // The copied addresses and the letters were for the former filters.
  copied.textContent = '';
  remind.hidden = status === '' || status === 'joined';
  remind.open &&= !remind.hidden;
  refreshMailing();
}

function filterLog(): void {
  const day = logDay.value && 'One UTC day. Times are in your time zone.';
  const days = logDay.value ? { from: logDay.value, to: logDay.value } : period();
  events.filter({ ...days, type: logType.value, email: personIn(logEmail, logHint, day) });
}

const filterChanges = () => changes.filter({ email: personIn(changesEmail, changesHint) });

/** The address in a field; empty without a whole one, which the field then suggests. */
function personIn(field: HTMLInputElement, hint: HTMLElement, otherHint = ''): string {
  const text = textOf(field);
  const email = normalizeEmail(text) ?? '';
  const isPart = text !== '' && email === '';
  update(hint, isPart ? 'Enter or choose a full email address.' : otherHint);
  if (isPart) suggestPeople(text).catch(report);
  return email;
}

async function suggestPeople(q: string): Promise<void> {
  const { rows } = await lists.invites(8, { q });
  logPeople.replaceChildren(...rows.map((row) => new Option('', readableOf(row))));
}

/** The text on one line: the service refuses control characters, which copied text may contain. */
const textOf = ({ value }: HTMLInputElement): string => value.replace(/\p{Cc}+/gu, ' ').trim();

/** All people that the filters show. */
async function readPeople(): Promise<Recipients> {
  const { rows, next } = await lists.invites(MOST_COPIED, invites.query());
  return {
    people: rows,
    more: next === null ? '' : ` Only the first ${formatCount(MOST_COPIED)}: narrow the filters.`,
  };
}

const refreshMailing = mailing('Reminder', remind, readPeople);

find('#people-copy', HTMLButtonElement).addEventListener('click', () => {
  copied.textContent = 'Copying…';
  const copy = readPeople().then(({ people, more }) => ({
    text: people.map(mailbox).join(',\n'),
    done: `${formatCount(people.length, 'address')} copied.${more}`,
  }));
  copyTo(copied, copy, 'Export the list as CSV instead.').catch(report);
});
for (const section of document.querySelectorAll<HTMLElement>('.fold'))
  find('.unfold', HTMLButtonElement, section).addEventListener('click', () => unfold(section));
for (const heading of headings) {
  const button = find('button', HTMLButtonElement, heading);
  button.addEventListener('click', () => sortBy(heading, button.dataset));
}
peopleText.addEventListener('input', afterPause(filterPeople));
peopleStatus.addEventListener('change', filterPeople);
for (const field of [logType, logDay]) field.addEventListener('change', filterLog);
logEmail.addEventListener('input', afterPause(filterLog));
changesEmail.addEventListener('input', afterPause(filterChanges));
// A browser may have restored the values from before a reload.
filterPeople();
filterLogs();
filterChanges();
