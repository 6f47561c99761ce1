/** The activity of a person as one sequence, newest first: their events and their join clicks. */
import type { Event, JoinClick, Page } from '../../lib/records.ts';
import { lists } from './api.ts';
import { describeDevice, describeView } from './parts.ts';

export type Entry = {
  readonly kind: Event['type'] | 'join';
  readonly key: string;
  /** Epoch ms. */
  readonly at: number;
  readonly what: string;
  readonly device: string;
};

/** Reads up to `count` entries of each log. */
export async function readStory(email: string, count: number): Promise<Page<Entry, number>> {
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
  return { rows, next: from === -Infinity ? null : from };
}

const fromEvent = ({ id, type, occurredAt, meta, ...device }: Event): Entry => ({
  kind: type,
  key: `event ${id}`,
  at: occurredAt,
  what: meta ? `viewed the timeline (${describeView(meta)})` : 'logged in',
  device: describeDevice(device),
});

const fromClick = ({ id, clickedAt }: JoinClick): Entry => ({
  kind: 'join',
  key: `join ${id}`,
  at: clickedAt,
  what: 'pressed the join button',
  device: '',
});
