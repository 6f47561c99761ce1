/** Lists and counts events: logins and timeline views. */
import { LIST, PERIOD, readFilter, readPeriod } from '../lib/cli/arguments.ts';
import { runFromShell } from '../lib/cli/shell.ts';
import { readStore } from '../lib/cli/store.ts';
import { printCounts, printList } from '../lib/cli/terminal.ts';
import { type Call, defineTool } from '../lib/cli/tool.ts';
import { COLUMNS } from '../lib/csv.ts';

export const main = defineTool('events', [
  {
    usage: `list [--type <type>] ${PERIOD} ${LIST}`,
    help: `events, newest first; a type is login or timeline_view;
      of the days (UTC, YYYY-MM-DD) from … to`,
    run: printEvents,
  },
  {
    usage: `summary ${PERIOD} ${LIST}`,
    help: 'one row per person: logins, views, last seen',
    run(call) {
      const { period, limit } = readFilter(call);
      const seen = readStore(call, ({ people }) => people.seen(period));
      printList(call, COLUMNS.peopleSeen, seen.slice(0, limit));
    },
  },
  {
    usage: `for <email> ${LIST}`,
    help: 'every event of one person, newest first',
    run: printEvents,
  },
  {
    usage: `stats ${PERIOD}`,
    help: 'totals by type, and by kind of device (always over all time)',
    run(call) {
      const period = readPeriod(call);
      const [{ logins, timelineViews }, { devices }] = readStore(
        call,
        ({ totals }) => [totals.activity(period), totals.devices()] as const,
      );
      const types = [
        { name: 'login', count: logins },
        { name: 'timeline_view', count: timelineViews },
      ];
      printCounts(call, { type: types, device: devices }, { types, devices });
    },
  },
]);

function printEvents(call: Call): void {
  const filter = readFilter(call);
  const { rows } = readStore(call, ({ events }) => events.list(filter));
  printList(call, COLUMNS.events, rows);
}

await runFromShell(import.meta.url, main);
