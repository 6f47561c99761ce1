/** Reads the running totals, without reading a log. */
import { setImmediate } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import type { Activity, Counts, Day, DeviceShare, Funnel, PeopleCounts } from '../records.ts';
import { requireRow } from './paging.ts';
import { ALL_TIME, type Period } from './period.ts';

/** How long days are read before other requests are answered, in ms. */
const SLICE = 5;

/** Bits for a person's day. */
const [LOGGED_IN, VIEWED, JOINED] = [1, 2, 4];

export function totalsReader(db: Database) {
  const list = db.prepare<[], Omit<Counts, keyof Activity>>('select invites, admins from totals');
  const sums = db.prepare<[Period], Activity>(
    `select ifnull(sum(logins), 0) as logins, ifnull(sum(timeline_views), 0) as timelineViews,
       ifnull(sum(join_clicks), 0) as joinClicks
     from day_totals where day between @from and @to`,
  );
  const funnel = db.prepare<[], Funnel>(
    'select invites as invited, logged_in as loggedIn, viewed, joined from totals',
  );
  // As JSON, because rows take twice as long.
  const days = db
    .prepare<[Period], string>(
      `with recursive days (day) as (select @from union all select day + 1 from days where day < @to)
       select json_group_array(json_object(
         'day', date(day * 86400, 'unixepoch'), 'logins', ifnull(logins, 0),
         'timelineViews', ifnull(timeline_views, 0), 'joinClicks', ifnull(join_clicks, 0)))
       from days left join day_totals using (day)`,
    )
    .pluck();
  const daysOf = db
    .prepare<[Period], number>('select day from day_totals where day between @from and @to')
    .pluck();
  // From each person's last days. No row if there is data after the period.
  const peopleSince = db.prepare<[Period], PeopleCounts>(
    `select * from (
       select count(*) filter (where last_login_day >= @from) as loggedIn,
         count(*) filter (where last_view_day >= @from) as viewed,
         count(*) filter (where last_join_day >= @from) as joined from activity)
     where not exists (select 1 from day_totals
       where day > @to and logins + timeline_views + join_clicks > 0)`,
  );
  const lastPerson = db.prepare<[], number | null>('select max(id) from people').pluck();
  // Each as one integer: the person's id, then the bits.
  const personDays = db
    .prepare<[number], string>(
      `select json_group_array(person * 8 + (logins > 0) * ${LOGGED_IN}
         + (timeline_views > 0) * ${VIEWED} + (join_clicks > 0) * ${JOINED})
       from person_days where day = ?`,
    )
    .pluck();
  // Another program may have written a time outside the years 0 to 9999.
  const firstDay = db
    .prepare<[], number>(
      `select day from day_totals where logins + timeline_views + join_clicks > 0
         and date(day * 86400, 'unixepoch') >= '0000' order by day limit 1`,
    )
    .pluck();
  const shares = (column: string) =>
    db.prepare<[], DeviceShare>(
      `select ${column} as name, sum(events) as count from device_totals
       where ${column} <> '' group by ${column} order by count desc, name`,
    );
  const [devices, os, browsers] = [shares('device_type'), shares('os'), shares('browser')];

  const activity = (period: Period): Activity => requireRow(sums.get(period));

  return {
    activity,
    /** The same, with the current numbers of invites and administrators. */
    counts: (period = ALL_TIME): Counts => ({ ...requireRow(list.get()), ...activity(period) }),
    firstDay: (): number | undefined => firstDay.get(),
    /** Numbers of different people in a period. Days are read in slices. */
    async people(period: Period): Promise<PeopleCounts> {
      const since = peopleSince.get(period);
      if (since) return since;
      const did = new Uint8Array((lastPerson.get() ?? 0) + 1);
      let begun = performance.now();
      for (const day of daysOf.all(period)) {
        for (const each of JSON.parse(requireRow(personDays.get(day))))
          did[each >> 3] = (did[each >> 3] ?? 0) | (each & 7);
        if (performance.now() < begun + SLICE) continue;
        await setImmediate();
        begun = performance.now();
      }
      const count = (bit: number) => did.reduce((sum, each) => sum + ((each & bit) > 0 ? 1 : 0), 0);
      return { loggedIn: count(LOGGED_IN), viewed: count(VIEWED), joined: count(JOINED) };
    },
    funnel: (): Funnel => requireRow(funnel.get()),
    /** Every day of a period, oldest first. */
    daily: (period: Period): readonly Day[] => JSON.parse(requireRow(days.get(period))),
    /** Events by device type, system and browser, most first, without empty names. */
    devices: () => ({ devices: devices.all(), os: os.all(), browsers: browsers.all() }),
  };
}
