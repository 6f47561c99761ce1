/** What somebody did, in one sequence, newest first: the event log and the click log read page by page and merged. */
import {
  type Click,
  type Events,
  type Joins,
  type LoggedEvent,
  type Page,
  read,
  readRows,
} from './api.ts';

export type Entry = {
  readonly kind: 'login' | 'timeline_view' | 'join';
  /** Among the events, or among the join clicks. */
  readonly id: number;
  /** Epoch ms. */
  readonly at: number;
  readonly what: string;
  readonly device: string;
};

export type Story = {
  readonly entries: readonly Entry[];
  /** Whether nothing older follows. */
  readonly whole: boolean;
};

/** Reads up to `count` entries of each log. */
export async function readStory(email: string, count: number): Promise<Story> {
  const logs = await Promise.all([
    readRows(count, async (limit, cursor) => {
      const { events, next } = await read<Events>('events', { email, limit, cursor });
      return { rows: events.map(fromEvent), next };
    }),
    readRows(count, async (limit, cursor) => {
      const query = { email, of: 'clicks', limit, clicks: cursor };
      const { clicks, next } = await read<Joins>('joins', query);
      return { rows: clicks.map(fromClick), next: next.clicks };
    }),
  ]);
  return { entries: merge(logs), whole: logs.every(({ next }) => next === null) };
}

/** Newest first. What is older than the end of a log that goes on is left out: entries of that log may lie in between. */
function merge(logs: readonly Page<Entry>[]): readonly Entry[] {
  const ends = logs.map(({ rows, next }) => (next === null ? undefined : rows.at(-1)?.at));
  const from = Math.max(...ends.map((end) => end ?? -Infinity));
  return logs
    .flatMap(({ rows }) => rows)
    .filter(({ at }) => at >= from)
    .sort((a, b) => b.at - a.at);
}

const fromEvent = ({ id, type, occurredAt, meta, ...device }: LoggedEvent): Entry => ({
  kind: type,
  id,
  at: occurredAt,
  what:
    type === 'login'
      ? 'logged in'
      : `viewed the timeline (${meta?.view ?? ''}${meta?.forced ? ', chosen' : ''})`,
  device: [device.deviceType, device.os, device.browser].filter(Boolean).join(', '),
});

const fromClick = ({ id, clickedAt }: Click): Entry => ({
  kind: 'join',
  id,
  at: clickedAt,
  what: 'pressed the join button',
  device: '',
});
