/** What the page's address says is shown: `?days=30&person=ada%40example.com`. */
import { readEmail } from '../../lib/addresses.ts';

const PERIODS = ['7', '30', '90', 'all'];
const USUAL_PERIOD = '90';

/** The days of the chart: a number, or `all`. */
export function shownDays(): string {
  const days = new URLSearchParams(location.search).get('days') ?? USUAL_PERIOD;
  return PERIODS.includes(days) ? days : USUAL_PERIOD;
}

/** The email address of the person who is shown; empty for everyone. */
export function shownPerson(): string {
  return readEmail(new URLSearchParams(location.search).get('person') ?? '') ?? '';
}

/**
 * Follows links such as `?days=7` without leaving the page, where typed text would be lost.
 *
 * @param follow is called after each change of the address, of its section too
 */
export function followAddress(follow: () => void): void {
  document.addEventListener('click', (event) => {
    const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey);
    const link = event.target instanceof Element ? event.target.closest('a[href^="?"]') : null;
    if (!isPlain || !(link instanceof HTMLAnchorElement)) return;
    event.preventDefault();
    const search = new URLSearchParams(location.search);
    for (const [name, value] of new URLSearchParams(link.search)) search.set(name, value);
    history.pushState(null, '', `?${search}`);
    follow();
  });
  addEventListener('popstate', follow);
}
