/** The controls above the tables, which sort and filter the tables and their exports. */
import { lists } from './api.ts';
import { addDays, dayOf } from './days.ts';
import { element, find, update } from './elements.ts';
import { attempt } from './live.ts';
import { period } from './period.ts';
import { readable } from './readable.ts';
import { clicks, events, invites, joins } from './tables.ts';

/** How long typing must pause before a filter applies, in ms. */
const PAUSE = 200;

/** People suggested for the event log. */
const SUGGESTIONS = 8;

const headings = [...document.querySelectorAll('#people th')];
const peopleText = find('#people-text', HTMLInputElement);
const peopleStatus = find('#people-status', HTMLSelectElement);
const logType = find('#events-type', HTMLSelectElement);
const logDay = find('#events-day', HTMLInputElement);
const logEmail = find('#events-email', HTMLInputElement);
const logPeople = find('#events-people', HTMLDataListElement);
const logHint = find('#events-hint', HTMLElement);

/** The service's own order until a heading is pressed. */
let sorting = { sort: '', order: '' };

export function wireFilters(): void {
  for (const form of document.querySelectorAll('form.filters'))
    form.addEventListener('submit', (event) => event.preventDefault());
  for (const heading of headings) {
    const button = find('button', HTMLButtonElement, heading);
    button.addEventListener('click', () => sortBy(heading, button.dataset));
  }
  peopleText.addEventListener('input', afterPause(filterPeople));
  peopleStatus.addEventListener('change', filterPeople);
  for (const field of [logType, logDay]) field.addEventListener('change', filterLog);
  logEmail.addEventListener('input', afterPause(filterLog));
  // A browser may have restored the values from before a reload.
  filterPeople();
  filterLogs();
}

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

/** Shows the events of a day. */
export function showDay(day: string): void {
  logDay.value = day;
  filterLog();
  const section = find('#events', HTMLElement);
  section.scrollIntoView();
  section.focus({ preventScroll: true });
}

/** Sorts by a column in its first direction, and by a sorted column in the other direction. */
function sortBy(heading: Element, { sort = '', first = 'asc' }: DOMStringMap): void {
  const isSorted = heading.ariaSort !== 'none';
  const order = isSorted ? (heading.ariaSort === 'ascending' ? 'desc' : 'asc') : first;
  sorting = { sort, order };
  for (const each of headings) each.ariaSort = 'none';
  heading.ariaSort = order === 'asc' ? 'ascending' : 'descending';
  filterPeople();
}

/** Shows the invite list as the controls above it say. */
export function filterPeople(): void {
  const [status = '', days] = peopleStatus.value.split(' ');
  // Whole days before today, in UTC.
  const to = days === undefined ? null : addDays(dayOf(Date.now()), -Number(days) - 1);
  invites.filter({ ...sorting, q: textOf(peopleText), status, to });
}

function filterLog(): void {
  const text = textOf(logEmail).toLowerCase();
  const email = /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) ? text : '';
  const day = logDay.value && 'One day in UTC. Times are in your time zone.';
  update(logHint, text === email ? day : 'Type or choose a whole address.');
  const days = logDay.value ? { from: logDay.value, to: logDay.value } : period();
  events.filter({ ...days, type: logType.value, email });
  if (text !== email) attempt(suggestPeople);
}

async function suggestPeople(): Promise<void> {
  const { rows } = await lists.invites(SUGGESTIONS, { q: textOf(logEmail) });
  logPeople.replaceChildren(
    ...rows.map(({ email }) => {
      const option = element('option');
      option.value = readable(email);
      return option;
    }),
  );
}

/** The text on one line: the service refuses control characters, which copied text may contain. */
const textOf = ({ value }: HTMLInputElement): string => value.replace(/\p{Cc}+/gu, ' ').trim();

function afterPause(task: () => void): () => void {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(task, PAUSE);
  };
}
