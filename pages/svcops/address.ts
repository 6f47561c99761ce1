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

/** What was shown last, because links to sections change the address too. */
let shown = location.search;

/** Changes one parameter of the address; an empty value takes it away. */
function go(name: string, value: string): void {
  const search = new URLSearchParams(location.search);
  search.set(name, value);
  if (value === '') search.delete(name);
  const { href, pathname } = location;
  const url = new URL(search.size > 0 ? `?${search}` : pathname, href);
  if (url.search !== shown) history.pushState(null, '', url);
  shown = url.search;
}

/**
 * Follows links such as `?days=7` without leaving the page, where typed text would be lost.
 *
 * @param follow is called with the parameter that a link changed, or without one after *Back*
 */
export function followAddress(follow: (changed?: string) => void): void {
  document.addEventListener('click', (event) => {
    const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey);
    const link = event.target instanceof Element ? event.target.closest('a[href^="?"]') : null;
    if (!isPlain || !(link instanceof HTMLAnchorElement)) return;
    event.preventDefault();
    for (const [name, value] of new URLSearchParams(link.search)) {
      go(name, value);
      follow(name);
    }
  });
  addEventListener('popstate', () => {
    if (location.search === shown) return;
    shown = location.search;
    follow();
  });
}
