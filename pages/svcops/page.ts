/**
 * The administrator page: starts its parts and keeps them up to date. The parts are loaded
 * separately: if one fails to start in this browser, the page names it and the others work. Only
 * administrators can load `svcops/`; other clients get the 404 of an unknown URL.
 */
import type { StatsReply } from '../../lib/records.ts';
import { read } from './api.ts';
import { find } from './elements.ts';

const missing: string[] = [];

const start = <Part>(name: string, part: Promise<Part>): Promise<Part | undefined> =>
  part.catch((error: unknown) => {
    console.error(error);
    missing.push(name);
    return undefined;
  });

const [live, overview, chart, tables, filters, person, period] = await Promise.all([
  start('automatic refresh', import('./live.ts')),
  start('overview', import('./overview.ts')),
  start('chart', import('./chart.ts')),
  start('tables', import('./tables.ts')),
  start('filters', import('./filters.ts')),
  start('guest details', import('./person.ts')),
  start('period', import('./period.ts')),
  start('invite form', import('./invitation.ts')),
  start('bulk invite', import('./bulk-invite.ts')),
]);

async function refreshStats(): Promise<void> {
  const stats = await read<StatsReply>('stats', period?.period());
  overview?.showOverview(stats);
  chart?.showChart(stats.daily, stats.first);
  period?.compareWith(stats.first);
}

async function refresh(): Promise<unknown> {
  // At midnight the period and "for over a week" move on.
  filters?.filterLogs();
  filters?.filterPeople();
  return Promise.all([refreshStats(), tables?.refreshTables(), person?.refreshPerson()]);
}

const advice = 'Please reload the page or try another browser.';
if (missing.length > 0)
  find('#missing', HTMLElement).textContent = `Not working: ${missing.join(', ')}. ${advice}`;

// Only development has no https.
const { site = '' } = document.body.dataset;
if (location.protocol === 'https:' && location.origin !== site)
  find('#origin', HTMLElement).textContent =
    `Letters link to ${site}. Set PUBLIC_ORIGIN to ${location.origin}, and restart the service.`;

// A keyboard scrolls only elements that take the focus.
for (const region of document.querySelectorAll<HTMLElement>('.scroll')) region.tabIndex = 0;

const readNow = live?.keepLive(refresh) ?? refresh;
// Parts tell the page of invites, and of another period.
addEventListener('invited', readNow);
addEventListener('period', () => {
  filters?.showPeriod();
  readNow();
});
chart?.onChoice(({ day, last }) => {
  if (day === last) filters?.showDay(day);
  else period?.showDays(day, last);
});
readNow();
