/** The numbers of the administrators' page: plain SQL over the logs when somebody asks. */
import type { Counts, Day, NamedCount, Statistics } from '../records.ts';
import { type Database, readValue, requireRow, statement } from './sqlite.ts';

/** In ms. Days are UTC. */
const DAY = 24 * 3_600_000;

type People = Statistics['people'];

/** What people did: an event or a join click a row. */
const ACTS = `(select occurred_at as at, event_type as act from events
  union all select clicked_at, 'join' from project_joins)`;

/**
 * @param days how many, of which the last one is today; `all` is since the first event
 * @param now in ms
 */
export function readStatistics(db: Database, days: number | 'all', now: number): Statistics {
  const until = startOfDay(now) + DAY;
  const from = days === 'all' ? findStart(db, now) : until - days * DAY;
  const daily = countDays(db, from, until);
  return {
    days: daily.length,
    totals: {
      logins: sum(daily, 'logins'),
      timelineViews: sum(daily, 'timelineViews'),
      joinClicks: sum(daily, 'joinClicks'),
    },
    people: countPeople(db, from, until),
    daily,
    devices: countDevices(db, from, until),
  };
}

function startOfDay(ms: number): number {
  return Math.floor(ms / DAY) * DAY;
}

/** The start of the day of the first event or join click. */
function findStart(db: Database, now: number): number {
  const first = readValue(db, `select min(at) from ${ACTS}`);
  return startOfDay(typeof first === 'number' ? Math.min(first, now) : now);
}

/** Every day, including empty ones. @param from in ms, like `until` */
function countDays(db: Database, from: number, until: number): readonly Day[] {
  const rows = statement<[object], Counts & { readonly start: number }>(
    db,
    `select at / ${DAY} * ${DAY} as start, sum(act = 'login') as logins,
         sum(act = 'timeline_view') as timelineViews, sum(act = 'join') as joinClicks
       from ${ACTS} where at >= @from and at < @until group by 1`,
  ).all({ from, until });
  const counted = new Map(rows.map(({ start, ...counts }) => [start, counts]));
  const days: Day[] = [];
  for (let start = from; start < until; start += DAY) {
    const counts = counted.get(start) ?? { logins: 0, timelineViews: 0, joinClicks: 0 };
    days.push({ day: new Date(start).toISOString().slice(0, 10), ...counts });
  }
  return days;
}

function sum(days: readonly Day[], field: keyof Counts): number {
  let total = 0;
  for (const day of days) total += day[field];
  return total;
}

function countPeople(db: Database, from: number, until: number): People {
  const people = statement<[object], People>(
    db,
    `select
         (select count(distinct email) from events
           where event_type = 'login' and occurred_at >= @from and occurred_at < @until) as loggedIn,
         (select count(distinct email) from events where event_type = 'timeline_view'
           and occurred_at >= @from and occurred_at < @until) as viewed,
         (select count(distinct email) from project_joins
           where clicked_at >= @from and clicked_at < @until) as joined`,
  ).get({ from, until });
  return requireRow(people);
}

/** Events by type of device, the most frequent first. @param from in ms, like `until` */
export function countDevices(db: Database, from: number, until: number): readonly NamedCount[] {
  return statement<[object], NamedCount>(
    db,
    `select device_type as name, count(*) as count from events
       where occurred_at >= @from and occurred_at < @until
       group by device_type order by count desc, name`,
  ).all({ from, until });
}
