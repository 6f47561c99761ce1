/** The activity of a person as one sequence, newest first: their events and their join clicks. */
import type { Event, JoinClick, ListPage } from '../../lib/records.ts';
import { lists } from './api.ts';
import { describeDevice, describeView } from './parts.ts';

/** An event or a join click. */
export type ActivityEntry = {
  readonly kind: 'login' | 'timeline_view' | 'join';
  readonly key: string;
  /** Epoch ms. */
  readonly at: number;
  readonly what: string;
  readonly session: string;
  /** Empty for a join click. */
  readonly device: string;
};

/** Entries of one session, newest first. */
export type Visit = { readonly entries: readonly ActivityEntry[]; readonly device: string };

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
  what: meta ? `Viewed (${describeView(meta)})` : 'Logged in',
  session,
  device: describeDevice(device),
});

const fromClick = ({ id, clickedAt, session }: JoinClick): ActivityEntry => ({
  kind: 'join',
  key: `join ${id}`,
  at: clickedAt,
  what: 'Joined',
  session,
  device: '',
});

/** After half an hour without an entry, in ms, the next one belongs to another visit. */
const PAUSE = 1_800_000;

/** @param entries newest first */
export function groupVisits(entries: readonly ActivityEntry[]): readonly Visit[] {
  const visits: ActivityEntry[][] = [];
  for (const entry of entries) {
    const visit = visits.findLast(([first]) => first?.session === entry.session);
    const next = visit?.at(-1);
    if (visit && next && next.at - entry.at <= PAUSE) visit.push(entry);
    else visits.push([entry]);
  }
  return visits.map((entries) => ({
    entries,
    device: entries.find(({ device }) => device !== '')?.device ?? '',
  }));
}
