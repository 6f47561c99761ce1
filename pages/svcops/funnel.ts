/** The steps of guests: how many reached each, and who has not yet. */
import type { ListedGuest, Status } from '../../lib/records.ts';
import { find } from '../everyone/shared.ts';
import { element, formatCount } from './elements.ts';

/** In their order. The status of a guest is the furthest one. */
export const STEPS: readonly Status[] = ['pending', 'logged_in', 'viewed', 'joined'];

const WORDS: Readonly<Record<Status, string>> = {
  pending: 'Not logged in',
  logged_in: 'Logged in',
  viewed: 'Viewed',
  joined: 'Joined',
};

type Filter = (guest: ListedGuest) => boolean;

/** The filters of the list by their names. The numbers of the funnel lead to them. */
export const FILTERS: Readonly<Record<string, Filter>> = {
  Everyone: () => true,
  Guests: reached('pending'),
  [WORDS.pending]: stoppedAt('pending'),
  [WORDS.logged_in]: reached('logged_in'),
  'Logged in, not viewed': stoppedAt('logged_in'),
  [WORDS.viewed]: reached('viewed'),
  'Viewed, not joined': stoppedAt('viewed'),
  [WORDS.joined]: reached('joined'),
};

function reached(step: Status): Filter {
  return ({ isAdmin, status }) => !isAdmin && STEPS.indexOf(status) >= STEPS.indexOf(step);
}

function stoppedAt(step: Status): Filter {
  return ({ isAdmin, status }) => !isAdmin && status === step;
}

const links = document.querySelectorAll<HTMLElement>('#funnel a');
const filter = find('#guests-filter', HTMLSelectElement);
filter.append(...Object.keys(FILTERS).map((name) => new Option(name, name)));

/** @param countOf how many guests a filter has */
export function showFunnel(countOf: (filter: string) => number): void {
  for (const option of filter.options)
    option.text = `${option.value} (${formatCount(countOf(option.value))})`;
  for (const link of links) {
    const count = countOf(link.dataset.filter ?? '');
    link.firstElementChild?.replaceChildren(formatCount(count));
    link.style.setProperty('--share', String(count / Math.max(1, countOf('Guests'))));
    link.hidden = link.className === 'gap' && count === 0;
  }
  document.body.classList.toggle('nobody', countOf(WORDS.logged_in) === 0);
}

/** @param choose sets the filter of the list */
export function startFunnel(choose: (filter: string) => void): void {
  for (const link of links) link.addEventListener('click', () => choose(link.dataset.filter ?? ''));
}

export function statusElement(status: Status): HTMLElement {
  return element('span', `status ${status}`, WORDS[status]);
}
