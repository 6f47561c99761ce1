/** The controls of the tables: they sort and filter the tables and their exports, and copy. */
import { normalizeEmail } from '../../lib/address.ts';
import { lists, search } from './api.ts';
import { addDays, dayOf, shortDay } from './days.ts';
import { afterPause, find, update } from './elements.ts';
import { report } from './live.ts';
import { readableOf } from './parts.ts';
import { period, periodName } from './period.ts';
import { changes, clicks, events, invites, joins } from './tables.ts';

const people = find('#people', HTMLElement);
const headings = [...document.querySelectorAll('#people th[aria-sort]')];
const peopleText = find('#people-text', HTMLInputElement);
const peopleStatus = find('#people-status', HTMLSelectElement);
const peopleSpan = find('#people-span', HTMLElement);
const invitedOn = find('#people-invited', HTMLOptionElement);
const letters = find('#people-letters', HTMLElement);
const lettersHint = find('#people-hint', HTMLElement);
const logType = find('#events-type', HTMLSelectElement);
const logEmail = find('#events-email', HTMLInputElement);
const logPeople = find('#events-people', HTMLDataListElement);
const logHint = find('#events-hint', HTMLElement);
const changesEmail = find('#changes-email', HTMLInputElement);
const changesHint = find('#changes-hint', HTMLElement);

/** The service's own order until a heading is pressed. */
let sorting = { sort: '', order: '' };

/** Shows the period in joins, clicks and events. */
export function filterLogs(): void {
  for (const span of document.querySelectorAll('.span')) span.textContent = periodName();
  joins.filter({ of: 'summary', ...period() });
  clicks.filter({ of: 'clicks', ...period() });
  filterLog();
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
  const { days, ...filter } = Object.fromEntries(new URLSearchParams(peopleStatus.value));
  const { did, status = '' } = filter;
  const today = dayOf(Date.now());
  const before = days ? { to: addDays(today, -Number(days)) } : {};
  peopleSpan.textContent = did ? periodName() : 'all time';
  invites.filter({ ...sorting, q: textOf(peopleText), ...filter, ...(did ? period() : before) });
  letters.hidden = !['pending', 'logged_in', 'viewed'].includes(status);
  for (const link of letters.querySelectorAll('a'))
    link.search = search({
      ...invites.query(),
      format: 'csv',
      letters: link.dataset.letters ?? '',
    });
  const isOfToday = filter.from === today;
  lettersHint.textContent = isOfToday
    ? 'Includes everyone invited today who hasn’t logged in.'
    : '';
}

/** The people invited on a day who have not logged in, as a value of the filter. */
const invitedOnDay = (day: string): string => `status=pending&from=${day}&to=${day}`;

/** Shows the people who were invited today, with the letters to download. */
export function showInvitedToday(): void {
  location.hash = invitedOnDay(dayOf(Date.now()));
}

/** Gives the filter a day: that of the address, else today. */
function offerDay(value: string): void {
  const today = dayOf(Date.now());
  const day = /^status=pending&from=(\d{4}-\d\d-\d\d)&to=\1$/.exec(value)?.[1] ?? today;
  invitedOn.value = invitedOnDay(day);
  const name = day === today ? 'today' : `on ${shortDay(Date.parse(day))}`;
  invitedOn.text = `Pending, invited ${name}`;
}

/**
 * Shows the list that the address names by a value of the filter, as in `#did=join`.
 *
 * @param isAsked whether a link was followed; otherwise the page stays where it is
 */
function followAddress(isAsked: boolean): void {
  const value = location.hash.slice(1);
  offerDay(value);
  if (![...peopleStatus.options].some((option) => option.value === value)) return;
  if (!isAsked && peopleStatus.value === value) return;
  peopleStatus.value = value;
  peopleText.value = '';
  filterPeople();
  if (!isAsked) return;
  rememberFilter();
  people.scrollIntoView();
  people.focus({ preventScroll: true });
}

/** Puts the filter into the address. The state tells a link from the way back to this address. */
const rememberFilter = () => history.replaceState('list', '', `#${peopleStatus.value}`);

const filterLog = () =>
  events.filter({ ...period(), type: logType.value, email: personIn(logEmail, logHint) });

const filterChanges = () => changes.filter({ email: personIn(changesEmail, changesHint) });

/** The address in a field; empty without a whole one, which the field then suggests. */
function personIn(field: HTMLInputElement, hint: HTMLElement): string {
  const text = textOf(field);
  const email = normalizeEmail(text) ?? '';
  const isPart = text !== '' && email === '';
  update(hint, isPart ? 'Enter or choose a full email address.' : '');
  if (isPart) suggestPeople(text).catch(report);
  return email;
}

async function suggestPeople(q: string): Promise<void> {
  const { rows } = await lists.invites(8, { q });
  logPeople.replaceChildren(...rows.map((row) => new Option('', readableOf(row))));
}

/** The text on one line: the service refuses control characters, which copied text may contain. */
const textOf = ({ value }: HTMLInputElement): string => value.replace(/\p{Cc}+/gu, ' ').trim();

// In narrow windows a log is folded until it is asked for (cards.css).
for (const section of document.querySelectorAll<HTMLElement>('.fold'))
  find('.unfold', HTMLButtonElement, section).addEventListener('click', () => {
    section.classList.add('open');
    section.focus({ preventScroll: true });
  });
for (const heading of headings) {
  const button = find('button', HTMLButtonElement, heading);
  button.addEventListener('click', () => sortBy(heading, button.dataset));
}
peopleText.addEventListener('input', afterPause(filterPeople));
peopleStatus.addEventListener('change', () => {
  rememberFilter();
  filterPeople();
});
addEventListener('popstate', ({ state }) => followAddress(state === null));
logType.addEventListener('change', filterLog);
logEmail.addEventListener('input', afterPause(filterLog));
changesEmail.addEventListener('input', afterPause(filterChanges));
followAddress(history.state === null);
// A browser may have restored the values from before a reload.
filterPeople();
filterLogs();
filterChanges();
