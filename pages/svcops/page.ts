/**
 * The administrator page: starts its parts and keeps them up to date. Only administrators can load
 * `svcops/`; other clients get the 404 of an unknown URL.
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

/** Of overlapping calls only the last one has an effect: the period may have changed since. */
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
  // The pressed day of the chart's table may be gone.
  if (wasInside && !activity.contains(document.activeElement))
    activity.focus({ preventScroll: true });
});
readNow().then(arrive);
