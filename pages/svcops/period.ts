/**
 * The period that numbers, chart and logs show. The page's address has it: `?days=30`. A link to
 * another period changes it in place, and the browser's Back button restores the former one.
 */
import type { Query } from './api.ts';
import { addDays, dayOf, nameRange } from './days.ts';
import { find } from './elements.ts';
import { capitalize } from './parts.ts';

/** The service's limit. */
const MAX_DAYS = 3660;

const links = [...document.querySelectorAll<HTMLAnchorElement>('#period a')];
const usual = find('#period-usual', HTMLAnchorElement);
const title = find('#overview-title', HTMLElement);
const range = find('#range', HTMLDetailsElement);
const form = find('#range form', HTMLFormElement);
const from = find('#range-from', HTMLInputElement);
const to = find('#range-to', HTMLInputElement);

/** The days of a custom range, or the link to the period. */
type Period =
  | { readonly range: { readonly from: string; readonly to: string } }
  | { readonly range?: undefined; readonly link: HTMLAnchorElement };

let address = location.search;
let current: Period = { link: usual };

/** The period that the page's address names; the usual one if it names none. */
function readAddress(): Period {
  const asked = new URLSearchParams(location.search);
  // A text that is not a date leaves the field empty, and an empty field is not valid.
  from.value = asked.get('from') ?? '';
  to.value = asked.get('to') ?? '';
  limitDates();
  const isRange = from.checkValidity() && to.checkValidity();
  if (isRange) return { range: { from: from.value, to: to.value } };
  return { link: links.find(({ search }) => search === location.search) ?? usual };
}

/** The last day is not before the first one. */
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

/** The number of days of a link, or `all`. */
const daysOf = (link: HTMLAnchorElement): string =>
  new URLSearchParams(link.search).get('days') ?? '90';

/** The period as the query of a request: the last days begin a day later after midnight. */
export function period(): Query {
  if (current.range) return current.range;
  const days = daysOf(current.link);
  if (days === 'all') return { to: '9999-12-31' };
  // Without `to`, it ends today by the service's clock. That of the browser may be behind.
  return { from: addDays(dayOf(Date.now()), 1 - Number(days)) };
}

/** `last 7 days`, `all time`, or two dates. */
export function periodName(): string {
  if (current.range) return nameRange(current.range.from, current.range.to);
  const name = current.link.text.toLowerCase();
  return daysOf(current.link) === 'all' ? name : `last ${name}`;
}

/** Takes the period from the address, and tells the page with the event `period`. */
function followAddress(): void {
  if (location.search === address) return;
  address = location.search;
  current = readAddress();
  showPeriod();
  dispatchEvent(new Event('period'));
}

/** Writes a period into the address. The list that the address names stays. */
function choose(search: string): void {
  if (search === location.search) return;
  history.pushState('period', '', location.pathname + search + location.hash);
  followAddress();
}

/** A link to this page with a period, also one in the chart's table. */
const leadsToPeriod = (link: HTMLAnchorElement): boolean =>
  link.pathname === location.pathname && link.hash === '' && !link.download;

current = readAddress();
showPeriod();
addEventListener('popstate', followAddress);
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  // With one of these keys, the browser opens the link in a tab or window, or saves it.
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
