/** Lists and counts events: logins and timeline views. */
import { LIST, PERIOD, readChoice, readPeriod } from '../lib/cli/arguments.ts';
import { runFromShell } from '../lib/cli/shell.ts';
import { printStoreList, readStore } from '../lib/cli/store.ts';
import { printOutcome, toTable } from '../lib/cli/terminal.ts';
import { type Call, type Command, defineTool } from '../lib/cli/tool.ts';
import { toCsv } from '../lib/extras/export/csv.ts'; // extra: export
import { COLUMNS } from '../lib/lists.ts';
import { EVENT_TYPES } from '../lib/store/events.ts';
import { ALL_TIME } from '../lib/store/period.ts';

const COMMANDS: readonly Command[] = [
  {
    usage: `list [--type <type>] ${PERIOD} ${LIST}`,
    help: `events, newest first
      --type: login or timeline_view
      --from, --to: on these days (UTC, YYYY-MM-DD)`,
    run: listEvents,
  },
  {
    usage: `summary ${PERIOD} ${LIST}`,
    help: 'one row per person: logins, views, last seen',
    run(call) {
      printStoreList(call, 'events', COLUMNS.peopleSeen, ({ people }, filter) =>
        people.seen(filter),
      );
    },
  },
  {
    usage: `for <email> ${LIST}`,
    help: 'every event of one person, newest first',
    run: listEvents,
  },
  {
    usage: `stats ${PERIOD}`,
    help: 'totals by type, and by device (the devices of all time)',
    run: printStats,
  },
];

export const main = defineTool('events', COMMANDS, {
  csv: toCsv, // extra: export
});

function listEvents(call: Call): void {
  const type = readChoice(call, 'type', EVENT_TYPES);
  printStoreList(call, 'events', COLUMNS.events, ({ events }, filter) =>
    events.list({ ...filter, type }),
  );
}

function printStats(call: Call): void {
  const period = readPeriod(call);
  const { logins, timelineViews, devices } = readStore(call, ({ totals }) => ({
    ...totals.activity(period ?? ALL_TIME),
    ...totals.devices(),
  }));
  const types = toTable('', ['logins', 'timelineViews'], [{ logins, timelineViews }]);
  const shares = devices.map(({ name, count }) => ({ device: name, count }));
  const text = `${types}\n${toTable('no devices yet', ['device', 'count'], shares)}`;
  printOutcome(call, text, { logins, timelineViews, devices });
}

await runFromShell(import.meta.url, main);
