/** Lists and counts events: logins and timeline views. */
import { PERIOD, readFilter, readPeriod } from '../lib/cli/arguments.ts';
import { runFromShell } from '../lib/cli/shell.ts';
import { readStore } from '../lib/cli/store.ts';
import { print, printList, tableLines } from '../lib/cli/terminal.ts';
import { type Call, defineTool } from '../lib/cli/tool.ts';
import { COLUMNS } from '../lib/csv.ts';
import type { DeviceShare } from '../lib/records.ts';

export const main = defineTool('events', [
  {
    name: 'list',
    options: { type: '<type>', ...PERIOD, limit: '<n>', csv: '' },
    help: `events, newest first; a type is login or timeline_view;
      of the days (UTC, YYYY-MM-DD) from … to`,
    run: printEvents,
  },
  {
    name: 'summary',
    options: { ...PERIOD, csv: '' },
    help: 'one row per person: logins, views, last seen',
    run(call) {
      const period = readPeriod(call);
      printList(call, COLUMNS.peopleSeen, ({ people }) => people.seen(period));
    },
  },
  {
    name: 'for',
    words: ['<email>'],
    options: { csv: '' },
    help: 'every event of one person, newest day first',
    run: printEvents,
  },
  {
    name: 'stats',
    options: PERIOD,
    help: 'totals by type, and by kind of device (always over all time)',
    run: printStats,
  },
]);

function printEvents(call: Call): void {
  const filter = readFilter(call);
  printList(call, COLUMNS.events, ({ events }) => events.rows(filter));
}

function printStats(call: Call): void {
  const period = readPeriod(call);
  readStore(call, ({ totals }) => {
    const { logins, timelineViews } = totals.counts(period);
    const { devices } = totals.devices();
    const types = [
      { name: 'login', count: logins },
      { name: 'timeline_view', count: timelineViews },
    ];
    const printCounts = (heading: string, counts: readonly DeviceShare[]) => {
      const rows = counts.map(({ name, count }) => ({ [heading]: name, events: count }));
      print(call, tableLines([heading, 'events'], rows));
    };
    if (call.json) call.write(`${JSON.stringify({ types, devices })}\n`);
    else {
      printCounts('type', types);
      call.write('\n');
      printCounts('device', devices);
    }
  });
}

await runFromShell(import.meta.url, main);
