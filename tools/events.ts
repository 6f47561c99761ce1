/** The operator's view of the engagement log. */

import { existingStore, readEmail, readLimit } from '../lib/cli/arguments.ts';
import { type Column, printRows, runTool, UsageError, utc } from '../lib/cli/terminal.ts';
import { EVENT_TYPES, type Event, type EventType } from '../lib/store/events.ts';
import { walk } from '../lib/store/page.ts';
import type { PersonTotals, Share } from '../lib/store/totals.ts';

const USAGE = `usage: events list|summary|for|stats

  events list [--type <type>] [--limit <n>]   events, newest first; a type is login or timeline_view
  events summary                              one row a person: logins, views, last seen
  events for <email>                          every event of one person, newest first
  events stats                                totals by type, and by kind of device

  --json  print for programs     --help  print this`;

const EVENTS: readonly Column<Event>[] = [
  ['id', (event) => event.id],
  ['type', (event) => event.type],
  ['email', (event) => event.email],
  ['occurred at', (event) => utc(event.occurredAt)],
  ['session', (event) => event.session],
  ['device', (event) => event.deviceType],
  ['os', (event) => event.os],
  ['browser', (event) => event.browser],
  ['view', ({ meta }) => (meta ? `${meta.view}${meta.forced ? ' (forced)' : ''}` : '')],
];

const SUMMARY: readonly Column<PersonTotals>[] = [
  ['email', (person) => person.email],
  ['logins', (person) => person.logins],
  ['timeline views', (person) => person.timelineViews],
  ['last seen', (person) => utc(person.lastSeenAt)],
];

await runTool(USAGE, { type: { type: 'string' }, limit: { type: 'string' } }, (args) => {
  const [command, address, ...rest] = args.words;
  const json = args.flag('json');
  const limit = readLimit(args.option('limit'));
  const type = readType(args.option('type'));
  if (rest.length > 0 || (address !== undefined && command !== 'for')) {
    throw new UsageError(`events does not know "${args.words.join(' ')}"`);
  }
  existingStore(({ events, totals }) => {
    const log = (email?: string) =>
      walk<Event>(
        (size, last) => events.list({ limit: size, before: last?.id }, { type, email }),
        limit,
      );
    if (command === 'list') return printRows(log(), EVENTS, json);
    if (command === 'summary') return printRows(totals.people(), SUMMARY, json);
    if (command === 'for') return printRows(log(readEmail(address)), EVENTS, json);
    if (command === 'stats')
      return printStats({ ...totals.counts(), devices: totals.devices().devices }, json);
    throw new UsageError(command ? `events does not know "${command}"` : 'events needs a command');
  });
});

function readType(text: string | undefined): EventType | undefined {
  const type = EVENT_TYPES.find((each) => each === text);
  if (text === undefined || type !== undefined) return type;
  throw new UsageError(`--type is ${JSON.stringify(text)}; it must be ${EVENT_TYPES.join(' or ')}`);
}

type Stats = {
  readonly logins: number;
  readonly timelineViews: number;
  readonly devices: readonly Share[];
};

function printStats({ logins, timelineViews, devices }: Stats, json: boolean): void {
  const types = [
    { name: 'login', count: logins },
    { name: 'timeline_view', count: timelineViews },
  ];
  if (json) {
    console.log(JSON.stringify({ types, devices }));
    return;
  }
  const share = (heading: string): readonly Column<Share>[] => [
    [heading, ({ name }) => name],
    ['events', ({ count }) => count],
  ];
  printRows(types, share('type'), false);
  console.log();
  printRows(devices, share('device'), false);
}
