/** Reads the running totals, so that the administrator page and the tools never count a log. */
import type { Database } from 'better-sqlite3';
import type { Counts, Day, Funnel, Share } from '../../records.ts';
import { single } from './page.ts';

const DAY = 86_400_000;

export function totals(db: Database) {
  const counts = db.prepare<[], Counts>(
    `select invites, admins, ifnull(sum(logins), 0) as logins,
       ifnull(sum(timeline_views), 0) as timelineViews, ifnull(sum(join_clicks), 0) as joinClicks
     from totals left join day_totals`,
  );
  const funnel = db.prepare<[], Funnel>(
    'select invites as invited, logged_in as loggedIn, viewed, joined from totals',
  );
  const days = db.prepare<[number], Omit<Day, 'day'> & { day: number }>(
    `select day, logins, timeline_views as timelineViews, join_clicks as joinClicks
     from day_totals where day >= ?`,
  );
  const shares = (column: string) =>
    db.prepare<[], Share>(
      `select ${column} as name, sum(events) as count from device_totals
       where ${column} <> '' group by ${column} order by count desc, name`,
    );
  const [devices, os, browsers] = [shares('device_type'), shares('os'), shares('browser')];

  return {
    /** Numbers of rows, over all time. */
    counts: (): Counts => single(counts.get()),
    /** Numbers of invited people who have come so far. */
    funnel: (): Funnel => single(funnel.get()),
    /** The last `length` UTC days up to `now` (epoch ms), oldest first, none left out. */
    daily(length: number, now: number): readonly Day[] {
      const first = Math.floor(now / DAY) - length + 1;
      const known = new Map(days.all(first).map((row) => [row.day, row]));
      return Array.from({ length }, (_, i) => {
        const { logins = 0, timelineViews = 0, joinClicks = 0 } = known.get(first + i) ?? {};
        const day = new Date((first + i) * DAY).toISOString().slice(0, 10);
        return { day, logins, timelineViews, joinClicks };
      });
    },
    /** Events by device type, system and browser, most first; empty names are left out. */
    devices: () => ({ devices: devices.all(), os: os.all(), browsers: browsers.all() }),
  };
}
