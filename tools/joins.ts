/** Lists and counts join clicks. */
import { readEmail, readLimit, readPeriod } from '../lib/cli/arguments.ts';
import { readStore } from '../lib/cli/store.ts';
import { type Column, printList, printOutcome, utc } from '../lib/cli/terminal.ts';
import { type Arguments, runTool } from '../lib/cli/tool.ts';
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

await runTool('joins', [
  {
    form: 'list [--from <day>] [--to <day>] [--limit <n>] [--csv]',
    help: 'every click, newest first; of the days (UTC, YYYY-MM-DD) from … to',
    run: (args) => printClicks({ period: readPeriod(args) }, args),
  },
  {
    form: 'summary [--from <day>] [--to <day>] [--csv]',
    help: 'one row per person: clicks, first and last',
    run(args) {
      const filter = { period: readPeriod(args) };
      return readStore(({ joins }) =>
        printList(readAll(joins.summary, filter), SUMMARY, csv.JOIN_SUMMARY, args),
      );
    },
  },
  {
    form: 'for <email> [--csv]',
    help: 'every click of one person, newest first',
    run: (args) => printClicks({ email: readEmail(args.words[0]) }, args),
  },
  {
    form: 'stats [--from <day>] [--to <day>]',
    help: 'the numbers of clicks and of people',
    run(args) {
      const period = readPeriod(args);
      return readStore(({ joins }) => {
        const { clicks, users } = joins.stats({ period });
        return printOutcome(`clicks: ${clicks}\nusers: ${users}`, { clicks, users }, args.json);
      });
    },
  },
]);

function printClicks(filter: JoinFilter, args: Arguments): void {
  const limit = readLimit(args.option('limit'));
  readStore(({ joins }) =>
    printList(readAll(joins.list, filter, limit), CLICKS, csv.JOIN_CLICKS, args),
  );
}
