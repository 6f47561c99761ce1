/** Totals of the logs, of days and of people. */
import type { Database } from 'better-sqlite3';
import type { Activity, Day, DeviceShare, Funnel, InviteCounts } from '../records.ts';
import { forNumbers } from './counting.ts';
import type { Period } from './period.ts';
import { requireRow } from './sqlite.ts';

/** The largest number is first. Events without a name are left out. */
type Devices = {
  readonly devices: readonly DeviceShare[];
  readonly os: readonly DeviceShare[];
  readonly browsers: readonly DeviceShare[];
};

export type TotalsReader = {
  /** Numbers of rows in a period. */
  readonly activity: (period: Period) => Activity;
  /** The current numbers of invites and administrators. */
  readonly invites: () => InviteCounts;
  /** The first day with data; `undefined` without data. */
  readonly firstDay: () => number | undefined;
  /** Invited people by their furthest step. */
  readonly funnel: () => Funnel;
  /** Every day of a period, oldest first. */
  readonly daily: (period: Period) => readonly Day[];
  /** Events by device type, system and browser. */
  readonly devices: () => Devices;
};

/** @param db has the tables of `createCountTables` */
export function totalsReader(db: Database): TotalsReader {
  const invites = db.prepare<[], InviteCounts>(
    `select (select count(*) from invites) as invites,
       (select count(*) from invites where is_admin = 1) as admins`,
  );
  const sums = forNumbers((name, column) => `ifnull(sum(${column}), 0) as ${name}`);
  const activity = db.prepare<[Period], Activity>(
    `select ${sums} from day_totals where day between @from and @to`,
  );
  const funnel = db.prepare<[], Funnel>(
    `select (select count(*) from invites) as invited,
       count(*) as loggedIn, count(*) filter (where status >= 2) as viewed,
       count(*) filter (where status = 3) as joined
     from person_totals where email in (select email from invites)`,
  );
  const members = forNumbers((name, column) => `'${name}', ifnull(${column}, 0)`);
  // SQLite returns the days as JSON, which takes half as long as rows.
  const daily = db
    .prepare<[Period], string>(
      `with recursive every (day) as (
         select @from union all select day + 1 from every where day < @to
       )
       select json_group_array(json_object('day', date(day * 86400, 'unixepoch'), ${members}))
       from every left join day_totals using (day)`,
    )
    .pluck();
  // Another program may have written a time outside the years 0 to 9999. SQLite's date of it is
  // null or begins with a minus, so it is not at or after '0000'.
  const firstDay = db
    .prepare<[], number>(
      `select day from day_totals where date(day * 86400, 'unixepoch') >= '0000' order by day limit 1`,
    )
    .pluck();
  const shares = (column: string) =>
    db.prepare<[], DeviceShare>(
      `select ${column} as name, sum(events) as count from device_totals
       where ${column} <> '' group by ${column} order by count desc, name`,
    );
  const devices = shares('device_type');
  const os = shares('os');
  const browsers = shares('browser');

  return {
    activity(period) {
      return requireRow(activity.get(period));
    },
    invites() {
      return requireRow(invites.get());
    },
    firstDay() {
      return firstDay.get();
    },
    funnel() {
      return requireRow(funnel.get());
    },
    daily(period) {
      return JSON.parse(requireRow(daily.get(period)));
    },
    devices() {
      return { devices: devices.all(), os: os.all(), browsers: browsers.all() };
    },
  };
}
