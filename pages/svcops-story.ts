/** What somebody did, in one sequence, newest first: the event log and the click log read page by page and merged. */
import { type Click, type Events, type Joins, type LoggedEvent, read } from './svcops-api.ts';

export type Entry = {
  readonly kind: 'login' | 'timeline_view' | 'join';
  /** Epoch ms. */
  readonly at: number;
  readonly what: string;
  readonly device: string;
};

export type Story = {
  readonly email: string;
  /** Reads again what is shown, at least `step` entries. */
  refresh(step: number): Promise<readonly Entry[]>;
  /** Reads up to `step` older entries of each log as well. */
  more(step: number): Promise<readonly Entry[]>;
  /** Whether everything has been read. */
  isWhole(): boolean;
};

/** Rows that the service gives at once. */
const MOST = 500;

type Log = { entries: readonly Entry[]; next: string | null };

export function story(email: string): Story {
  let logs: readonly Log[] = [];

  const readEvents = async (limit: number, cursor: string | null): Promise<Log> => {
    const { events, next } = await read<Events>('events', { email, limit, cursor });
    return { entries: events.map(fromEvent), next };
  };
  const readClicks = async (limit: number, clicks: string | null): Promise<Log> => {
    const reply = await read<Joins>('joins', { email, of: 'clicks', limit, clicks });
    return { entries: reply.clicks.map(fromClick), next: reply.next.clicks };
  };

  async function readTo(count: number): Promise<readonly Entry[]> {
    logs = await Promise.all([upTo(count, readEvents), upTo(count, readClicks)]);
    return merge(logs);
  }

  const deepest = () => Math.max(0, ...logs.map(({ entries }) => entries.length));
  return {
    email,
    refresh: (step) => readTo(Math.max(step, deepest())),
    more: (step) => readTo(deepest() + step),
    isWhole: () => logs.every(({ next }) => next === null),
  };
}

async function upTo(
  count: number,
  readPage: (limit: number, cursor: string | null) => Promise<Log>,
): Promise<Log> {
  let log: Log = { entries: [], next: null };
  do {
    const page = await readPage(Math.min(count - log.entries.length, MOST), log.next);
    log = { entries: [...log.entries, ...page.entries], next: page.next };
  } while (log.next !== null && log.entries.length < count);
  return log;
}

/** Newest first; what is older than the end of a log that goes on is left out, because something may lie in between. */
function merge(logs: readonly Log[]): readonly Entry[] {
  const ends = logs.map(({ entries, next }) => (next === null ? 0 : (entries.at(-1)?.at ?? 0)));
  const from = Math.max(...ends);
  return logs
    .flatMap(({ entries }) => entries)
    .filter(({ at }) => at >= from)
    .sort((a, b) => b.at - a.at);
}

const fromEvent = ({ type, occurredAt, meta, deviceType, os, browser }: LoggedEvent): Entry => ({
  kind: type,
  at: occurredAt,
  what:
    type === 'login'
      ? 'logged in'
      : `viewed the timeline (${meta?.view ?? ''}${meta?.forced ? ', chosen' : ''})`,
  device: [deviceType, os, browser].filter(Boolean).join(', '),
});

const fromClick = ({ clickedAt }: Click): Entry => ({
  kind: 'join',
  at: clickedAt,
  what: 'pressed the join button',
  device: '',
});
