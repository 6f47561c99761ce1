/** The engagement log: logins and timeline views. */
import type { Database } from 'better-sqlite3';
import { bounds, type Page } from './page.ts';

export const EVENT_TYPES = ['login', 'timeline_view'] as const;

export type EventType = (typeof EVENT_TYPES)[number];

export type View = { readonly view: 'mobile' | 'desktop'; readonly forced: boolean };

export type Event = {
  readonly id: number;
  readonly type: EventType;
  readonly email: string;
  /** Epoch ms. */
  readonly occurredAt: number;
  /** The session identifier. */
  readonly session: string;
  readonly deviceType: string;
  readonly os: string;
  readonly browser: string;
  /** The layout served, for a timeline view; `null` for a login. */
  readonly meta: View | null;
};

export type EventFilter = {
  readonly type?: EventType | undefined;
  readonly email?: string | undefined;
};

type Row = Omit<Event, 'meta'> & { readonly meta: string | null };

export function events(db: Database) {
  const insert = db.prepare<[object]>(
    `insert into events (event_type, email, occurred_at, session_id, device_type, os, browser, meta)
     values (@type, @email, @occurredAt, @session, @deviceType, @os, @browser, @meta)`,
  );
  const select = (...conditions: readonly string[]) => {
    const parts = conditions.map(
      (condition) =>
        `select id, event_type as type, email, occurred_at as occurredAt, session_id as session,
           device_type as deviceType, os, browser, meta
         from events where ${condition} and id < @before`,
    );
    return db.prepare<[object], Row>(`${parts.join(' union all ')} order by id desc limit @limit`);
  };
  const all = select('true');
  const ofType = select('event_type = @type');
  const ofPersonAndType = select('email = @email and event_type = @type');
  // The index holds a person's events type by type; SQLite merges them.
  const ofPerson = select(
    ...EVENT_TYPES.map((type) => `email = @email and event_type = '${type}'`),
  );
  const statementFor = ({ type, email }: EventFilter) =>
    email === undefined ? (type ? ofType : all) : type ? ofPersonAndType : ofPerson;

  return {
    record: (event: Omit<Event, 'id'>): void =>
      void insert.run({ ...event, meta: event.meta && JSON.stringify(event.meta) }),
    /** Events, newest first. */
    list: (page: Page, filter: EventFilter = {}): readonly Event[] =>
      statementFor(filter)
        .all({ ...bounds(page), ...filter })
        .map(fromRow),
    /** The same, read one by one. */
    *iterate(page: Page, filter: EventFilter = {}): Iterable<Event> {
      for (const row of statementFor(filter).iterate({ ...bounds(page), ...filter }))
        yield fromRow(row);
    },
  };
}

const fromRow = (row: Row): Event => ({
  ...row,
  meta: row.meta === null ? null : JSON.parse(row.meta),
});
