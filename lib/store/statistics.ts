/** The numbers of the administrators' page: plain SQL over the logs when somebody asks. */
import type { Counts, Day, NamedCount, Statistics } from '../records.ts';
import { type Database, readValue, requireRow } from './sqlite.ts';

/** In ms. Days are UTC. */
const DAY = 24 * 3_600_000;

type People = Statistics['people'];

/**
 * @param days how many, of which the last one is today; `all` is since the first event
 * @param now in ms
 */
export function readStatistics(db: Database, days: number | 'all', now: number): Statistics {
  const today = Math.floor(now / DAY);
  const first = days === 'all' ? firstDay(db, today) : today - days + 1;
  const daily = countDays(db, first, today);
  const from = first * DAY;
  const until = (today + 1) * DAY;
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

/** The day of the first event or join click. Days are counted from 1 January 1970. */
function firstDay(db: Database, today: number): number {
  const first = readValue(
    db,
    `select min(at) from (select min(occurred_at) as at from events
       union all select min(clicked_at) from project_joins)`,
  );
  return typeof first === 'number' ? Math.min(Math.floor(first / DAY), today) : today;
}

/** Every day, also those on which nothing happened. */
function countDays(db: Database, first: number, last: number): readonly Day[] {
  const rows = db
    .prepare<[object], Counts & { readonly day: number }>(
      `select at / ${DAY} as day, sum(act = 'login') as logins,
         sum(act = 'timeline_view') as timelineViews, sum(act = 'join') as joinClicks
       from (select occurred_at as at, event_type as act from events
         union all select clicked_at, 'join' from project_joins)
       where at >= @from and at < @until group by 1`,
    )
    .all({ from: first * DAY, until: (last + 1) * DAY });
  const counted = new Map(rows.map(({ day, ...counts }) => [day, counts]));
  const days: Day[] = [];
  for (let day = first; day <= last; day += 1) {
    const counts = counted.get(day) ?? { logins: 0, timelineViews: 0, joinClicks: 0 };
    days.push({ day: new Date(day * DAY).toISOString().slice(0, 10), ...counts });
  }
  return days;
}

function sum(days: readonly Day[], field: keyof Counts): number {
  let total = 0;
  for (const day of days) total += day[field];
  return total;
}

function countPeople(db: Database, from: number, until: number): People {
  const people = db
    .prepare<[object], People>(
      `select
         (select count(distinct email) from events
           where event_type = 'login' and occurred_at >= @from and occurred_at < @until) as loggedIn,
         (select count(distinct email) from events where event_type = 'timeline_view'
           and occurred_at >= @from and occurred_at < @until) as viewed,
         (select count(distinct email) from project_joins
           where clicked_at >= @from and clicked_at < @until) as joined`,
    )
    .get({ from, until });
  return requireRow(people);
}

/** Events by type of device, the most frequent first. @param from in ms, like `until` */
export function countDevices(db: Database, from: number, until: number): readonly NamedCount[] {
  return db
    .prepare<[object], NamedCount>(
      `select device_type as name, count(*) as count from events
       where occurred_at >= @from and occurred_at < @until
       group by device_type order by count desc, name`,
    )
    .all({ from, until });
}
