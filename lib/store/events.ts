/** Events: logins and timeline views. */
import type { Database } from 'better-sqlite3';
import type { Event, EventType, ListPage, PersonDevice } from '../records.ts';
import { type PageQuery, pageReader } from './paging.ts';
import { type PeriodFilter, periodSql } from './period.ts';
import type { IdRange } from './totals.ts';

export const EVENT_TYPES = ['login', 'timeline_view'] as const satisfies readonly EventType[];

export type EventFilter = PeriodFilter & {
  readonly type?: EventType | undefined;
  readonly email?: string | undefined;
};

/** Where to look for the events of a filter, and the number of them or more. */
export type EventBounds = IdRange & { readonly most: number };

export const EVERYWHERE: EventBounds = { first: -Infinity, last: Infinity, most: Infinity };

type Row = Omit<Event, 'meta'> & { readonly meta: string | null };

/** Newest events from which a person's devices are counted. */
const DEVICE_EVENTS = 100;

/** @param boundsOf shortens the search; a log has no index by person or time */
export function eventReader(db: Database, boundsOf = (_: EventFilter) => EVERYWHERE) {
  const read = pageReader<Row, number>(db, ({ id }) => id);
  const devices = db.prepare<[object], PersonDevice>(
    `select device_type as deviceType, os, browser, count(*) as count, max(occurred_at) as lastAt
     from (select * from events where email = @email order by id desc limit @limit)
     group by 1, 2, 3 order by count desc, lastAt desc`,
  );

  return {
    /** A page of events, newest first by id. */
    list(query: PageQuery<number> & EventFilter): ListPage<Event, number> {
      const { first, last, most } = boundsOf(query);
      const page = read(listSql(query), { ...query, first, last, most });
      return { rows: page.rows.map(fromRow), next: page.next };
    },
    /** The devices of a person's newest 100 events, most used first. */
    devices: (email: string): readonly PersonDevice[] =>
      devices.all({ email, limit: Math.min(boundsOf({ email }).most, DEVICE_EVENTS) }),
  };
}

/** Without `@most`, a search for more events than there are would read the log to its beginning. */
const listSql = ({ type, email }: EventFilter): string =>
  `select id, event_type as type, email, occurred_at as occurredAt, session_id as session,
     device_type as deviceType, os, browser, meta
   from events where id between @first and @last and id < @after and ${periodSql('occurred_at')}
     and ${type ? `event_type = '${type}'` : 'true'} and ${email ? 'email = @email' : 'true'}
   order by id desc limit min(@limit, @most)`;

export function eventWriter(db: Database) {
  // By position, because binding by name is slower.
  const insert = db.prepare<(string | number | null)[]>(
    `insert into events (event_type, email, occurred_at, session_id, device_type, os, browser, meta)
     select ?, email, ?, id, ?, ?, ?, ? from sessions where id = ?`,
  );
  return {
    /** Records an event of a session. @returns false if the session has ended */
    record(event: Omit<Event, 'id' | 'email'>): boolean {
      const { type, occurredAt, session, deviceType, os, browser, meta } = event;
      const text = meta && JSON.stringify(meta);
      return insert.run(type, occurredAt, deviceType, os, browser, text, session).changes > 0;
    },
  };
}

const fromRow = (row: Row): Event => ({
  ...row,
  meta: row.meta === null ? null : JSON.parse(row.meta),
});
