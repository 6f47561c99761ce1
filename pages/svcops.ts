/** The administrator page: starts its parts and keeps them up to date. */
import { read, type Stats } from './svcops-api.ts';
import { showChart } from './svcops-chart.ts';
import { wireFilters } from './svcops-filters.ts';
import { inviteBy } from './svcops-invitation.ts';
import { keepLive } from './svcops-live.ts';
import { showOverview } from './svcops-overview.ts';
import { refreshPerson, wirePerson } from './svcops-person.ts';
import { refreshTables } from './svcops-tables.ts';

async function refreshStats(): Promise<void> {
  const stats = await read<Stats>('stats');
  showOverview(stats);
  showChart(stats.daily);
}

const refresh = (): Promise<unknown> =>
  Promise.all([refreshStats(), refreshTables(), refreshPerson()]);

// What scrolls must be within reach of a keyboard.
for (const region of document.querySelectorAll<HTMLElement>('.scroll')) region.tabIndex = 0;

wireFilters();
wirePerson();
inviteBy(refresh);
keepLive(refresh);
