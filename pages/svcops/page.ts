/**
 * The administrator page: starts its parts and updates them. Only administrators can load files of
 * `svcops/`. Others get the 404 of an unknown URL.
 */
import type { StatsReply } from '../../lib/routes/replies.ts';
import { read } from './api.ts';
import { showChart } from './chart.ts';
import { find } from './elements.ts';
import { refreshTables } from './filters.ts';
import './extras/bulk/bulk-invite.ts'; // extra: bulk
import './invitation.ts';
import { keepLive } from './live.ts';
import { showOverview } from './overview.ts';
import { period } from './period.ts';
import { refreshPerson } from './person.ts';
import { arrive } from './sections.ts';

let lastCall = 0;

/** If calls overlap, only the last one has an effect, because the period may have changed. */
async function refreshStats(): Promise<void> {
  lastCall += 1;
  const call = lastCall;
  const stats = await read<StatsReply>('stats', period());
  if (call !== lastCall) return;
  showOverview(stats);
  showChart(stats.daily, stats.first);
}

const refresh = (): Promise<unknown> =>
  Promise.all([refreshStats(), refreshTables(), refreshPerson()]);

const readNow = keepLive(refresh);
addEventListener('invited', readNow);
addEventListener('period', async () => {
  const activity = find('#activity', HTMLElement);
  const wasInside = activity.contains(document.activeElement);
  await readNow();
  // The pressed day may be gone from the chart's table.
  if (wasInside && !activity.contains(document.activeElement))
    activity.focus({ preventScroll: true });
});
readNow().then(arrive);
