/** Events: logins and timeline views, a row each. */
import type { Device, Event, EventSummary, EventType, NamedCount, ViewMeta } from '../records.ts';
import type { Visitor } from './sessions.ts';
import { type Database, requireRow } from './sqlite.ts';

export const EVENT_TYPES: readonly EventType[] = ['login', 'timeline_view'];

/** @param session its id */
export function recordLogin(db: Database, session: string, device: Device, now: number): void {
  insertEvent(db, { type: 'login', session, ...device, meta: null, now });
}

/** @returns false if the session is gone; then nothing is recorded */
export function recordView(
  db: Database,
  { session }: Visitor,
  device: Device,
  meta: ViewMeta,
  now: number,
): boolean {
  const json = JSON.stringify(meta);
  return insertEvent(db, { type: 'timeline_view', session, ...device, meta: json, now });
}

/** A new row, without the columns that come from its session. */
type NewEvent = Device & {
  readonly type: EventType;
  readonly session: string;
  /** JSON; `null` for a login. */
  readonly meta: string | null;
  readonly now: number;
};

function insertEvent(db: Database, event: NewEvent): boolean {
  const { changes } = db
    .prepare<[NewEvent]>(
      `insert into events
         (event_type, email, occurred_at, session_id, device_type, os, browser, meta)
       select @type, sessions.email, @now, sessions.id, @deviceType, @os, @browser, @meta
       from sessions where id = @session`,
    )
    .run(event);
  return changes === 1;
}

/** Which events to list, newest first. */
export type EventFilter = {
  readonly email?: string | undefined;
  readonly type?: EventType | undefined;
  /** Only those with a smaller id. */
  readonly before?: number | undefined;
  readonly limit: number;
};

export function listEvents(db: Database, filter: EventFilter): readonly Event[] {
  const { email = null, type = null, before = null, limit } = filter;
  // One text with all rows takes less than half the time of an object for each row.
  const row = db
    .prepare<[object], { readonly events: string }>(
      `select json_group_array(json_object(
         'id', id, 'type', event_type, 'email', email, 'occurredAt', occurred_at,
         'session', session_id, 'deviceType', device_type, 'os', os, 'browser', browser,
         'meta', json(meta))) as events
       from (select * from events
         where (@before is null or id < @before) and (@email is null or email = @email)
           and (@type is null or event_type = @type)
         order by id desc limit @limit)`,
    )
    .get({ email, type, before, limit });
  return JSON.parse(requireRow(row).events);
}

/** One row per person, the latest first. */
export function summarizeEvents(db: Database): readonly EventSummary[] {
  return db
    .prepare<[], EventSummary>(
      `select email, sum(event_type = 'login') as logins,
         sum(event_type = 'timeline_view') as timelineViews, max(occurred_at) as lastSeenAt
       from events group by email order by lastSeenAt desc, email`,
    )
    .all();
}

export function countEventTypes(db: Database): readonly NamedCount[] {
  return db
    .prepare<[], NamedCount>(
      'select event_type as name, count(*) as count from events group by event_type',
    )
    .all();
}
