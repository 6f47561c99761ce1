/** Lists and counts join clicks. */
import {
  FLAG_OPTION,
  PERIOD_OPTIONS,
  readEmail,
  readLimit,
  readPeriod,
  valueOption,
} from '../lib/cli/arguments.ts';
import { runFromShell } from '../lib/cli/shell.ts';
import { readStore } from '../lib/cli/store.ts';
import { printList, printOutcome } from '../lib/cli/terminal.ts';
import { defineTool } from '../lib/cli/tool.ts';
import { COLUMNS } from '../lib/csv.ts';
import { readAllPages } from '../lib/store/rows/paging.ts';

export const main = defineTool('joins', [
  {
    name: 'list',
    options: { ...PERIOD_OPTIONS, limit: valueOption('n'), csv: FLAG_OPTION },
    help: 'every click, newest first; of the days (UTC, YYYY-MM-DD) from … to',
    run(call) {
      const [filter, limit] = [{ period: readPeriod(call) }, readLimit(call)];
      printList(call, COLUMNS.joinClicks, ({ joins }) => readAllPages(joins.list, filter, limit));
    },
  },
  {
    name: 'summary',
    options: { ...PERIOD_OPTIONS, csv: FLAG_OPTION },
    help: 'one row per person: clicks, first and last',
    run(call) {
      const filter = { period: readPeriod(call) };
      printList(call, COLUMNS.joinSummary, ({ joins }) => readAllPages(joins.summary, filter));
    },
  },
  {
    name: 'for',
    words: ['<email>'],
    options: { csv: FLAG_OPTION },
    help: 'every click of one person, newest first',
    run(call) {
      const filter = { email: readEmail(call) };
      printList(call, COLUMNS.joinClicks, ({ joins }) => readAllPages(joins.list, filter));
    },
  },
  {
    name: 'stats',
    options: PERIOD_OPTIONS,
    help: 'the numbers of clicks and of people',
    run(call) {
      const period = readPeriod(call);
      readStore(call, ({ joins }) => {
        const { clicks, users } = joins.stats({ period });
        printOutcome(call, `clicks: ${clicks}\nusers: ${users}`, { clicks, users });
      });
    },
  },
]);

await runFromShell(import.meta.url, main);
