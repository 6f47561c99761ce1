/** Lists and counts events: logins and timeline views. */
import { readEmail, readLimit, readStore } from '../lib/cli/arguments.ts';
import { type Column, print, printRows, utc } from '../lib/cli/terminal.ts';
import { runTool, UsageError } from '../lib/cli/tool.ts';
import type { Event, EventType, PersonTotals, Share } from '../lib/records.ts';
import type { Store } from '../lib/store/open.ts';
import { EVENT_TYPES } from '../lib/store/rows/events.ts';
import { readableEmail } from '../lib/store/rows/normalize.ts';
import { readAll } from '../lib/store/rows/page.ts';

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
    form: 'list [--type <type>] [--limit <n>]',
    help: 'events, newest first; a type is login or timeline_view',
    run({ option, json }) {
      const filter = { type: readType(option('type')) };
      const limit = readLimit(option('limit'));
      return readStore(({ events }) =>
        printRows(readAll(events.list, filter, limit), EVENTS, json),
      );
    },
  },
  {
    form: 'summary',
    help: 'one row per person: logins, views, last seen',
    run: ({ json }) =>
      readStore(({ people }) => printRows(readAll(people.seen, {}), SUMMARY, json)),
  },
  {
    form: 'for <email>',
    help: 'every event of one person, newest first',
    run({ words, json }) {
      const filter = { email: readEmail(words[0]) };
      return readStore(({ events }) => printRows(readAll(events.list, filter), EVENTS, json));
    },
  },
  {
    form: 'stats',
    help: 'totals by type, and by kind of device',
    run: ({ json }) => readStore((store) => printStats(store, json)),
  },
]);

function readType(text: string | undefined): EventType | undefined {
  const type = EVENT_TYPES.find((each) => each === text);
  if (text === undefined || type !== undefined) return type;
  throw new UsageError(`--type is ${JSON.stringify(text)}; it must be ${EVENT_TYPES.join(' or ')}`);
}

function printStats({ totals }: Store, json: boolean): void {
  const { logins, timelineViews } = totals.counts();
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
