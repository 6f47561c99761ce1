/** Events: logins and timeline views. */
import type { Database } from 'better-sqlite3';
import type { Event, EventType, ListPage, NewEvent } from '../records.ts';
import { type IdRange, type PageQuery, pageReader } from './paging.ts';
import { ALL_TIME, type Period, type PeriodFilter, periodSql } from './period.ts';
import { requireRow } from './sqlite.ts';

export const EVENT_TYPES = ['login', 'timeline_view'] as const satisfies readonly EventType[];

export type EventFilter = PeriodFilter & {
  readonly type?: EventType | undefined;
  readonly email?: string | undefined;
};

type Row = Omit<Event, 'meta'> & {
  /** As JSON. */
  readonly meta: string | null;
};

const NO_IDS: IdRange = { first: 0, last: -1 };

export type EventReader = {
  /** A page of events, newest first by id. */
  readonly list: (query: PageQuery & EventFilter) => ListPage<Event, number>;
};

export type EventWriter = {
  /** Records an event of a session. @returns false if the session has ended */
  readonly record: (event: NewEvent) => boolean;
};

/** @param db has the tables of `createCountTables` */
export function eventReader(db: Database): EventReader {
  const readPage = pageReader<Row>(db, 'events');
  const idsOfPeriod = db.prepare<[Period], IdRange>(
    `select ifnull(min(first_event), 0) as first, ifnull(max(last_event), -1) as last
     from day_totals where day between @from and @to`,
  );
  const idsOfPerson = db.prepare<[string], IdRange>(
    `select first_event as first, last_event as last
     from person_totals where email = ? and first_event is not null`,
  );

  /** The log has no index by time or by person. The counted ids limit where to search. */
  function idsOf({ email, period = ALL_TIME }: EventFilter): IdRange {
    const ofPeriod = requireRow(idsOfPeriod.get(period));
    if (email === undefined) return ofPeriod;
    const ofPerson = idsOfPerson.get(email) ?? NO_IDS;
    return {
      first: Math.max(ofPeriod.first, ofPerson.first),
      last: Math.min(ofPeriod.last, ofPerson.last),
    };
  }

  return {
    list(query) {
      const { type, email, period } = query;
      const conditions = ['id between @first and @last'];
      // Not a parameter: SQLite uses the index of logins only if it sees the constant.
      if (type) conditions.push(`event_type = '${type}'`);
      if (email) conditions.push('email = @email');
      if (period) conditions.push(periodSql('occurred_at'));
      const { rows, next } = readPage(
        `select id, event_type as type, email, occurred_at as occurredAt, session_id as session,
           device_type as deviceType, os, browser, meta
         from events
         where ${conditions.join(' and ')}
         order by id desc limit @limit`,
        query,
        idsOf(query),
      );
      return { rows: rows.map(readMeta), next };
    },
  };
}

function readMeta(row: Row): Event {
  return { ...row, meta: row.meta === null ? null : JSON.parse(row.meta) };
}

export function eventWriter(db: Database): EventWriter {
  // Values are bound by position, because binding by name is slower.
  const insert = db.prepare<(string | number | null)[]>(
    `insert into events (event_type, email, occurred_at, session_id, device_type, os, browser, meta)
     select ?, email, ?, id, ?, ?, ?, ? from sessions where id = ?`,
  );
  return {
    record(event) {
      const { type, occurredAt, session, deviceType, os, browser, meta } = event;
      const text = meta === null ? null : JSON.stringify(meta);
      const added = insert.run(type, occurredAt, deviceType, os, browser, text, session);
      return added.changes > 0;
    },
  };
}
