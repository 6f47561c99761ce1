/** What the readers give, compared with plain SQL over all rows of the logs. */
import assert from 'node:assert/strict';
import type Database from 'better-sqlite3';
import type { Readers } from '../../lib/store/open.ts';
import type { PageQuery } from '../../lib/store/paging.ts';
import type { InviteSearch } from '../../lib/store/people.ts';
import { ALL_TIME, type Period } from '../../lib/store/period.ts';
import { inPages } from '../support/rows.ts';

export const DAY = 86_400_000;

/** `step` is the furthest one of a person. */
const VIEWS = `
  create temp view rows (log, id, email, at, login, view, click) as
    select 'e', id, email, occurred_at, event_type = 'login', event_type <> 'login', 0 from events
    union all select 'j', id, email, clicked_at, 0, 0, 1 from project_joins;
  create temp view everybody as
    select *, iif(invitedAt is null, null, json_array('pending', 'logged_in', 'viewed', 'joined')
      ->> step) as status
    from (select email, first_name as firstName, ifnull(is_admin, 0) as isAdmin,
        invited_by as invitedBy, invited_at as invitedAt, sum(login) as logins,
        sum(view) as timelineViews, sum(click) as joinClicks,
        max(at) as lastSeenAt,
        min(at) filter (where click) as firstJoinAt, max(at) filter (where click) as lastJoinAt,
        case when sum(click) then 3 when sum(view) then 2 else sum(login) > 0 end as step
      from (select email, null as at, 0 as login, 0 as view, 0 as click from invites
        union all select email, at, login, view, click from rows)
      left join invites using (email) group by email)`;

/** Whether a time is in the period. */
const isIn = (time: string) => `${time} >= @from * ${DAY} and ${time} < (@to + 1) * ${DAY}`;

const SUMS = `ifnull(sum(login), 0) as logins, ifnull(sum(view), 0) as timelineViews,
  ifnull(sum(click), 0) as joinClicks`;

/** The columns of the invite list, and their order. */
const LISTED = `email, firstName, isAdmin, invitedBy, invitedAt, status, logins, timelineViews,
  joinClicks, lastSeenAt`;
const SORTS: Readonly<Record<string, string>> = {
  firstName: "lower(ifnull(firstName, ''))",
  status: 'iif(invitedAt is null, -1, step)',
};
const DONE = { login: 'login', view: 'view', join: 'click' } as const;

/** Days since 1970, rounded down. */
const dayOf = (time: string) => `cast(floor(${time} / ${DAY}.0) as integer)`;

export type Filter = { readonly period?: Period | undefined; readonly email: string };

/** Compares on a connection of its own, which only reads. */
export function comparison(db: Database.Database) {
  db.exec(VIEWS);
  type Row = Readonly<Record<string, unknown>>;
  const all = (sql: string, parameters: object) => db.prepare<[object], Row>(sql).all(parameters);
  const ids = (sql: string, parameters: object) => all(sql, parameters).map(({ id }) => id);

  /** The invite list by this search. */
  function assertInvites({ people }: Readers, search: InviteSearch): void {
    const { sort, order, text, statuses, did, period } = search;
    const conditions = [
      did
        ? `email in (select email from rows where ${DONE[did]} and ${isIn('at')})`
        : `invitedAt is not null and ${isIn('invitedAt')}`,
      statuses && 'status in (select value from json_each(@statuses))',
      text && "(instr(email, @text) or instr(lower(ifnull(firstName, '')), @text))",
    ];
    const expected = all(
      `select ${LISTED} from everybody where ${conditions.filter(Boolean).join(' and ')}
       order by ${SORTS[sort] ?? sort} ${order}, email ${sort === 'invitedAt' ? order : 'asc'}`,
      { ...ALL_TIME, ...period, text, statuses: JSON.stringify(statuses) },
    ).map((row) => ({ ...row, isAdmin: row.isAdmin === 1 }));
    const found = inPages((query: PageQuery) => people.list({ ...search, ...query }), {});
    assert.deepEqual(found, expected, JSON.stringify(search));
    assert.deepEqual(people.findListed(search, people.search(search)), expected);
    const { total } = people.list({ ...search, limit: 1 });
    assert.equal(total, expected.length);
    if (did && period && !text && !statuses) {
      const reached = people.count(period);
      const name = { login: 'loggedIn', view: 'viewed', join: 'joined' } as const;
      assert.equal(total, reached[name[did]]);
    }
  }

  /** All other numbers and lists of a period. */
  function assertPeriod({ events, joins, people, totals }: Readers, period?: Period): void {
    const within = period ?? ALL_TIME;
    const compare = (found: unknown, sql: string) =>
      assert.deepEqual(found, all(sql, within), JSON.stringify([period, sql]));
    const filter = period && { period };
    compare([totals.activity(within)], `select ${SUMS} from rows where ${isIn('at')}`);
    compare(
      [totals.counts(within)],
      `select (select count(*) from invites) as invites, ${SUMS},
         (select count(*) from invites where is_admin) as admins from rows where ${isIn('at')}`,
    );
    compare(
      [people.count(within)],
      `select count(distinct iif(login, email, null)) as loggedIn,
         count(distinct iif(view, email, null)) as viewed,
         count(distinct iif(click, email, null)) as joined from rows where ${isIn('at')}`,
    );
    compare(
      people.seen(period),
      `select email, sum(login) as logins, sum(view) as timelineViews, max(at) as lastSeenAt
       from rows where ${isIn('at')} group by email having sum(login + view) > 0
       order by lastSeenAt desc, email`,
    );
    compare(
      inPages(joins.summary, { ...filter }),
      `select email, firstName, joinClicks as clicks, firstJoinAt as firstAt, lastJoinAt as lastAt
       from everybody where ${isIn('firstJoinAt')} order by lastAt desc, email desc`,
    );
    compare(
      inPages(joins.clicks, { ...filter }),
      `select id, rows.email, first_name as firstName, session_id as session, at as clickedAt
       from rows join project_joins using (id) left join invites on invites.email = rows.email
       where click and ${isIn('at')} order by id desc`,
    );
    for (const type of [undefined, 'login', 'timeline_view'] as const)
      assert.deepEqual(
        inPages(events.list, { type, period }).map(({ id }) => id),
        ids(
          `select id from events where ${isIn('occurred_at')}
           and event_type = ifnull(@type, event_type) order by id desc`,
          { ...within, type },
        ),
      );
    compare(
      [joins.stats({ ...filter })],
      `select ifnull(sum(click), 0) as clicks, count(distinct iif(click, email, null)) as users,
         (select count(*) from everybody where ${isIn('firstJoinAt')}) as firstTime
       from rows where ${isIn('at')}`,
    );
    if (!Number.isFinite(within.from) || !Number.isFinite(within.to)) return;
    compare(
      totals.daily(within),
      `with recursive each (day) as (select @from union all select day + 1 from each where day < @to)
       select date(day * 86400, 'unixepoch') as day, ${SUMS}
       from each left join rows on ${dayOf('at')} = day group by each.day order by each.day`,
    );
  }

  /** What all time has, and no period. */
  function assertTotals({ totals }: Readers): void {
    const first = `select min(${dayOf('at')}) as day from rows
      where at >= -62167219200000 and at < 253402300800000`;
    assert.equal(totals.firstDay() ?? null, all(first, {})[0]?.day);
    const [funnel] = all(
      `select count(*) as invited, count(*) filter (where step >= 1) as loggedIn,
         count(*) filter (where step >= 2) as viewed, count(*) filter (where step = 3) as joined
       from everybody where invitedAt is not null`,
      {},
    );
    assert.deepEqual(totals.funnel(), funnel);
    const found = totals.devices();
    for (const [list, column] of [
      [found.devices, 'device_type'],
      [found.os, 'os'],
      [found.browsers, 'browser'],
    ] as const)
      assert.deepEqual(
        list,
        all(
          `select ${column} as name, count(*) as count from events where ${column} <> ''
           group by 1 order by 2 desc, 1`,
          {},
        ),
      );
  }

  /** The numbers and lists of one person. */
  function assertPerson({ events, joins, people }: Readers, { email, period }: Filter): void {
    const parameters = { ...ALL_TIME, ...period, email };
    const [person] = all(
      `select ${LISTED}, firstJoinAt, lastJoinAt from everybody where email = @email`,
      parameters,
    );
    assert.deepEqual(people.find(email), person && { ...person, isAdmin: person.isAdmin === 1 });
    for (const type of [undefined, 'login'] as const) {
      const expected = ids(
        `select id from events where email = @email and ${isIn('occurred_at')}
         and event_type = ifnull(@type, event_type) order by id desc`,
        { ...parameters, type },
      );
      const found = inPages(events.list, { email, period, type });
      assert.deepEqual(
        found.map(({ id }) => id),
        expected,
      );
    }
    assert.deepEqual(
      inPages(joins.clicks, { email, period }).map(({ id }) => id),
      ids(
        `select id from rows where click and email = @email and ${isIn('at')} order by id desc`,
        parameters,
      ),
    );
    const [stats] = all(
      `select ifnull(sum(click), 0) as clicks, ifnull(max(click), 0) as users,
         (select count(*) from everybody where email = @email and ${isIn('firstJoinAt')})
           as firstTime
       from rows where email = @email and ${isIn('at')}`,
      parameters,
    );
    assert.deepEqual(joins.stats({ email, period }), stats);
    const devices = all(
      `select device_type as deviceType, os, browser, count(*) as count, max(occurred_at) as lastAt
       from (select * from events where email = @email order by id desc limit 100) group by 1, 2, 3`,
      parameters,
    );
    assert.deepEqual(new Set(events.devices(email)), new Set(devices));
  }

  return { assertInvites, assertPeriod, assertTotals, assertPerson };
}
