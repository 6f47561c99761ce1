/** The activity of a person as one sequence, newest first: their events and their join clicks. */
import type { Event, JoinClick, ListPage } from '../../lib/records.ts';
import { lists } from './api.ts';
import { describeDevice, describeView } from './parts.ts';
import { type ActivityEntry, groupVisits, type Visit } from './visits.ts';

/** Reads the visits in up to `count` entries of each log. */
export async function readActivity(email: string, count: number): Promise<ListPage<Visit, number>> {
  const [events, clicks] = await Promise.all([
    lists.events(count, { email }),
    lists.clicks(count, { of: 'clicks', email }),
  ]);
  const logs = [
    { rows: events.rows.map(fromEvent), next: events.next },
    { rows: clicks.rows.map(fromClick), next: clicks.next },
  ];
  // Before the oldest row that was read of a log, unread rows of that log may lie.
  const unread = logs.filter(({ next }) => next !== null);
  const from = Math.max(...unread.map(({ rows }) => rows.at(-1)?.at ?? -Infinity));
  const read = logs.flatMap(({ rows }) => rows);
  const rows = read.filter(({ at }) => at >= from).sort((a, b) => b.at - a.at);
  return { rows: groupVisits(rows), next: from === -Infinity ? null : from };
}

const fromEvent = ({ id, type, occurredAt, session, meta, ...device }: Event): ActivityEntry => ({
  kind: type,
  key: `event ${id}`,
  at: occurredAt,
  what: meta ? `Viewed the timeline (${describeView(meta)})` : 'Logged in',
  session,
  device: describeDevice(device),
});

const fromClick = ({ id, clickedAt, session }: JoinClick): ActivityEntry => ({
  kind: 'join',
  key: `join ${id}`,
  at: clickedAt,
  what: 'Pressed the join button',
  session,
  device: '',
});
