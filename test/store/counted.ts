/** What the counted tables must hold: plain SQL over the logs, up to the bookmarks. */
import assert from 'node:assert/strict';
import type Database from 'better-sqlite3';
import { dayOf, type Period } from '../../lib/store/period.ts';
import { totalsReader } from '../../lib/store/totals.ts';

export const DAY = 86_400_000;
export const NOON = Date.UTC(2026, 2, 2, 12);

/** The counted rows of both logs, and every row of either with what it adds. */
const LOGS = `with
  e as (select *, occurred_at / ${DAY} as day, event_type = 'login' as login
    from events join counted on log = 'events' where events.id <= through),
  j as (select *, clicked_at / ${DAY} as day
    from project_joins join counted on log = 'project_joins' where project_joins.id <= through),
  every (email, day, login, view, click, seen) as (
    select email, day, login, not login, 0, occurred_at from e
    union all select email, day, 0, 0, 1, null from j)`;

/** Of a person, the time of the first or last row of a log. */
const timeOf = (time: string, log: string, order: 'asc' | 'desc') =>
  `(select ${time} from ${log} where ${log}.email = every.email order by id ${order} limit 1)`;

const TABLES: Readonly<Record<string, readonly [counted: string, logged: string]>> = {
  activity: [
    `select email, logins, timeline_views, join_clicks, last_login_day, last_view_day,
       last_join_day, last_seen_at, first_join_at, last_join_at
     from activity join people on id = person where logins + timeline_views + join_clicks > 0
     order by email`,
    `${LOGS} select email, sum(login), sum(view), sum(click),
       max(iif(login, day, null)), max(iif(view, day, null)), max(iif(click, day, null)),
       ${timeOf('occurred_at', 'e', 'desc')}, ${timeOf('clicked_at', 'j', 'asc')},
       ${timeOf('clicked_at', 'j', 'desc')}
     from every group by email order by email`,
  ],
  person_days: [
    `select day, email, logins, timeline_views, join_clicks, last_seen_at
     from person_days join people on id = person order by day, email`,
    `${LOGS} select day, email, sum(login), sum(view), sum(click), max(seen)
     from every group by day, email order by day, email`,
  ],
  day_totals: [
    `select day, logins, timeline_views, join_clicks from day_totals
     where logins + timeline_views + join_clicks > 0 order by day`,
    `${LOGS} select day, sum(login), sum(view), sum(click) from every group by day order by day`,
  ],
  'the ids of a day': [
    `select count(*) from day_totals where false`,
    `${LOGS} select count(*) from e left join day_totals using (day)
     where e.id between first_event and last_event is not true`,
  ],
  device_totals: [
    'select * from device_totals order by 1, 2, 3',
    `${LOGS} select device_type, os, browser, count(*) from e group by 1, 2, 3 order by 1, 2, 3`,
  ],
  person_events: [
    `select block, email, event from person_events join people on id = person
     join event_blocks using (block) order by event`,
    `${LOGS} select e.id >> 14, email, e.id from e order by e.id`,
  ],
  person_clicks: [
    'select email, click from person_clicks join people on id = person order by click',
    `${LOGS} select email, j.id from j order by j.id`,
  ],
  people: [
    'select email, invited from people left join activity on person = id order by email',
    `${LOGS} select email, email in (select email from invites) from
       (select email from every union select email from invites) order by email`,
  ],
  totals: [
    'select invites, admins, logged_in, viewed, joined, joiners from totals',
    `${LOGS}, i as (select * from every where email in (select email from invites))
     select (select count(*) from invites), (select count(*) from invites where is_admin = 1),
       count(distinct iif(login, email, null)), count(distinct iif(view, email, null)),
       count(distinct iif(click, email, null)), (select count(distinct email) from j) from i`,
  ],
};

export function assertExact(db: Database.Database): void {
  for (const [table, queries] of Object.entries(TABLES)) {
    const [counted, logged] = queries.map((sql) => db.prepare(sql).raw().all());
    assert.deepEqual(counted, logged, table);
  }
}

/** People of every period that begins or ends beside a day with rows, compared with the logs. */
export async function assertPeople(db: Database.Database): Promise<void> {
  const { people } = totalsReader(db);
  const logged = db.prepare<[Period]>(
    `${LOGS} select count(distinct iif(login, email, null)) as loggedIn,
       count(distinct iif(view, email, null)) as viewed,
       count(distinct iif(click, email, null)) as joined
     from every where day between @from and @to`,
  );
  const days = [-1, 0, 1, 2, 3, 4, 5].map((day) => dayOf(NOON) + day);
  for (const from of days)
    for (const to of days.filter((day) => day >= from)) {
      const period = { from, to };
      assert.deepEqual(await people(period), logged.get(period), `${from} to ${to}`);
    }
}
