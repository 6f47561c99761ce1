/** The period that numbers, chart and logs show. The page's address has it: `?days=30`. */
import type { Query } from './api.ts';
import { addDays, dayOf, nameRange } from './days.ts';
import { find } from './elements.ts';

/** The service's limit. */
const MAX_DAYS = 3660;

const links = [...document.querySelectorAll<HTMLAnchorElement>('#period a')];
const range = find('#range', HTMLDetailsElement);
const from = find('#range-from', HTMLInputElement);
const to = find('#range-to', HTMLInputElement);

const asked = new URLSearchParams(location.search);
// A field keeps no text that is not a date.
from.value = asked.get('from') ?? '';
to.value = asked.get('to') ?? '';
limitDates();
from.addEventListener('input', limitDates);

/** The last day is not before the first one. */
function limitDates(): void {
  to.min = from.value;
  to.max = from.value && addDays(from.value, MAX_DAYS - 1);
}

const isRange = [from, to].every((field) => field.checkValidity());
range.open = isRange;
/** The two days of a range, whatever the fields have later. */
const dates = { from: from.value, to: to.value };
/** The link to the period: to 90 days, if the address is that of no other. */
const current =
  links.find(({ search }) => search === location.search) ??
  find('#period-usual', HTMLAnchorElement);
const days = new URLSearchParams(current.search).get('days');
if (!isRange) current.ariaCurrent = 'true';

/** The period as the query of a request. It moves on at midnight. */
export function period(): Query {
  if (isRange) return dates;
  // Until today by the service's clock, because that of the browser may be behind.
  if (days === 'all') return { to: '9999-12-31' };
  return { from: addDays(dayOf(Date.now()), 1 - Number(days ?? 90)) };
}

/** `last 7 days`, or two dates. */
export const periodName = isRange
  ? nameRange(dates.from, dates.to)
  : `${days === 'all' ? '' : 'last '}${current.text.toLowerCase()}`;
