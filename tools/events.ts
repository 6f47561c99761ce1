/** Lists and counts events: logins and timeline views. */
import { readChoice, readEmail, readLimit, readPeriod } from '../lib/cli/arguments.ts';
import { readStore } from '../lib/cli/store.ts';
import { type Column, print, printList, printRows, utc } from '../lib/cli/terminal.ts';
import { type Arguments, runTool } from '../lib/cli/tool.ts';
import * as csv from '../lib/csv.ts';
import type { Event, PersonTotals, Share } from '../lib/records.ts';
import type { Store } from '../lib/store/open.ts';
import { EVENT_TYPES, type EventFilter } from '../lib/store/rows/events.ts';
import { readableEmail } from '../lib/store/rows/normalize.ts';
import { readAll } from '../lib/store/rows/page.ts';
import type { Period } from '../lib/store/rows/period.ts';

const EVENTS: readonly Column<Event>[] = [
  ['id', (event) => event.id],
  ['type', (event) => event.type],
  ['email', (event) => readableEmail(event.email)],
  ['occurred at', (event) => utc(event.occurredAt)],
  ['session', (event) => event.session],
  ['device', (event) => event.deviceType],
  ['os', (event) => event.os],
  ['browser', (event) => event.browser],
  ['view', ({ meta }) => (meta ? `${meta.view}${meta.forced ? ' (forced)' : ''}` : '')],
];

const SUMMARY: readonly Column<PersonTotals>[] = [
  ['email', (person) => readableEmail(person.email)],
  ['logins', (person) => person.logins],
  ['timeline views', (person) => person.timelineViews],
  ['last seen', (person) => utc(person.lastSeenAt)],
];

await runTool('events', [
  {
    form: 'list [--type <type>] [--from <day>] [--to <day>] [--limit <n>] [--csv]',
    help:
      'events, newest first; a type is login or timeline_view;\n' +
      'of the days (UTC, YYYY-MM-DD) from … to',
    run(args) {
      const type = readChoice(args, 'type', EVENT_TYPES);
      printEvents({ type, period: readPeriod(args) }, args);
    },
  },
  {
    form: 'summary [--from <day>] [--to <day>] [--csv]',
    help: 'one row per person: logins, views, last seen',
    run(args) {
      const period = readPeriod(args);
      return readStore(({ people }) =>
        printList(people.seen(period), SUMMARY, csv.PEOPLE_SEEN, args),
      );
    },
  },
  {
    form: 'for <email> [--csv]',
    help: 'every event of one person, newest first',
    run: (args) => printEvents({ email: readEmail(args.words[0]) }, args),
  },
  {
    form: 'stats [--from <day>] [--to <day>]',
    help: 'totals by type, and by kind of device (always over all time)',
    run(args) {
      const period = readPeriod(args);
      return readStore((store) => printStats(store, period, args.json));
    },
  },
]);

function printEvents(filter: EventFilter, args: Arguments): void {
  const limit = readLimit(args.option('limit'));
  readStore(({ events }) =>
    printList(readAll(events.list, filter, limit), EVENTS, csv.EVENTS, args),
  );
}

function printStats({ totals }: Store, period: Period | undefined, json: boolean): void {
  const { logins, timelineViews } = totals.counts(period);
  const { devices } = totals.devices();
  const types = [
    { name: 'login', count: logins },
    { name: 'timeline_view', count: timelineViews },
  ];
  if (json) {
    print(`${JSON.stringify({ types, devices })}\n`);
    return;
  }
  const share = (heading: string): readonly Column<Share>[] => [
    [heading, ({ name }) => name],
    ['events', ({ count }) => count],
  ];
  printRows(types, share('type'), false);
  print('\n');
  printRows(devices, share('device'), false);
}
