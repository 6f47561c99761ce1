/** Lists and counts join clicks. */
import { FLAG, PERIOD, readEmail, readLimit, readPeriod, valued } from '../lib/cli/arguments.ts';
import { runFromShell } from '../lib/cli/shell.ts';
import { readStore } from '../lib/cli/store.ts';
import { printList, printOutcome } from '../lib/cli/terminal.ts';
import { tool } from '../lib/cli/tool.ts';
import { COLUMNS } from '../lib/csv.ts';
import { readAll } from '../lib/store/rows/page.ts';

export const main = tool('joins', [
  {
    name: 'list',
    options: { ...PERIOD, limit: valued('n'), csv: FLAG },
    help: 'every click, newest first; of the days (UTC, YYYY-MM-DD) from … to',
    run(call) {
      const [filter, limit] = [{ period: readPeriod(call) }, readLimit(call)];
      printList(call, COLUMNS.joinClicks, ({ joins }) => readAll(joins.list, filter, limit));
    },
  },
  {
    name: 'summary',
    options: { ...PERIOD, csv: FLAG },
    help: 'one row per person: clicks, first and last',
    run(call) {
      const filter = { period: readPeriod(call) };
      printList(call, COLUMNS.joinSummary, ({ joins }) => readAll(joins.summary, filter));
    },
  },
  {
    name: 'for',
    words: ['<email>'],
    options: { csv: FLAG },
    help: 'every click of one person, newest first',
    run(call) {
      const filter = { email: readEmail(call) };
      printList(call, COLUMNS.joinClicks, ({ joins }) => readAll(joins.list, filter));
    },
  },
  {
    name: 'stats',
    options: PERIOD,
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
