/**
 * The period of the numbers, the chart and the logs. The page's address contains it: `?days=30`. A
 * link to another period changes the address in place. The browser's Back button returns to the old
 * period.
 */
import type { Query } from './api.ts';
import { addDays, dayOf, nameRange } from './days.ts';
import { find } from './elements.ts';
import { capitalize } from './parts.ts';

/** The longest period that the service accepts. */
const MAX_DAYS = 3660;

const links = [...document.querySelectorAll<HTMLAnchorElement>('#period a')];
const usual = find('#period-usual', HTMLAnchorElement);
const title = find('#overview-title', HTMLElement);
const range = find('#range', HTMLDetailsElement);
const form = find('#range form', HTMLFormElement);
const from = find('#range-from', HTMLInputElement);
const to = find('#range-to', HTMLInputElement);

/** The days of a custom period, or the link to the period. */
type Period =
  | { readonly range: { readonly from: string; readonly to: string } }
  | { readonly range?: undefined; readonly link: HTMLAnchorElement };

let address = location.search;
let current: Period = { link: usual };

/** The period in the page's address; the usual one without it. */
function readAddress(): Period {
  const asked = new URLSearchParams(location.search);
  // A text that is not a date makes the field empty, which is not valid.
  from.value = asked.get('from') ?? '';
  to.value = asked.get('to') ?? '';
  limitDates();
  const isRange = from.checkValidity() && to.checkValidity();
  if (isRange) return { range: { from: from.value, to: to.value } };
  return { link: links.find(({ search }) => search === location.search) ?? usual };
}

/** The last day must not be before the first. */
function limitDates(): void {
  to.min = from.value;
  to.max = from.value && addDays(from.value, MAX_DAYS - 1);
}

function showPeriod(): void {
  range.open = current.range !== undefined;
  for (const link of links) link.ariaCurrent = link === currentLink() ? 'true' : null;
  const name = periodName();
  title.textContent = name.startsWith('last ') ? `In the ${name}` : capitalize(name);
}

const currentLink = () => (current.range ? undefined : current.link);

/** A number of days from a link, or `all`. */
const daysOf = (link: HTMLAnchorElement): string =>
  new URLSearchParams(link.search).get('days') ?? '90';

/** The period as a query. Its days move on at midnight. */
export function period(): Query {
  if (current.range) return current.range;
  const days = daysOf(current.link);
  if (days === 'all') return { to: '9999-12-31' };
  // Without `to`, the period ends today by the clock of the service. The browser's clock may be
  // wrong.
  return { from: addDays(dayOf(Date.now()), 1 - Number(days)) };
}

/** `last 7 days`, `all time`, or two dates. */
export function periodName(): string {
  if (current.range) return nameRange(current.range.from, current.range.to);
  const name = current.link.text.toLowerCase();
  return daysOf(current.link) === 'all' ? name : `last ${name}`;
}

/** Reads the period from the address, and dispatches the event `period`. */
function followAddress(): void {
  if (location.search === address) return;
  address = location.search;
  current = readAddress();
  showPeriod();
  dispatchEvent(new Event('period'));
}

/** Writes a period into the address, and keeps the list that the address names. */
function choose(search: string): void {
  if (search === location.search) return;
  history.pushState('period', '', location.pathname + search + location.hash);
  followAddress();
}

/** A link to this page with another period; also in the chart's table. */
const leadsToPeriod = (link: HTMLAnchorElement): boolean =>
  link.pathname === location.pathname && link.hash === '' && !link.download;

current = readAddress();
showPeriod();
addEventListener('popstate', followAddress);
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  // If one of these keys is pressed, the browser opens the link in a tab or window, or saves it.
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  if (!leadsToPeriod(link)) return;
  event.preventDefault();
  choose(link.search);
});
from.addEventListener('input', limitDates);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  choose(`?from=${from.value}&to=${to.value}`);
});
