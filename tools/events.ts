/** Lists and counts events: logins and timeline views. */
import * as args from '../lib/cli/arguments.ts';
import { runFromShell } from '../lib/cli/shell.ts';
import { readStore } from '../lib/cli/store.ts';
import { printList, printTable, printText } from '../lib/cli/terminal.ts';
import { type Call, defineTool } from '../lib/cli/tool.ts';
import { COLUMNS } from '../lib/csv.ts';
import type { Store } from '../lib/store/open.ts';
import { EVENT_TYPES } from '../lib/store/rows/events.ts';
import { readAllPages } from '../lib/store/rows/paging.ts';
import type { Period } from '../lib/store/rows/period.ts';

export const main = defineTool('events', [
  {
    name: 'list',
    options: {
      type: args.valueOption('type'),
      ...args.PERIOD_OPTIONS,
      limit: args.valueOption('n'),
      csv: args.FLAG_OPTION,
    },
    help:
      'events, newest first; a type is login or timeline_view;\n' +
      'of the days (UTC, YYYY-MM-DD) from … to',
    run(call) {
      const filter = {
        type: args.readChoice(call, 'type', EVENT_TYPES),
        period: args.readPeriod(call),
      };
      const limit = args.readLimit(call);
      printList(call, COLUMNS.events, ({ events }) => readAllPages(events.list, filter, limit));
    },
  },
  {
    name: 'summary',
    options: { ...args.PERIOD_OPTIONS, csv: args.FLAG_OPTION },
    help: 'one row per person: logins, views, last seen',
    run(call) {
      const period = args.readPeriod(call);
      printList(call, COLUMNS.peopleSeen, ({ people }) => people.seen(period));
    },
  },
  {
    name: 'for',
    words: ['<email>'],
    options: { csv: args.FLAG_OPTION },
    help: 'every event of one person, newest first',
    run(call) {
      const filter = { email: args.readEmail(call) };
      printList(call, COLUMNS.events, ({ events }) => readAllPages(events.list, filter));
    },
  },
  {
    name: 'stats',
    options: args.PERIOD_OPTIONS,
    help: 'totals by type, and by kind of device (always over all time)',
    run(call) {
      const period = args.readPeriod(call);
      readStore(call, (store) => printStats(call, store, period));
    },
  },
]);

function printStats(call: Call, { totals }: Store, period: Period | undefined): void {
  const { logins, timelineViews } = totals.counts(period);
  const { devices } = totals.devices();
  const types = [
    { name: 'login', count: logins },
    { name: 'timeline_view', count: timelineViews },
  ];
  if (call.json) {
    printText(call, `${JSON.stringify({ types, devices })}\n`);
    return;
  }
  const rows = types.map(({ name, count }) => ({ type: name, events: count }));
  printTable(call, ['type', 'events'], rows);
  printText(call, '\n');
  const shares = devices.map(({ name, count }) => ({ device: name, events: count }));
  printTable(call, ['device', 'events'], shares);
}

await runFromShell(import.meta.url, main);
