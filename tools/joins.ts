/** The operator's view of join clicks. */

import { existingStore, readEmail, readLimit } from '../lib/cli/arguments.ts';
import {
  type Column,
  printFields,
  printRows,
  runTool,
  UsageError,
  utc,
} from '../lib/cli/terminal.ts';
import type { JoinClick, JoinSummary } from '../lib/store/joins.ts';
import { walk } from '../lib/store/page.ts';

const USAGE = `usage: joins list|summary|for|stats

  joins list [--limit <n>]   every click, newest first
  joins summary              one row a person: clicks, first and last
  joins for <email>          every click of one person, newest first
  joins stats                how many clicks, by how many people

  --json  print for programs     --help  print this`;

const CLICKS: readonly Column<JoinClick>[] = [
  ['id', (click) => click.id],
  ['email', (click) => click.email],
  ['session', (click) => click.session],
  ['clicked at', (click) => utc(click.clickedAt)],
];

const SUMMARY: readonly Column<JoinSummary>[] = [
  ['email', (person) => person.email],
  ['clicks', (person) => person.clicks],
  ['first', (person) => utc(person.firstAt)],
  ['last', (person) => utc(person.lastAt)],
];

await runTool(USAGE, { limit: { type: 'string' } }, (args) => {
  const [command, address, ...rest] = args.words;
  const json = args.flag('json');
  const limit = readLimit(args.option('limit'));
  if (rest.length > 0 || (address !== undefined && command !== 'for')) {
    throw new UsageError(`joins does not know "${args.words.join(' ')}"`);
  }
  existingStore(({ joins }) => {
    const clicks = (email?: string) =>
      walk<JoinClick>((size, last) => joins.list({ limit: size, before: last?.id }, email), limit);
    const people = walk<JoinSummary>((size, last) =>
      joins.summary(size, last && [last.lastAt, last.email]),
    );
    if (command === 'list') return printRows(clicks(), CLICKS, json);
    if (command === 'summary') return printRows(people, SUMMARY, json);
    if (command === 'for') return printRows(clicks(readEmail(address)), CLICKS, json);
    if (command === 'stats') return printFields(joins.stats(), json);
    throw new UsageError(command ? `joins does not know "${command}"` : 'joins needs a command');
  });
});
