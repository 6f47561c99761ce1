/** The numbers of the administrators' page: plain SQL over the logs when somebody asks. */
import type { Counts, Day, NamedCount, Statistics } from '../records.ts';
import { type Database, readRow, statement } from './sqlite.ts';

/** In ms. Days are UTC. */
const DAY = 24 * 3_600_000;

/** In ms, from the start of a day until before the start of another. */
type Period = { readonly from: number; readonly until: number };

const EVENTS = 'events where occurred_at >= @from and occurred_at < @until';
const JOINS = 'project_joins where clicked_at >= @from and clicked_at < @until';

/** What administrators do is in the logs, but not in the numbers. */
const BY_GUESTS = 'email not in (select email from invites where is_admin = 1)';

/**
 * @param days how many, of which the last one is today; `all` is since the first event
 * @param now in ms
 */
export function readStatistics(db: Database, days: number | 'all', now: number): Statistics {
  const until = (Math.floor(now / DAY) + 1) * DAY;
  const period = { from: days === 'all' ? 0 : until - days * DAY, until };
  const counted = countDays(db, period);
  const first = days === 'all' ? (counted[0]?.start ?? until - DAY) : period.from;
  const daily = withEmptyDays(counted, { from: first, until });
  return {
    days: daily.length,
    totals: {
      logins: sum(daily, 'logins'),
      timelineViews: sum(daily, 'timelineViews'),
      joinClicks: sum(daily, 'joinClicks'),
    },
    people: countPeople(db, period),
    daily,
    devices: countDevices(db, period),
  };
}

type CountedDay = Counts & { readonly start: number };

/** The days on which something happened, oldest first. */
function countDays(db: Database, period: Period): readonly CountedDay[] {
  // Each log is counted by itself: a union of their rows takes a third longer.
  return statement<[Period], CountedDay>(
    db,
    `select start, sum(logins) as logins, sum(views) as timelineViews, sum(joins) as joinClicks
       from (
         select occurred_at / ${DAY} * ${DAY} as start, sum(event_type = 'login') as logins,
           sum(event_type = 'timeline_view') as views, 0 as joins
         from ${EVENTS} and ${BY_GUESTS} group by 1
         union all
         select clicked_at / ${DAY} * ${DAY}, 0, 0, count(*)
         from ${JOINS} and ${BY_GUESTS} group by 1)
       group by start order by start`,
  ).all(period);
}

function withEmptyDays(counted: readonly CountedDay[], { from, until }: Period): readonly Day[] {
  const byStart = new Map(counted.map(({ start, ...counts }) => [start, counts]));
  const days: Day[] = [];
  for (let start = from; start < until; start += DAY) {
    const counts = byStart.get(start) ?? { logins: 0, timelineViews: 0, joinClicks: 0 };
    days.push({ day: new Date(start).toISOString().slice(0, 10), ...counts });
  }
  return days;
}

function sum(days: readonly Day[], field: keyof Counts): number {
  let total = 0;
  for (const day of days) total += day[field];
  return total;
}

function countPeople(db: Database, period: Period): Statistics['people'] {
  return readRow(
    db,
    `select count(*) filter (where act = 'login') as loggedIn,
         count(*) filter (where act = 'timeline_view') as viewed,
         count(*) filter (where act = 'join') as joined
       from (select distinct email, event_type as act from ${EVENTS}
         union all select distinct email, 'join' from ${JOINS})
       where ${BY_GUESTS}`,
    period,
  );
}

/** Events by type of device, the most frequent first. */
function countDevices(db: Database, period: Period): readonly NamedCount[] {
  return statement<[Period], NamedCount>(
    db,
    `select device_type as name, count(*) as count from ${EVENTS} and ${BY_GUESTS}
       group by device_type order by count desc, name`,
  ).all(period);
}
