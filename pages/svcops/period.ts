/** The period that numbers, chart and logs show. The page's address keeps it: `?days=30`. */
import type { Query } from './api.ts';
import { addDays, countDays, dayOf, lastWhole, nameRange } from './days.ts';
import { find, update } from './elements.ts';
import { formatCount } from './parts.ts';

/** The service's limit. */
const MAX_DAYS = 3660;

const USUAL = '90';

const choice = find('#period', HTMLSelectElement);
const dates = find('#period-dates', HTMLElement);
const from = find('#period-from', HTMLInputElement);
const to = find('#period-to', HTMLInputElement);
const problem = find('#period-problem', HTMLElement);
const back = find('#period-back', HTMLButtonElement);

/** The period as the query of a request. It moves on at midnight. */
export function period(): Query {
  // Until today by the service's clock, because that of the browser may be behind.
  if (choice.value === 'all') return { to: '9999-12-31' };
  if (choice.value === 'dates' && !fault()) return { from: from.value, to: to.value };
  const today = dayOf(Date.now());
  if (choice.value === 'last-week') return lastWhole('week', today);
  if (choice.value === 'last-month') return lastWhole('month', today);
  return { from: addDays(today, 1 - (Number(choice.value) || 90)) };
}

export function showDays(first: string, last: string): void {
  choice.value = 'dates';
  [from.value, to.value] = [first, last];
  choose();
}

/** `last 7 days`, or two dates. */
export function periodName(): string {
  if (choice.value === 'dates') return fault() ? 'last 90 days' : nameRange(from.value, to.value);
  return (choice.selectedOptions[0]?.text ?? '').replace(/^./, (first) => first.toLowerCase());
}

function choose(): void {
  const { value } = choice;
  if (value === 'dates' && !from.value && !to.value) {
    to.value = dayOf(Date.now());
    from.value = addDays(to.value, -6);
  }
  showDates();
  if (fault()) return;
  const query = value === 'dates' ? { from: from.value, to: to.value } : { days: value };
  const search = value === USUAL ? '' : `?${new URLSearchParams(query)}`;
  history.pushState(history.state, '', location.pathname + search + location.hash);
  followed = location.search;
  dispatchEvent(new Event('period'));
}

/** The query of the address that the fields show. */
let followed = '';

/** Takes the period from the address. */
function follow(): void {
  followed = location.search;
  const params = new URLSearchParams(followed);
  const [first, last] = [params.get('from') ?? '', params.get('to') ?? ''];
  const days = first || last ? 'dates' : params.get('days') || USUAL;
  choice.value = days;
  if (choice.selectedIndex < 0) choice.value = USUAL;
  [from.value, to.value] = [first, last];
  showDates();
}

function showDates(): void {
  back.hidden = choice.value === USUAL;
  dates.hidden = choice.value !== 'dates';
  update(problem, fault());
}

/** What is wrong with two dates, as a sentence; empty if nothing is. */
function fault(): string {
  if (choice.value !== 'dates') return '';
  if (![from, to].every((field) => field.validity.valid)) return 'Enter two valid dates.';
  const days = countDays(from.value, to.value);
  if (days < 1) return 'The start date is after the end date.';
  return days > MAX_DAYS ? `Choose at most ${formatCount(MAX_DAYS)} days.` : '';
}

back.addEventListener('click', () => {
  choice.value = USUAL;
  choose();
  choice.focus();
});
for (const field of [choice, from, to]) field.addEventListener('change', choose);
addEventListener('popstate', () => {
  // A link within the page leaves the period as it is.
  if (location.search === followed) return;
  follow();
  dispatchEvent(new Event('period'));
});
follow();
