/** Lists and counts events: logins and timeline views. */
import { type Call, type Listing, ONE_WORD, requireEmail, runTool, withStore } from '../lib/cli.ts';
import { UsageError } from '../lib/config.ts';
import type { EventType } from '../lib/records.ts';
import { countEvents, EVENT_TYPES, listEvents, summarizeEvents } from '../lib/store/events.ts';
import type { Database } from '../lib/store/sqlite.ts';

runTool('events', {
  list: {
    usage: `[--type ${EVENT_TYPES.join('|')}]`,
    help: 'events, newest first',
    options: { type: { type: 'string' } },
    list,
  },
  summary: {
    help: 'one row per person: logins, timeline views, last seen',
    list: () => ({
      columns: ['email', 'logins', 'timelineViews', 'lastSeenAt'],
      rows: withStore(summarizeEvents),
    }),
  },
  for: {
    usage: '<email>',
    help: 'every event of one person, newest first',
    words: ONE_WORD,
    list: (call) => list(call, requireEmail(call.words[0])),
  },
  stats: {
    help: 'number of events by type, and by type of device',
    list: () => ({ columns: ['of', 'name', 'count'], rows: withStore(count) }),
  },
});

function list({ options }: Call, email?: string): Listing {
  const type = readType(options.type);
  const rows = withStore((db) => listEvents(db, { email, type }));
  const columns = ['id', 'type', 'email', 'occurredAt', 'session'];
  return { columns: [...columns, 'deviceType', 'os', 'browser', 'meta'], rows };
}

function readType(value: unknown): EventType | undefined {
  const type = EVENT_TYPES.find((each) => each === value);
  if (value === undefined || type !== undefined) return type;
  throw new UsageError(`--type must be ${EVENT_TYPES.join(' or ')}`);
}

function count(db: Database) {
  const types = countEvents(db, 'event_type').map((each) => ({ of: 'event', ...each }));
  const devices = countEvents(db, 'device_type');
  return [...types, ...devices.map((each) => ({ of: 'device', ...each }))];
}
