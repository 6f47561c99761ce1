/** Lists and counts join clicks. */
import { FLAG, PERIOD, readEmail, readLimit, readPeriod, valued } from '../lib/cli/arguments.ts';
import { runFromShell } from '../lib/cli/shell.ts';
import { readStore } from '../lib/cli/store.ts';
import { type Column, printList, printOutcome, utc } from '../lib/cli/terminal.ts';
import { type Call, tool } from '../lib/cli/tool.ts';
import * as csv from '../lib/csv.ts';
import type { JoinClick, JoinSummary } from '../lib/records.ts';
import type { JoinFilter } from '../lib/store/rows/joins.ts';
import { readableEmail } from '../lib/store/rows/normalize.ts';
import { readAll } from '../lib/store/rows/page.ts';

const CLICKS: readonly Column<JoinClick>[] = [
  ['id', (click) => click.id],
  ['email', (click) => readableEmail(click.email)],
  ['session', (click) => click.session],
  ['clicked at', (click) => utc(click.clickedAt)],
];

const SUMMARY: readonly Column<JoinSummary>[] = [
  ['email', (person) => readableEmail(person.email)],
  ['clicks', (person) => person.clicks],
  ['first', (person) => utc(person.firstAt)],
  ['last', (person) => utc(person.lastAt)],
];

export const main = tool('joins', [
  {
    name: 'list',
    options: { ...PERIOD, limit: valued('n'), csv: FLAG },
    help: 'every click, newest first; of the days (UTC, YYYY-MM-DD) from … to',
    run: (call) => printClicks(call, { period: readPeriod(call) }),
  },
  {
    name: 'summary',
    options: { ...PERIOD, csv: FLAG },
    help: 'one row per person: clicks, first and last',
    run(call) {
      const filter = { period: readPeriod(call) };
      readStore(call, ({ joins }) =>
        printList(call, readAll(joins.summary, filter), SUMMARY, csv.JOIN_SUMMARY),
      );
    },
  },
  {
    name: 'for',
    words: ['<email>'],
    options: { csv: FLAG },
    help: 'every click of one person, newest first',
    run: (call) => printClicks(call, { email: readEmail(call) }),
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

function printClicks(call: Call, filter: JoinFilter): void {
  const limit = readLimit(call);
  readStore(call, ({ joins }) =>
    printList(call, readAll(joins.list, filter, limit), CLICKS, csv.JOIN_CLICKS),
  );
}

await runFromShell(import.meta.url, main);
