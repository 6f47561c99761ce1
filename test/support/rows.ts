/** Rows as the server writes them, and lists of them. */
import type { Device, ListPage, NewEvent } from '../../lib/records.ts';
import type { PageQuery } from '../../lib/store/paging.ts';
import type { Readers, Writer } from '../../lib/store/tables.ts';

export const PHONE = { deviceType: 'mobile', os: 'iOS', browser: 'Mobile Safari' } as const;

/** The User-Agent of such a phone. */
export const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';

export const FORCED = { view: 'mobile', forced: true } as const;

export const addInvite = (
  { invites }: Writer,
  email: string,
  { invitedAt = 1, firstName = null as string | null, invitedBy = 'cli' } = {},
) => invites.add({ email, firstName, invitedBy, invitedAt });

/** Runs a job with a new session of a person, and ends the session. */
export function withSession<T>(writer: Writer, email: string, job: (session: string) => T): T {
  const session = { email, id: writer.sessions.begin(email, 1).id };
  const result = job(session.id);
  writer.sessions.end(session);
  return result;
}

export const recordLogin = (writer: Writer, email: string, occurredAt: number, device?: Device) =>
  recordEvent(writer, email, { type: 'login', meta: null, occurredAt }, device);

export const recordView = (writer: Writer, email: string, occurredAt: number, device?: Device) =>
  recordEvent(writer, email, { type: 'timeline_view', meta: FORCED, occurredAt }, device);

const recordEvent = (
  writer: Writer,
  email: string,
  event: Pick<NewEvent, 'type' | 'meta' | 'occurredAt'>,
  device: Device = PHONE,
) =>
  withSession(writer, email, (session) => writer.events.record({ ...event, session, ...device }));

export const recordJoin = (writer: Writer, email: string, clickedAt: number) =>
  withSession(writer, email, (session) => writer.joins.record({ session, clickedAt }));

/** The events of a filter, newest first. */
export const eventsIn = (
  { events }: Pick<Readers, 'events'>,
  filter: Partial<Parameters<Readers['events']['list']>[0]> = {},
) => events.list({ limit: 1000, ...filter }).rows;

/** Reads a list in pages of 7. */
export function inPages<const Filter extends object, Row>(
  list: (query: Filter & PageQuery) => ListPage<Row, number>,
  filter: Filter,
): readonly Row[] {
  const found: Row[] = [];
  let after: number | undefined;
  for (;;) {
    const { rows, next } = list({ ...filter, limit: 7, after });
    found.push(...rows);
    if (next === null) return found;
    after = next;
  }
}
