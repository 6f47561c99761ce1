/** Lists and counts events: logins and timeline views. */
import {
  FLAG,
  PERIOD,
  readChoice,
  readEmail,
  readLimit,
  readPeriod,
  valued,
} from '../lib/cli/arguments.ts';
import { runFromShell } from '../lib/cli/shell.ts';
import { readStore } from '../lib/cli/store.ts';
import { type Column, print, printList, printRows, utc } from '../lib/cli/terminal.ts';
import { type Call, tool } from '../lib/cli/tool.ts';
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

export const main = tool('events', [
  {
    name: 'list',
    options: { type: valued('type'), ...PERIOD, limit: valued('n'), csv: FLAG },
    help:
      'events, newest first; a type is login or timeline_view;\n' +
      'of the days (UTC, YYYY-MM-DD) from … to',
    run(call) {
      const type = readChoice(call, 'type', EVENT_TYPES);
      printEvents(call, { type, period: readPeriod(call) });
    },
  },
  {
    name: 'summary',
    options: { ...PERIOD, csv: FLAG },
    help: 'one row per person: logins, views, last seen',
    run(call) {
      const period = readPeriod(call);
      readStore(call, ({ people }) =>
        printList(call, people.seen(period), SUMMARY, csv.PEOPLE_SEEN),
      );
    },
  },
  {
    name: 'for',
    words: ['<email>'],
    options: { csv: FLAG },
    help: 'every event of one person, newest first',
    run: (call) => printEvents(call, { email: readEmail(call) }),
  },
  {
    name: 'stats',
    options: PERIOD,
    help: 'totals by type, and by kind of device (always over all time)',
    run(call) {
      const period = readPeriod(call);
      readStore(call, (store) => printStats(call, store, period));
    },
  },
]);

function printEvents(call: Call, filter: EventFilter): void {
  const limit = readLimit(call);
  readStore(call, ({ events }) =>
    printList(call, readAll(events.list, filter, limit), EVENTS, csv.EVENTS),
  );
}

function printStats(call: Call, { totals }: Store, period: Period | undefined): void {
  const { logins, timelineViews } = totals.counts(period);
  const { devices } = totals.devices();
  const types = [
    { name: 'login', count: logins },
    { name: 'timeline_view', count: timelineViews },
  ];
  if (call.json) {
    print(call, `${JSON.stringify({ types, devices })}\n`);
    return;
  }
  const share = (heading: string): readonly Column<Share>[] => [
    [heading, ({ name }) => name],
    ['events', ({ count }) => count],
  ];
  printRows(call, types, share('type'));
  print(call, '\n');
  printRows(call, devices, share('device'));
}

await runFromShell(import.meta.url, main);
