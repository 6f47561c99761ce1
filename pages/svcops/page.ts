/**
 * The administrator page: starts its parts and keeps them up to date. Only administrators can load
 * `svcops/`; other clients get the 404 of an unknown URL.
 */
import type { StatsReply } from '../../lib/routes/replies.ts';
import { read } from './api.ts';
import { showChart } from './chart.ts';
import { find } from './elements.ts';
import { refreshTables } from './filters.ts';
import './extras/bulk-invite.ts';
import './invitation.ts';
import { keepLive } from './live.ts';
import { showOverview } from './overview.ts';
import { period } from './period.ts';
import { refreshPerson } from './person.ts';

async function refreshStats(): Promise<void> {
  const stats = await read<StatsReply>('stats', period());
  showOverview(stats);
  showChart(stats.daily, stats.first);
}

const refresh = (): Promise<unknown> =>
  Promise.all([refreshStats(), refreshTables(), refreshPerson()]);

// Only development has no https.
const { site = '' } = document.body.dataset;
if (location.protocol === 'https:' && location.origin !== site)
  find('#origin', HTMLElement).textContent =
    `Letters link to ${site}. Set PUBLIC_ORIGIN to ${location.origin}, and restart the service.`;

const readNow = keepLive(refresh);
addEventListener('invited', readNow);
readNow();
