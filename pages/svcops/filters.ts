/** The filters of the tables. */

import { afterPause, find } from './elements.ts';
// extra: export
import { hideMailMerge, showMailMerge } from './extras/letters/mail-merge.ts'; // extra: letters
// end: export
import { filterIn, personIn, withFragment } from './fragment.ts';
import { report } from './live.ts';
import { formatMoment } from './parts.ts'; // extra: bulk
import { period, periodName } from './period.ts';
import { changes, clicks, events, invites, joins } from './tables.ts';

const people = find('#people', HTMLElement);
const text = find('#people-text', HTMLInputElement);
const status = find('#people-status', HTMLSelectElement);
const span = find('#people-span', HTMLElement);
const saved = find('#people-saved', HTMLElement); // extra: bulk
const type = find('#events-type', HTMLSelectElement);

/** Reads all tables again, with the period and their filters. */
export function refreshTables(): Promise<unknown> {
  for (const each of document.querySelectorAll('.span')) each.textContent = periodName();
  return Promise.all([
    showPeople(),
    joins.show({ of: 'summary', ...period() }),
    clicks.show({ of: 'clicks', ...period() }),
    showEvents(),
    changes.show({}),
  ]);
}

const showEvents = () => events.show({ type: type.value, ...period() });

const DAY = 86_400_000;

async function showPeople(): Promise<void> {
  const { days, ...filter } = Object.fromEntries(new URLSearchParams(status.value));
  const query: Record<string, string> = { ...filter };
  // `days` times 24 hours ago, because a UTC day begins at another hour for administrators.
  if (days !== undefined) query.before = String(Date.now() - Number(days) * DAY);
  if (filter.did !== undefined) Object.assign(query, period());
  span.textContent = filter.did === undefined ? 'all time' : periodName();
  // Copied text may contain line breaks and other control characters. The service refuses them.
  query.q = text.value.replace(/\p{Cc}+/gu, ' ').trim();
  await invites.show(query);
  // extra: export
  await showMailMerge(status.value, invites.count(), invites.query()); // extra: letters
  // end: export
}

const filterPeople = () => showPeople().catch(report);

// extra: bulk
/**
 * If an address names a saved list, `status=pending&invitedAt=…`, adds it to the filter's choices.
 */
function addSavedList(value: string): void {
  const invitedAt = Number(new URLSearchParams(value).get('invitedAt'));
  const isKnown = [...status.options].some((option) => option.value === value);
  if (isKnown || !Number.isSafeInteger(invitedAt) || invitedAt <= 0) return;
  const option = new Option(`Pending, of the list saved ${formatMoment(invitedAt)}`, value);
  find('option[value="status=pending"]', HTMLOptionElement, status).after(option);
}

/** Shows the guests of a list that was just saved. They wait for their letters. */
export async function showSavedList(invitedAt: number, sentence: string): Promise<void> {
  const value = `status=pending&invitedAt=${invitedAt}`;
  addSavedList(value);
  status.value = value;
  text.value = '';
  // The address names the list before it is read. If that fails, a reload reads it again.
  rememberFilter();
  // extra: export
  // Hides the links to the letters of the last list.
  hideMailMerge(); // extra: letters
  // end: export
  saySaved(sentence);
  await showPeople().catch(report);
  people.scrollIntoView();
  // extra: letters
  const download = people.querySelector<HTMLElement>('#people-letters:not([hidden]) a');
  if (download) {
    // Moves the focus past the sentence, so screen readers read it together with the link.
    download.setAttribute('aria-describedby', saved.id);
    download.focus({ preventScroll: true });
    return;
  }
  // end: letters
  people.focus({ preventScroll: true });
}

function saySaved(sentence: string): void {
  saved.textContent = sentence;
  saved.hidden = sentence === '';
}
// end: bulk

/**
 * Shows the list that a filter in the address names, as in `#did=join`.
 *
 * @param isAsked whether a link was followed; otherwise the page does not scroll
 */
function followAddress(isAsked: boolean): void {
  const value = filterIn(location.href);
  if (value === '' && personIn(location.href) !== '') {
    keepFilter();
    return;
  }
  addSavedList(value); // extra: bulk
  if (![...status.options].some((option) => option.value === value)) return;
  if (!isAsked && status.value === value) return;
  status.value = value;
  text.value = '';
  saySaved(''); // extra: bulk
  filterPeople();
  if (!isAsked) return;
  rememberFilter();
  people.scrollIntoView();
  people.focus({ preventScroll: true });
}

/**
 * Puts the filter into the address, with a state. So `popstate` can tell a return to this address
 * from a link, which has no state.
 */
function rememberFilter(): void {
  history.replaceState('list', '', withFragment(status.value, personIn(location.href)));
}

/** Keeps the filter in the address of a person's link, so that a reload shows the list again. */
function keepFilter(): void {
  if (status.selectedIndex > 0) rememberFilter();
}

// In narrow windows, and before the first invite, a log is closed until the administrator opens it.
for (const section of document.querySelectorAll<HTMLElement>('.fold')) {
  const unfold = find('.unfold', HTMLButtonElement, section);
  unfold.addEventListener('click', () => {
    section.classList.add('open');
    section.focus({ preventScroll: true });
  });
}
text.addEventListener('input', afterPause(filterPeople));
status.addEventListener('change', () => {
  saySaved(''); // extra: bulk
  rememberFilter();
  filterPeople();
});
addEventListener('popstate', ({ state }) => followAddress(state === null));
type.addEventListener('change', () => showEvents().catch(report));
followAddress(history.state === null);
