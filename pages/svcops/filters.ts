/** Sorting and filtering: what is chosen above a list goes into its query, and into the address of its export. */
import { type Invites, listUrl, read } from './api.ts';
import { element, find, update } from './elements.ts';
import { attempt } from './live.ts';
import { readable } from './readable.ts';
import { eventFilter, events, inviteFilter, invites } from './tables.ts';

/** A filter waits until typing pauses for so long, in ms. */
const PAUSE = 200;

/** People suggested for the event log. */
const SUGGESTIONS = 8;

const people = find('#people', HTMLElement);
const peopleText = find('#people-text', HTMLInputElement);
const peopleStatus = find('#people-status', HTMLSelectElement);
const headings = [...people.querySelectorAll('th')];
const log = find('#events', HTMLElement);
const logType = find('#events-type', HTMLSelectElement);
const logEmail = find('#events-email', HTMLInputElement);
const logPeople = find('#events-people', HTMLDataListElement);
const logHint = find('#events-hint', HTMLElement);

export function wireFilters(): void {
  for (const form of document.querySelectorAll('form.filters'))
    form.addEventListener('submit', (event) => event.preventDefault());
  for (const heading of headings) {
    const button = find('button', HTMLButtonElement, heading);
    button.addEventListener('click', () => sortBy(heading, button));
  }
  peopleText.addEventListener('input', afterPause(filterPeople));
  peopleStatus.addEventListener('change', filterPeople);
  logType.addEventListener('change', filterLog);
  logEmail.addEventListener('input', afterPause(filterLog));
  // A browser may have kept what was typed before the page was loaded again.
  readPeople();
  readLog();
}

/** The first press sorts the way that is asked for most, the next the other way. */
function sortBy(heading: Element, { dataset: { sort = '', first = 'asc' } }: HTMLElement): void {
  const other = inviteFilter.order === 'asc' ? 'desc' : 'asc';
  inviteFilter.order = inviteFilter.sort === sort ? other : first;
  inviteFilter.sort = sort;
  for (const each of headings) each.ariaSort = 'none';
  heading.ariaSort = inviteFilter.order === 'asc' ? 'ascending' : 'descending';
  filterPeople();
}

function readPeople(): void {
  inviteFilter.q = textOf(peopleText);
  inviteFilter.status = peopleStatus.value;
  setExport(people, 'invites', inviteFilter);
}

function filterPeople(): void {
  readPeople();
  attempt(invites.restart);
}

function readLog(): void {
  const address = textOf(logEmail).toLowerCase();
  eventFilter.type = logType.value;
  eventFilter.email = isAddress(address) ? address : '';
  setExport(log, 'events', eventFilter);
  update(logHint, address === eventFilter.email ? '' : 'Type or choose a whole address.');
}

function filterLog(): void {
  const former = JSON.stringify(eventFilter);
  readLog();
  if (JSON.stringify(eventFilter) !== former) attempt(events.restart);
  if (textOf(logEmail) !== eventFilter.email) attempt(suggestPeople);
}

async function suggestPeople(): Promise<void> {
  const query = { q: textOf(logEmail), limit: SUGGESTIONS };
  const { invites: found } = await read<Invites>('invites', query);
  logPeople.replaceChildren(
    ...found.map(({ email }) => {
      const option = element('option');
      option.value = readable(email);
      return option;
    }),
  );
}

/** What was typed, on one line: the service refuses control characters, which a copied text may hold. */
const textOf = ({ value }: HTMLInputElement): string => value.replace(/\p{Cc}+/gu, ' ').trim();

function setExport(section: HTMLElement, path: string, filter: Readonly<Record<string, string>>) {
  find('.export', HTMLAnchorElement, section).href = listUrl(path, { ...filter, format: 'csv' });
}

const isAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);

function afterPause(task: () => void): () => void {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(task, PAUSE);
  };
}
