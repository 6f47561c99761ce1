/** Lists and counts join clicks. */
import { readEmail, readLimit, readStore } from '../lib/cli/arguments.ts';
import { type Column, printOutcome, printRows, utc } from '../lib/cli/terminal.ts';
import { runTool } from '../lib/cli/tool.ts';
import type { JoinClick, JoinSummary } from '../lib/records.ts';
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
    form: 'list [--limit <n>]',
    help: 'every click, newest first',
    run({ option, json }) {
      const limit = readLimit(option('limit'));
      return readStore(({ joins }) => printRows(readAll(joins.list, {}, limit), CLICKS, json));
    },
  },
  {
    form: 'summary',
    help: 'one row per person: clicks, first and last',
    run: ({ json }) =>
      readStore(({ joins }) => printRows(readAll(joins.summary, {}), SUMMARY, json)),
  },
  {
    form: 'for <email>',
    help: 'every click of one person, newest first',
    run({ words, json }) {
      const email = readEmail(words[0]);
      return readStore(({ joins }) => printRows(readAll(joins.list, { email }), CLICKS, json));
    },
  },
  {
    form: 'stats',
    help: 'the numbers of clicks and of people',
    run: ({ json }) =>
      readStore(({ joins }) => {
        const { clicks, users } = joins.stats();
        return printOutcome(`clicks: ${clicks}\nusers: ${users}`, { clicks, users }, json);
      }),
  },
]);
