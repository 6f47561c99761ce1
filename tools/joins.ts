/** Lists and counts joins. */
import { LIST, PERIOD, readPeriod } from '../lib/cli/arguments.ts';
import { runFromShell } from '../lib/cli/shell.ts';
import { printStoreList, readStore } from '../lib/cli/store.ts';
import { printOutcome, toTable } from '../lib/cli/terminal.ts';
import { type Call, type Command, defineTool } from '../lib/cli/tool.ts';
import { toCsv } from '../lib/extras/export/csv.ts'; // extra: export
import { COLUMNS } from '../lib/lists.ts';

const COMMANDS: readonly Command[] = [
  {
    usage: `list ${PERIOD} ${LIST}`,
    help: `every join, newest first
      --from, --to: on these days (UTC, YYYY-MM-DD)`,
    run: listJoins,
  },
  {
    usage: `summary ${PERIOD} ${LIST}`,
    help: 'one row per person: number of joins, first and last',
    run(call) {
      printStoreList(call, 'joins', COLUMNS.joinSummary, ({ joins }, filter) =>
        joins.summary(filter),
      );
    },
  },
  {
    usage: `for <email> ${LIST}`,
    help: 'every join of one person, newest first',
    run: listJoins,
  },
  {
    usage: `stats ${PERIOD}`,
    help: 'how many joins, people, and people who joined for the first time',
    run(call) {
      const period = readPeriod(call);
      const stats = readStore(call, ({ joins }) => joins.stats({ period }));
      printOutcome(call, toTable('', ['clicks', 'users', 'firstTime'], [stats]), stats);
    },
  },
];

export const main = defineTool('joins', COMMANDS, {
  csv: toCsv, // extra: export
});

function listJoins(call: Call): void {
  printStoreList(call, 'joins', COLUMNS.joinClicks, ({ joins }, filter) => joins.list(filter));
}

await runFromShell(import.meta.url, main);
