/** Events: logins and timeline views. */
import type { Database } from 'better-sqlite3';
import type { Event, EventType, ListPage, PersonDevice } from '../records.ts';
import type { Sliced } from './counted-reads.ts';
import { type PageQuery, prepareOnce, requireRow, toPage } from './paging.ts';
import { ALL_TIME, dayOf, type Period, type PeriodFilter, periodSql } from './period.ts';

export const EVENT_TYPES = ['login', 'timeline_view'] as const satisfies readonly EventType[];

type EventFilter = PeriodFilter & {
  readonly type?: EventType | undefined;
  readonly email?: string | undefined;
};

/** A position in a list. The day counts in the list of one person. */
export type EventPosition = readonly [day: number, id: number];

/** Ids, both included. */
type Range = { readonly first: number; readonly last: number };

type Row = Omit<Event, 'meta'> & { readonly meta: string | null };

/** Ids that a slice reads, whatever it finds, and rows of a statement. */
const SLICE = 20_000;
const ROWS = 500;

/** Newest events from which a person's devices are counted. */
const DEVICE_EVENTS = 100;

const COLUMNS = `id, event_type as type, email, occurred_at as occurredAt, session_id as session,
  device_type as deviceType, os, browser, meta`;

export function eventReader(db: Database) {
  const prepare = prepareOnce<Row>(db);
  const daysOf = db.prepare<[object], Range & { readonly day: number }>(
    `select day, first_event as first, last_event as last from days cross join person_days using (day)
     where person = (select id from people where email = @email)
       and day between @from and @to and days.first_event is not null order by day desc`,
  );
  const rangeOf = db.prepare<[Period], Range>(
    `select min(first_event) as first, max(last_event) as last from days
     where day between @from and @to`,
  );
  const sliceOf = db
    .prepare<[Range], number | null>(
      `select min(id) from (select id from events where id between @first and @last
         order by id desc limit ${SLICE})`,
    )
    .pluck();

  /** Rows of a range of ids, newest first; `undefined` between slices. */
  function* scan(range: Range, condition: string, values: object): Generator<Event | undefined> {
    const select = prepare(
      `select ${COLUMNS} from events where id between @first and @last and ${condition}
       order by id desc limit ${ROWS}`,
    );
    for (let { first, last } = range; last >= first; ) {
      const start = last - first < SLICE ? first : sliceOf.get({ first, last });
      if (start === null || start === undefined) return;
      for (let rows: readonly Row[]; last >= start; ) {
        rows = select.all({ ...values, first: start, last });
        yield* rows.map(fromRow);
        last = rows.length < ROWS ? start - 1 : (rows.at(-1)?.id ?? start) - 1;
      }
      yield undefined;
    }
  }

  /** Events, newest first by id; of one person by day, then id, because views have no such index. */
  function* rows(filter: EventFilter, after?: EventPosition): Generator<Event | undefined> {
    const { type, email, period = ALL_TIME } = filter;
    const [afterDay, afterId] = after ?? [Infinity, Infinity];
    const ofType = type ? 'event_type = @type' : 'true';
    if (email === undefined) {
      const { first, last } = requireRow(rangeOf.get(period));
      const range = { first: first ?? 0, last: Math.min(last ?? -1, afterId - 1) };
      const condition = `${ofType} and ${periodSql('occurred_at', filter.period)}`;
      return yield* scan(range, condition, { type, ...period });
    }
    const ofDay = `${ofType} and email = @email and ${periodSql('occurred_at', period)}`;
    const to = Math.min(period.to, afterDay);
    for (const { day, first, last: end } of daysOf.all({ email, from: period.from, to })) {
      const last = day === afterDay ? Math.min(end, afterId - 1) : end;
      yield* scan({ first, last }, ofDay, { type, email, from: day, to: day });
    }
  }

  /** A page of events. */
  function* list(
    query: PageQuery<EventPosition> & EventFilter,
  ): Sliced<ListPage<Event, EventPosition>> {
    const found: Event[] = [];
    for (const row of rows(query, query.after)) {
      if (!row) yield;
      else if (found.push(row) > query.limit) break;
    }
    return toPage(found, query.limit, ({ occurredAt, id }) => [dayOf(occurredAt), id]);
  }

  return {
    rows,
    list,
    /** The devices of a person's newest 100 events, most used first. */
    *devices(email: string): Sliced<readonly PersonDevice[]> {
      const { rows } = yield* list({ email, limit: DEVICE_EVENTS });
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

const fromRow = (row: Row): Event => ({
  ...row,
  meta: row.meta === null ? null : JSON.parse(row.meta),
});
