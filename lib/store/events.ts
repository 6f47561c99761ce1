/** Events: logins and timeline views. */
import type { Database } from 'better-sqlite3';
import type { Event, EventType, ListPage, PersonDevice } from '../records.ts';
import type { Sliced } from './counted-reads.ts';
import { type PageQuery, pageReader, prepareOnce } from './paging.ts';
import { ALL_TIME, dayOf, idRangeSql, type PeriodFilter, periodSql } from './period.ts';

export const EVENT_TYPES = ['login', 'timeline_view'] as const satisfies readonly EventType[];

type EventFilter = PeriodFilter & { readonly type?: EventType | undefined };

/** A position in the list of one person. */
export type DayAndId = readonly [day: number, id: number];

type OfPerson = EventFilter & { readonly email: string };

type Row = Omit<Event, 'meta'> & { readonly meta: string | null };

/** Events of a slice, of whomever. */
const SLICE = 20_000;

/** Newest events from which a person's devices are counted. */
const DEVICE_EVENTS = 100;

const COLUMNS = `id, event_type as type, email, occurred_at as occurredAt, session_id as session,
  device_type as deviceType, os, browser, meta`;

export function eventReader(db: Database) {
  const read = pageReader<Row, number>(db, ({ id }) => id);
  const prepare = prepareOnce<Row>(db);
  const daysOf = db.prepare<[object], { day: number; first: number; last: number }>(
    `select day, first_event as first, last_event as last from days cross join person_days using (day)
     where person = (select id from people where email = @email) and day <= @day
       and days.first_event is not null order by day desc`,
  );
  const sliceOf = db
    .prepare<[object], number | null>(
      `select min(id) from (select id from events where id between @first and @last
         order by id desc limit ${SLICE})`,
    )
    .pluck();

  /**
   * A person's events, newest day first, from the ids of her days, because views have no index by
   * person. `undefined` between slices.
   */
  function* ofPerson(filter: OfPerson, after?: DayAndId): Generator<Event | undefined> {
    const { type, period } = filter;
    const select = prepare(
      `select ${COLUMNS} from events where id between @first and @last and email = @email
         and ${typeSql(type)} and ${periodSql('occurred_at', ALL_TIME)} order by id desc`,
    );
    for (const { day, first, last } of daysOf.all({ ...filter, day: after?.[0] ?? Infinity })) {
      if (period && (day < period.from || day > period.to)) continue;
      let end = day === after?.[0] ? Math.min(last, after[1] - 1) : last;
      while (end >= first) {
        const few = end - first < SLICE;
        const start = (few ? null : sliceOf.get({ first, last: end })) ?? first;
        const slice = { ...filter, from: day, to: day, first: start, last: end };
        yield* select.all(slice).map(fromRow);
        yield undefined;
        end = slice.first - 1;
      }
    }
  }

  /** A page of a person's events. */
  function* pageOfPerson(query: PageQuery<DayAndId> & OfPerson): Sliced<ListPage<Event, DayAndId>> {
    const rows: Event[] = [];
    for (const row of ofPerson(query, query.after)) {
      if (!row) yield;
      else if (rows.push(row) > query.limit) break;
    }
    const last = rows.length > query.limit ? rows[query.limit - 1] : undefined;
    const next = last ? ([dayOf(last.occurredAt), last.id] as const) : null;
    return { rows: rows.slice(0, query.limit), next };
  }

  return {
    ofPerson,
    pageOfPerson,
    /** Everybody's events, newest first. */
    list(query: PageQuery<number> & EventFilter): ListPage<Event, number> {
      const { rows, next } = read(listSql(query), query);
      return { rows: rows.map(fromRow), next };
    },
    /** The devices of a person's newest 100 events, most used first. */
    *devices(email: string): Sliced<readonly PersonDevice[]> {
      const { rows } = yield* pageOfPerson({ email, limit: DEVICE_EVENTS });
      const found = new Map<string, PersonDevice>();
      for (const { deviceType, os, browser, occurredAt } of rows) {
        const key = JSON.stringify([deviceType, os, browser]);
        const known = found.get(key);
        const lastAt = Math.max(known?.lastAt ?? occurredAt, occurredAt);
        found.set(key, { deviceType, os, browser, count: (known?.count ?? 0) + 1, lastAt });
      }
      return [...found.values()].sort((a, b) => b.count - a.count || b.lastAt - a.lastAt);
    },
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

const typeSql = (type: EventType | undefined): string => (type ? `event_type = '${type}'` : 'true');

/** Logins have an index. */
function listSql({ type, period }: EventFilter): string {
  const { from, below } = idRangeSql('event', period);
  return `select ${COLUMNS} from events
    where id < ${below} and id >= ${from} and ${typeSql(type)} and ${periodSql('occurred_at', period)}
    order by id desc limit @limit`;
}

const fromRow = (row: Row): Event => ({
  ...row,
  meta: row.meta === null ? null : JSON.parse(row.meta),
});
