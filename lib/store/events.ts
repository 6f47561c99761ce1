/** Events: logins and timeline views. */
import type { Database } from 'better-sqlite3';
import type { Event, EventType, ListPage } from '../records.ts';
import { type PageQuery, pageReader } from './paging.ts';
import { idRangeSql, type PeriodFilter, periodSql } from './period.ts';

export const EVENT_TYPES = ['login', 'timeline_view'] as const satisfies readonly EventType[];

type EventFilter = PeriodFilter & {
  readonly type?: EventType | undefined;
  readonly email?: string | undefined;
};

type Row = Omit<Event, 'meta'> & { readonly meta: string | null };

export function eventReader(db: Database) {
  const read = pageReader<Row, number>(db, ({ id }) => id);

  return {
    /** Events, newest first. */
    list(query: PageQuery<number> & EventFilter): ListPage<Event, number> {
      const { rows, next } = read(listSql(query), query);
      return { rows: rows.map(fromRow), next };
    },
  };
}

export function eventWriter(db: Database) {
  // By position, because binding by name is slower.
  const insert = db.prepare<(string | number | null)[]>(
    `insert into events (event_type, email, occurred_at, session_id, device_type, os, browser, meta)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return {
    record(event: Omit<Event, 'id'>): undefined {
      const { type, email, occurredAt, session, deviceType, os, browser, meta } = event;
      const text = meta && JSON.stringify(meta);
      insert.run(type, email, occurredAt, session, deviceType, os, browser, text);
    },
  };
}

const COLUMNS = `id, event_type as type, email, occurred_at as occurredAt, session_id as session,
  device_type as deviceType, os, browser, meta`;

/** A person's logins have an index. A list has the blocks of 16,384 ids with the other events. */
function listSql({ type, email, period }: EventFilter): string {
  const { from, below } = idRangeSql('event', period);
  const ofType = type ? `event_type = '${type}'` : 'true';
  const conditions = `${ofType} and ${periodSql('occurred_at', period)}`;
  if (email === undefined || type === 'login')
    return `select ${COLUMNS} from events
      where id < ${below} and id >= ${from} and ${conditions}
        and ${email === undefined ? 'true' : 'email = @email'}
      order by id desc limit @limit`;
  return `select ${COLUMNS} from ${EVENTS_OF_PERSON}
    and event < ${below} and event >= ${from} and ${conditions}
    and event_blocks.block between ${from} >> 14 and ${below} >> 14
    order by event_blocks.block desc, event desc limit @limit`;
}

/** The events of the person `@email`, block by block. */
export const EVENTS_OF_PERSON = `event_blocks
  cross join person_events on person_events.block = event_blocks.block
  cross join events on id = event
  where person = (select id from people where email = @email)`;

const fromRow = (row: Row): Event => ({
  ...row,
  meta: row.meta === null ? null : JSON.parse(row.meta),
});
