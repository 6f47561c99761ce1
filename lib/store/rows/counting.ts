/**
 * Counts the logs. A view or a click is only appended to its log. A step reads the rows behind the
 * bookmarks (`counted.through`), and adds them to the totals in the transaction that moves the
 * bookmarks. So the totals are exact up to the bookmarks, whatever is interrupted.
 */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { isBusy, isUnavailable } from '../errors.ts';

/** How long a step may take, in ms. The next one reads more or fewer rows of each log. */
const STEP_TIME = 6;
const LEAST_ROWS = 100;
const MOST_ROWS = 5000;

/** Rows that wait before they are counted in the background. */
const MANY = 3000;

/** How long fewer rows wait, in ms. */
const SOON = 1000;

/** How often and when a step is tried again while another program holds the lock, in ms. */
const TRIES = 10;
const PAUSE = 20;

/** The rows that a step counts: integers alone. Day: whole days since 1970-01-01 UTC. */
const CREATE_FRESH = `create temp table if not exists fresh
  (id integer, person integer, kind integer, at integer, day integer)`;
const LOGIN = 0;
const VIEW = 1;
const CLICK = 2;

/** The rows of a log that a step counts. */
const behind = (log: string, columns: string): string =>
  `select ${columns} from ${log}
   where id > (select through from counted where log = '${log}') order by id limit @rows`;

const ADD_PEOPLE = `insert into people (email)
  select distinct email from (
    select * from (${behind('events', 'email')})
    union all select * from (${behind('project_joins', 'email')}))
  where email not in (select email from people)`;

const READ = [
  behind('events', `id, email, event_type = 'timeline_view' as kind, occurred_at as at`),
  behind('project_joins', `id, email, ${CLICK} as kind, clicked_at as at`),
].map(
  (rows) => `insert into fresh
    select waiting.id, people.id, kind, at, at / 86400000
    from (${rows}) as waiting cross join people using (email)`,
);

const EVENT = `kind < ${CLICK}`;

/** Each adds all rows to a table. First and last are by id. Other indexes are not touched. */
const ADD = [
  `insert into day_totals
   select day, sum(kind = ${LOGIN}), sum(kind = ${VIEW}), sum(kind = ${CLICK}),
     min(id) filter (where ${EVENT}), max(id) filter (where ${EVENT}),
     min(id) filter (where kind = ${CLICK}), max(id) filter (where kind = ${CLICK})
   from fresh group by day
   on conflict do update set
     logins = logins + excluded.logins,
     timeline_views = timeline_views + excluded.timeline_views,
     join_clicks = join_clicks + excluded.join_clicks,
     first_event = ifnull(first_event, excluded.first_event),
     last_event = ifnull(excluded.last_event, last_event),
     first_join = ifnull(first_join, excluded.first_join),
     last_join = ifnull(excluded.last_join, last_join)`,
  `insert into person_days
   select day, person, sum(kind = ${LOGIN}), sum(kind = ${VIEW}), sum(kind = ${CLICK}),
     max(at) filter (where ${EVENT})
   from fresh group by day, person
   on conflict do update set
     logins = logins + excluded.logins,
     timeline_views = timeline_views + excluded.timeline_views,
     join_clicks = join_clicks + excluded.join_clicks,
     last_seen_at = coalesce(
       max(last_seen_at, excluded.last_seen_at), last_seen_at, excluded.last_seen_at)`,
  `insert into activity (person, logins, timeline_views, last_seen_at)
   select person, logins, views, (select occurred_at from events where id = last)
   from (
     select person, sum(kind = ${LOGIN}) as logins, sum(kind = ${VIEW}) as views, max(id) as last
     from fresh where ${EVENT} group by person)
   where true
   on conflict do update set
     logins = logins + excluded.logins,
     timeline_views = timeline_views + excluded.timeline_views,
     last_seen_at = excluded.last_seen_at`,
  `insert into activity (person, join_clicks, first_join_at, last_join_at)
   select person, clicks, (select clicked_at from project_joins where id = first),
     (select clicked_at from project_joins where id = last)
   from (
     select person, count(*) as clicks, min(id) as first, max(id) as last
     from fresh where kind = ${CLICK} group by person)
   where true
   on conflict do update set
     join_clicks = join_clicks + excluded.join_clicks,
     first_join_at = ifnull(first_join_at, excluded.first_join_at),
     last_join_at = excluded.last_join_at`,
  `insert into device_totals
   select device_type, os, browser, count(*) from events
   where id between (select min(id) from fresh where ${EVENT})
     and (select max(id) from fresh where ${EVENT})
   group by device_type, os, browser
   on conflict do update set events = events + excluded.events`,
  `insert into person_events
   select id >> 14, person, id from fresh where ${EVENT} order by person, id`,
  `insert or ignore into event_blocks select distinct id >> 14 from fresh where ${EVENT}`,
  `insert into person_clicks select person, id from fresh where kind = ${CLICK}`,
  `update counted set through = max(through, ifnull(
     (select max(id) from fresh where iif(log = 'events', ${EVENT}, kind = ${CLICK})), 0))`,
  'delete from fresh',
];

export function counting(db: Database) {
  db.pragma('temp_store = memory');
  db.prepare(CREATE_FRESH).run();
  const isBehind = db
    .prepare<[], 0 | 1>(
      `select exists (${behind('events', '1').replace('@rows', '1')})
         or exists (${behind('project_joins', '1').replace('@rows', '1')})`,
    )
    .pluck();
  const [addPeople, ...read] = [ADD_PEOPLE, ...READ].map((sql) =>
    db.prepare<[{ rows: number }]>(sql),
  );
  const add = ADD.map((sql) => db.prepare(sql));
  let rows = LEAST_ROWS;

  /** Counts some rows, in the transaction of the caller. @returns how many */
  function countRows(): number {
    const begun = performance.now();
    addPeople?.run({ rows });
    const count = read.reduce((sum, statement) => sum + statement.run({ rows }).changes, 0);
    if (count > 0) for (const statement of add) statement.run();
    const wanted = (rows * STEP_TIME) / (performance.now() - begun);
    rows = Math.round(Math.max(LEAST_ROWS, Math.min(wanted, 2 * rows, MOST_ROWS)));
    return count;
  }

  const transaction = db.transaction(countRows);

  return {
    countRows,
    /** Counts rows for some ms, in one transaction. @returns whether more rows wait */
    step: (): boolean =>
      isBehind.get() === 1 && transaction.immediate() > 0 && isBehind.get() === 1,
  };
}

/** Counts in the server: before a total is read, and in the background. */
export function countInSteps(db: Database) {
  const { step } = counting(db);
  let waiting = 0;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  /**
   * Counts all rows. The event loop is free between two steps. If the store cannot be written, the
   * last rows are left out.
   */
  const now = (): Promise<void> => {
    running ??= countAll().finally(() => {
      running = undefined;
    });
    return running;
  };

  async function countAll(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    waiting = 0;
    for (let tries = 0; tries < TRIES; tries += 1) {
      try {
        while (step()) await nextTurn();
        return;
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        if (!isBusy(error)) return;
        await pause(PAUSE);
      }
    }
  }

  return {
    now,
    /** Counts in the background after a commit of so many rows. */
    soon(rows: number): void {
      waiting += rows;
      if (waiting >= MANY) void now();
      else timer ??= setTimeout(now, SOON);
    },
    async stop(): Promise<void> {
      clearTimeout(timer);
      await running;
    },
  };
}
