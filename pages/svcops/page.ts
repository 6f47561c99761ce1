/**
 * The administrator page: starts its parts and keeps them up to date. Only administrators can load
 * `svcops/`; other clients get the 404 of an unknown URL.
 */
import type { JoinsReply, StatsReply } from '../../lib/replies.ts';
import { read } from './api.ts';
import { showChart } from './chart.ts';
import { find } from './elements.ts';
import { filterLogs, filterPeople } from './filters.ts';
import './invitation.ts';
import { keepLive } from './live.ts';
import { showOverview } from './overview.ts';
import { period } from './period.ts';
import { refreshPerson } from './person.ts';
import { refreshTables } from './tables.ts';

async function refreshStats(): Promise<void> {
  const [stats, joins] = await Promise.all([
    read<StatsReply>('stats', period()),
    read<JoinsReply>('joins', { of: 'summary', limit: '1', ...period() }),
  ]);
  showOverview(stats, joins.stats);
  showChart(stats.daily, stats.first);
}

async function refresh(): Promise<unknown> {
  // Another period, or at midnight its days and "for over a week".
  filterLogs();
  filterPeople();
  return Promise.all([refreshStats(), refreshTables(), refreshPerson()]);
}

// Only development has no https.
const { site = '' } = document.body.dataset;
if (location.protocol === 'https:' && location.origin !== site)
  find('#origin', HTMLElement).textContent =
    `Letters link to ${site}. Set PUBLIC_ORIGIN to ${location.origin}, and restart the service.`;

// A keyboard scrolls only elements that take the focus.
for (const region of document.querySelectorAll<HTMLElement>('.scroll')) region.tabIndex = 0;

const readNow = keepLive(refresh);
addEventListener('invited', readNow);
addEventListener('period', readNow);
readNow();
