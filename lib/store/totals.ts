/** Totals of the logs, of days and of people. */
import type { Database } from 'better-sqlite3';
import type { Activity, Counts, Day, DeviceShare, Funnel } from '../records.ts';
import { ALL_TIME, type Period } from './period.ts';
import { requireRow } from './sqlite.ts';

export type TotalsReader = ReturnType<typeof totalsReader>;

export function totalsReader(db: Database) {
  const list = db.prepare<[], Omit<Counts, keyof Activity>>(
    `select (select count(*) from invites) as invites,
       (select count(*) from invites where is_admin = 1) as admins`,
  );
  const sums = db.prepare<[Period], Activity>(
    `select ifnull(sum(logins), 0) as logins, ifnull(sum(timeline_views), 0) as timelineViews,
       ifnull(sum(join_clicks), 0) as joinClicks
     from days where day between @from and @to`,
  );
  const funnel = db.prepare<[], Funnel>(
    `select (select count(*) from invites) as invited,
       count(*) as loggedIn, count(*) filter (where status >= 2) as viewed,
       count(*) filter (where status = 3) as joined
     from people where email in (select email from invites)`,
  );
  // As JSON, because rows take twice as long.
  const daily = db
    .prepare<[Period], string>(
      `with recursive every (day) as (select @from union all select day + 1 from every where day < @to)
       select json_group_array(json_object(
         'day', date(day * 86400, 'unixepoch'), 'logins', ifnull(logins, 0),
         'timelineViews', ifnull(timeline_views, 0), 'joinClicks', ifnull(join_clicks, 0)))
       from every left join days using (day)`,
    )
    .pluck();
  // Another program may have written a time outside the years 0 to 9999.
  const firstDay = db
    .prepare<[], number>(
      `select day from days where date(day * 86400, 'unixepoch') >= '0000' order by day limit 1`,
    )
    .pluck();
  const shares = (column: string) =>
    db.prepare<[], DeviceShare>(
      `select ${column} as name, sum(events) as count from devices
       where ${column} <> '' group by ${column} order by count desc, name`,
    );
  const [devices, os, browsers] = [shares('device_type'), shares('os'), shares('browser')];

  const activity = (period = ALL_TIME): Activity => requireRow(sums.get(period));

  return {
    activity,
    /** The same, with the current numbers of invites and administrators. */
    counts: (period?: Period): Counts => ({ ...requireRow(list.get()), ...activity(period) }),
    firstDay: (): number | undefined => firstDay.get(),
    /** Invited people by what they have done so far. */
    funnel: (): Funnel => requireRow(funnel.get()),
    /** Every day of a period, oldest first. */
    daily: (period: Period): readonly Day[] => JSON.parse(requireRow(daily.get(period))),
    /** Events by device type, system and browser, most first, without empty names. */
    devices: () => ({ devices: devices.all(), os: os.all(), browsers: browsers.all() }),
  };
}
