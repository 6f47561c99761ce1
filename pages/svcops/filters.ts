/** The controls of the tables, which filter them. */
import { addDays, dayOf } from './days.ts';
import { afterPause, find } from './elements.ts';
// extra: export
import { showMailMerge } from './extras/letters/mail-merge.ts'; // extra: letters
// end: export
import { report } from './live.ts';
import { period, periodName } from './period.ts';
import { changes, clicks, events, invites, joins } from './tables.ts';

const people = find('#people', HTMLElement);
const text = find('#people-text', HTMLInputElement);
const status = find('#people-status', HTMLSelectElement);
const span = find('#people-span', HTMLElement);
const type = find('#events-type', HTMLSelectElement);

for (const each of document.querySelectorAll('.span')) each.textContent = periodName;

/** Reads all tables again, with the period and the filters of those that have them. */
export const refreshTables = (): Promise<unknown> =>
  Promise.all([
    showPeople(),
    joins.show({ of: 'summary', ...period() }),
    clicks.show({ of: 'clicks', ...period() }),
    showEvents(),
    changes.show({}),
  ]);

const showEvents = () => events.show({ type: type.value, ...period() });

function showPeople(): Promise<void> {
  const { days, since, ...filter } = Object.fromEntries(new URLSearchParams(status.value));
  const { did } = filter;
  const today = dayOf(Date.now());
  const invited = days ? { to: addDays(today, -Number(days)) } : since ? { from: today } : {};
  span.textContent = did ? periodName : 'all time';
  // On one line: the service refuses control characters, which copied text may contain.
  const q = text.value.replace(/\p{Cc}+/gu, ' ').trim();
  const shown = invites.show({ q, ...filter, ...(did ? period() : invited) });
  // extra: export
  showMailMerge(filter.status ?? '', invites.url); // extra: letters
  // end: export
  return shown;
}

const filterPeople = () => showPeople().catch(report);

/**
 * Shows the list that the address names by a value of the filter, as in `#did=join`.
 *
 * @param isAsked whether a link was followed; otherwise the page stays where it is
 */
function followAddress(isAsked: boolean): void {
  const value = location.hash.slice(1);
  if (![...status.options].some((option) => option.value === value)) return;
  if (!isAsked && status.value === value) return;
  status.value = value;
  text.value = '';
  filterPeople();
  if (!isAsked) return;
  rememberFilter();
  people.scrollIntoView();
  people.focus({ preventScroll: true });
}

/** Puts the filter into the address. The state tells a link from the way back to this address. */
const rememberFilter = () => history.replaceState('list', '', `#${status.value}`);

// In narrow windows a log is folded until it is asked for (cards.css).
for (const section of document.querySelectorAll<HTMLElement>('.fold'))
  find('.unfold', HTMLButtonElement, section).addEventListener('click', () => {
    section.classList.add('open');
    section.focus({ preventScroll: true });
  });
text.addEventListener('input', afterPause(filterPeople));
status.addEventListener('change', () => {
  rememberFilter();
  filterPeople();
});
addEventListener('popstate', ({ state }) => followAddress(state === null));
type.addEventListener('change', () => showEvents().catch(report));
followAddress(history.state === null);
