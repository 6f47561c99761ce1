/** Lists and counts joins. */
import { LIST, PERIOD, readFilter, readPeriod } from '../lib/cli/arguments.ts';
import { runFromShell } from '../lib/cli/shell.ts';
import { readStore } from '../lib/cli/store.ts';
import { printCounts, printList } from '../lib/cli/terminal.ts';
import { type Call, defineTool } from '../lib/cli/tool.ts';
import { COLUMNS } from '../lib/csv.ts';

export const main = defineTool('joins', [
  {
    usage: `list ${PERIOD} ${LIST}`,
    help: 'every join, newest first; of the days (UTC, YYYY-MM-DD) from … to',
    run: printClicks,
  },
  {
    usage: `summary ${PERIOD} ${LIST}`,
    help: 'one row per person: number of joins, first and last',
    run(call) {
      const filter = readFilter(call);
      const { rows } = readStore(call, ({ joins }) => joins.summary(filter));
      printList(call, COLUMNS.joinSummary, rows);
    },
  },
  {
    usage: `for <email> ${LIST}`,
    help: 'every join of one person, newest first',
    run: printClicks,
  },
  {
    usage: `stats ${PERIOD}`,
    help: 'the numbers of joins and of people',
    run(call) {
      const period = readPeriod(call);
      const { clicks, users } = readStore(call, ({ joins }) => joins.stats({ period }));
      const counts = Object.entries({ all: clicks, people: users });
      printCounts(
        call,
        { joins: counts.map(([name, count]) => ({ name, count })) },
        { clicks, users },
      );
    },
  },
]);

function printClicks(call: Call): void {
  const filter = readFilter(call);
  const { rows } = readStore(call, ({ joins }) => joins.clicks(filter));
  printList(call, COLUMNS.joinClicks, rows);
}

await runFromShell(import.meta.url, main);
