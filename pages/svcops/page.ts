/**
 * The administrator page: starts its parts and keeps them up to date. The parts are loaded
 * separately: if one fails to start in this browser, the page names it and the others work.
 */
import type { StatsReply } from '../../lib/records.ts';
import { read } from './api.ts';

const ADVICE = 'Please load the page again, or try another browser.';

const missing: string[] = [];

const [live, overview, chart, tables, filters, person, invitation, many, followUp, keys, period] =
  await Promise.all([
    start('reading again by itself', import('./live.ts')),
    start('the numbers', import('./overview.ts')),
    start('the chart', import('./chart.ts')),
    start('the lists', import('./tables.ts')),
    start('the filters', import('./filters.ts')),
    start('the story of a person', import('./person.ts')),
    start('the form to invite', import('./invitation.ts')),
    start('the form to invite many', import('./many.ts')),
    start('copying addresses', import('./follow-up.ts')),
    start('the keys', import('./keys.ts')),
    start('the choice of a period', import('./period.ts')),
  ]);

async function start<Part>(name: string, part: Promise<Part>): Promise<Part | undefined> {
  try {
    return await part;
  } catch (error) {
    console.error(error);
    missing.push(name);
    return undefined;
  }
}

async function refreshStats(): Promise<void> {
  const stats = await read<StatsReply>('stats', period?.period());
  overview?.showOverview(stats);
  chart?.showChart(stats.daily, stats.first);
  period?.compareWith(stats.first);
}

function refresh(): Promise<unknown> {
  // At midnight the period and "over a week ago" move on.
  filters?.filterLogs();
  filters?.filterPeople();
  return Promise.all([refreshStats(), tables?.refreshTables(), person?.refreshPerson()]);
}

const trouble = document.querySelector<HTMLElement>('#missing');
if (trouble && missing.length > 0)
  trouble.textContent = `Not working: ${missing.join(', ')}. ${ADVICE}`;

// A keyboard scrolls only elements that take the focus.
for (const region of document.querySelectorAll<HTMLElement>('.scroll')) region.tabIndex = 0;

const readNow = live?.keepLive(refresh) ?? refresh;
period?.wirePeriod(() => {
  filters?.showPeriod();
  readNow();
});
filters?.wireFilters();
person?.wirePerson();
invitation?.wireInvitation(readNow);
many?.wireMany(readNow);
followUp?.wireFollowUp();
keys?.wireKeys();
chart?.onChoice(({ day, last }) => {
  if (day === last) filters?.showDay(day);
  else period?.showDays(day, last);
});
readNow();
