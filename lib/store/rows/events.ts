/** Events: logins and timeline views. */
import type { Database } from 'better-sqlite3';
import type { Event, EventType, Page } from '../../records.ts';
import { LATEST, type Part, pager } from './page.ts';
import { type InPeriod, rowsIn } from './period.ts';

export const EVENT_TYPES = ['login', 'timeline_view'] as const satisfies readonly EventType[];

export type EventFilter = InPeriod & {
  readonly type?: EventType | undefined;
  readonly email?: string | undefined;
};

type NewEvent = Omit<Event, 'id'>;

type Row = Omit<Event, 'meta'> & { readonly meta: string | null };

export function events(db: Database) {
  const read = pager<Row, number>(db, ({ id }) => id);

  return {
    /** Events, newest first. */
    list({ after = LATEST, ...part }: Part<number> & EventFilter): Page<Event, number> {
      const { rows, next } = read(listSql(part), { ...part, ...part.period, after });
      return { rows: rows.map(fromRow), next };
    },
  };
}

export function writeEvents(db: Database) {
  // By position: to bind eight values by name takes 1 µs longer.
  const insert = db.prepare<(string | number | null)[]>(
    `insert into events (event_type, email, occurred_at, session_id, device_type, os, browser, meta)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return {
    record(event: NewEvent): undefined {
      const { type, email, occurredAt, session, deviceType, os, browser, meta } = event;
      const text = meta && JSON.stringify(meta);
      insert.run(type, email, occurredAt, session, deviceType, os, browser, text);
    },
  };
}

function listSql({ type, email, period }: EventFilter): string {
  const ofType = (type: EventType) => `event_type = '${type}'`;
  // The index of a person's events is sorted by type. SQLite merges the types.
  const conditions =
    email === undefined
      ? [type ? ofType(type) : 'true']
      : (type ? [type] : EVENT_TYPES).map((each) => `email = @email and ${ofType(each)}`);
  const parts = conditions.map(
    (condition) =>
      `select id, event_type as type, email, occurred_at as occurredAt, session_id as session,
         device_type as deviceType, os, browser, meta
       from events where ${condition} and ${rowsIn('event', 'occurred_at', period)}`,
  );
  return `${parts.join(' union all ')} order by id desc limit @limit`;
}

const fromRow = (row: Row): Event => ({
  ...row,
  meta: row.meta === null ? null : JSON.parse(row.meta),
});
