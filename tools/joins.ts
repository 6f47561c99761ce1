/** Lists and counts join clicks. */
import { LIST, PERIOD, readPeriod } from '../lib/cli/arguments.ts';
import { runFromShell } from '../lib/cli/shell.ts';
import { readStore } from '../lib/cli/store.ts';
import { printCounts, printPages } from '../lib/cli/terminal.ts';
import { defineTool } from '../lib/cli/tool.ts';
import { COLUMNS } from '../lib/csv.ts';
import { runToEnd } from '../lib/store/counted-reads.ts';

export const main = defineTool('joins', [
  {
    name: 'list',
    options: { ...PERIOD, ...LIST },
    help: 'every click, newest first; of the days (UTC, YYYY-MM-DD) from … to',
    run: (call) => printPages(call, COLUMNS.joinClicks, ({ joins }) => joins.list),
  },
  {
    name: 'summary',
    options: { ...PERIOD, ...LIST },
    help: 'one row per person: clicks, first and last',
    run: (call) => printPages(call, COLUMNS.joinSummary, ({ joins }) => joins.summary),
  },
  {
    name: 'for',
    words: ['<email>'],
    options: LIST,
    help: 'every click of one person, newest first',
    run: (call) => printPages(call, COLUMNS.joinClicks, ({ joins }) => joins.list),
  },
  {
    name: 'stats',
    options: PERIOD,
    help: 'the numbers of clicks and of people',
    run(call) {
      const period = readPeriod(call);
      readStore(call, ({ joins }) => {
        const { clicks, users } = runToEnd(joins.stats({ period }));
        const counts = Object.entries({ clicks, users });
        const table = counts.map(([name, count]) => ({ name, count }));
        printCounts(call, { joins: table }, { clicks, users });
      });
    },
  },
]);

await runFromShell(import.meta.url, main);
