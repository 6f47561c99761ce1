/** The engagement log: logins and timeline views. */
import type { Database } from 'better-sqlite3';
import { newestFirst, type Page } from './page.ts';

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

export type Events = {
  record(event: Omit<Event, 'id'>): void;
  /** Events, newest first. */
  list(page: Page, filter?: EventFilter): readonly Event[];
};

type Row = Omit<Event, 'meta'> & { readonly meta: string | null };

const COLUMNS = `id, event_type as type, email, occurred_at as occurredAt, session_id as session,
  device_type as deviceType, os, browser, meta`;

export function events(db: Database): Events {
  const insert = db.prepare<
    [string, string, number, string, string, string, string, string | null]
  >(
    `insert into events (event_type, email, occurred_at, session_id, device_type, os, browser, meta)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const select = db.prepare<[number, number], Row>(
    `select ${COLUMNS} from events where id < ? order by id desc limit ?`,
  );
  const selectType = db.prepare<[EventType, number, number], Row>(
    `select ${COLUMNS} from events where event_type = ? and id < ? order by id desc limit ?`,
  );
  const selectPersonAndType = db.prepare<[string, EventType, number, number], Row>(
    `select ${COLUMNS} from events where email = ? and event_type = ? and id < ? order by id desc limit ?`,
  );

  function list(page: Page, { type, email }: EventFilter = {}): readonly Row[] {
    const { limit, before } = newestFirst(page);
    if (email === undefined) {
      return type === undefined ? select.all(before, limit) : selectType.all(type, before, limit);
    }
    // The index holds a person's events type by type, so that each is found without passing over the others.
    const types = type === undefined ? EVENT_TYPES : [type];
    return types
      .flatMap((each) => selectPersonAndType.all(email, each, before, limit))
      .sort((a, b) => b.id - a.id)
      .slice(0, limit);
  }

  return {
    record({ type, email, occurredAt, session, deviceType, os, browser, meta }) {
      const text = meta && JSON.stringify(meta);
      insert.run(type, email, occurredAt, session, deviceType, os, browser, text);
    },
    list: (page, filter) => list(page, filter).map(fromRow),
  };
}

const fromRow = (row: Row): Event => ({
  ...row,
  meta: row.meta === null ? null : JSON.parse(row.meta),
});
