/** Events: logins and timeline views. */
import type { Database } from 'better-sqlite3';
import type { Event, EventType, ListPage, PersonDevice } from '../records.ts';
import { type PageQuery, pageReader } from './paging.ts';
import { EVENTS_OF_PERIOD, type PeriodFilter } from './period.ts';

export const EVENT_TYPES = ['login', 'timeline_view'] as const satisfies readonly EventType[];

export type EventFilter = PeriodFilter & {
  readonly type?: EventType | undefined;
  readonly email?: string | undefined;
};

type Row = Omit<Event, 'meta'> & { readonly meta: string | null };

/** Newest events from which a person's devices are counted. */
const DEVICE_EVENTS = '100';

/**
 * A `limit` for the events of a person. The log has no index by person: a search for more events
 * than the person has would read it to its beginning.
 */
const limitSql = (limit: string, number = 'logins + timeline_views'): string =>
  `limit min(${limit}, ifnull((select ${number} from people where email = @email), 0))`;

/** @param db has the tables of `logCounter` */
export function eventReader(db: Database) {
  const readPage = pageReader<Row>(db);
  const devices = db.prepare<[object], PersonDevice>(
    `select device_type as deviceType, os, browser, count(*) as count, max(occurred_at) as lastAt
     from (select * from events where email = @email order by id desc ${limitSql(DEVICE_EVENTS)})
     group by 1, 2, 3 order by count desc, lastAt desc`,
  );

  return {
    /** A page of events, newest first by id. */
    list(query: PageQuery & EventFilter): ListPage<Event, number> {
      const { type, email } = query;
      const { rows, next } = readPage(
        `select id, event_type as type, email, occurred_at as occurredAt, session_id as session,
           device_type as deviceType, os, browser, meta
         from events where id < @after and ${EVENTS_OF_PERIOD}
           and ${type ? `event_type = '${type}'` : 'true'} and ${email ? 'email = @email' : 'true'}
         order by id desc ${email ? limitSql('@limit', type && `${type}s`) : 'limit @limit'}`,
        query,
      );
      return {
        rows: rows.map(({ meta, ...row }) => ({ ...row, meta: meta && JSON.parse(meta) })),
        next,
      };
    },
    /** The devices of a person's newest 100 events, most used first. */
    devices: (email: string): readonly PersonDevice[] => devices.all({ email }),
  };
}

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
