/** The running totals: what the administrator page and the tools say without counting a log. */
import type { Database } from 'better-sqlite3';

export type Totals = ReturnType<typeof totals>;

export type Counts = {
  readonly invites: number;
  readonly admins: number;
  readonly logins: number;
  readonly timelineViews: number;
  readonly joinClicks: number;
};

export type Funnel = {
  readonly invited: number;
  readonly loggedIn: number;
  readonly viewed: number;
  readonly joined: number;
};

/** `day` is `YYYY-MM-DD`. */
export type Day = Pick<Counts, 'logins' | 'timelineViews' | 'joinClicks'> & {
  readonly day: string;
};

export type Share = { readonly name: string; readonly count: number };

export type PersonTotals = {
  readonly email: string;
  readonly logins: number;
  readonly timelineViews: number;
  /** Epoch ms of the newest event. */
  readonly lastSeenAt: number;
};

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
  const people = db.prepare<[], PersonTotals>(
    `select email, logins, timeline_views as timelineViews, last_seen_at as lastSeenAt
     from people where last_seen_at is not null order by last_seen_at desc, email`,
  );

  return {
    /** Numbers of rows, over all time. */
    counts: (): Counts => one(counts.get()),
    /** Numbers of invited people who have come so far. */
    funnel: (): Funnel => one(funnel.get()),
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
    /** People who have logged in or viewed, most recent first. */
    people: (): Iterable<PersonTotals> => people.iterate(),
  };
}

/** The single row of `totals`, which the schema makes. */
function one<T>(row: T | undefined): T {
  if (!row) throw new Error('the table totals has lost its row');
  return row;
}
