/**
 * The administrator page: starts its parts and keeps them up to date. Each part is loaded by itself, so that one that cannot
 * start in this browser says so and leaves the others at work.
 */
import { read, type Stats } from './api.ts';

const missing: string[] = [];

const [live, overview, chart, tables, filters, person, invitation] = await Promise.all([
  start('reading again by itself', import('./live.ts')),
  start('the numbers', import('./overview.ts')),
  start('the chart', import('./chart.ts')),
  start('the lists', import('./tables.ts')),
  start('the filters', import('./filters.ts')),
  start('the story of a person', import('./person.ts')),
  start('the form to invite', import('./invitation.ts')),
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
  const stats = await read<Stats>('stats');
  overview?.showOverview(stats);
  chart?.showChart(stats.daily);
}

const refresh = (): Promise<unknown> =>
  Promise.all([refreshStats(), tables?.refreshTables(), person?.refreshPerson()]);

const trouble = document.querySelector<HTMLElement>('#missing');
if (trouble && missing.length > 0)
  trouble.textContent = `Not working: ${missing.join(', ')}. Please load the page again, or try another browser.`;

// What scrolls must be within reach of a keyboard.
for (const region of document.querySelectorAll<HTMLElement>('.scroll')) region.tabIndex = 0;

const readNow = live?.keepLive(refresh) ?? refresh;
filters?.wireFilters();
person?.wirePerson();
invitation?.wireInvitation(readNow);
readNow();
