/** What other programs write into a store, at random, and what plain SQL over all rows says of it. */
import assert from 'node:assert/strict';
import type Database from 'better-sqlite3';
import { openStore, type Readers } from '../../lib/store/open.ts';
import type { InviteSearch } from '../../lib/store/people.ts';
import { ALL_TIME, dayOf, type Period } from '../../lib/store/period.ts';
import { withDatabase } from '../support/database.ts';
import { randomFrom } from '../support/random.ts';
import { inPages } from '../support/rows.ts';
import { newStoreFile } from '../support/site.ts';

const DAY = 86_400_000;
const NOON = Date.UTC(2026, 2, 2, 12);
const TODAY = dayOf(NOON);

/** Days, weeks, open periods, and days without rows. */
export const PERIODS = [
  undefined,
  ...[-1, 0, 1, 4, 9].flatMap((day) => [
    { from: TODAY + day, to: TODAY + day },
    { from: TODAY + day, to: TODAY + day + 3 },
    { from: TODAY + day, to: Infinity },
    { from: -Infinity, to: TODAY + day },
  ]),
  { from: -2, to: 1 },
  { from: -1, to: -1 },
  { from: 0, to: 0 },
];

/** A whole number below another. */
export const randomTo = (next: () => number) => (below: number) => Math.floor(next() * below);

/** What other programs do to a store, by hand. */
export function handsOn(db: Database.Database, random: (below: number) => number) {
  const event = db.prepare("insert into events values (null, ?, ?, ?, 's', ?, ?, '', ?)");
  const click = db.prepare("insert into project_joins values (null, ?, 's', ?)");
  const invite = db.prepare('replace into invites values (?, ?, ?, ?, ?)');
  const email = () => `p${random(9)}@example.com`;
  // Mostly within five days, in any order, as if clocks jumped; also before 1970 and after 9999.
  const at = () =>
    random(30) > 0 ? NOON + random(5) * DAY + random(3) * 1000 : (random(7) - 3) * 1.5e14 - 1;
  const log = () => (random(2) ? 'events' : 'project_joins');
  const insert = () => {
    if (random(4) === 0) click.run(email(), at());
    else if (random(3) === 0) event.run('login', email(), at(), `d${random(3)}`, 'x', null);
    else event.run('timeline_view', email(), at(), `d${random(3)}`, `${random(2)}`, '{}');
  };
  const list = [
    ...Array.from({ length: 12 }, () => insert),
    () => db.exec(`delete from ${log()} where id in (select max(id) from events)`),
    () => db.exec(`delete from ${log()} where id % 7 = ${random(7)} and id % 3 = ${random(3)}`),
    () => db.exec(`delete from ${log()} where email = '${email()}' limit ${1 + random(5)}`),
    () => db.exec(`delete from events where occurred_at / ${DAY} = ${TODAY + random(5)}`),
    () => random(9) || db.exec(`delete from ${log()}; delete from sqlite_sequence`),
    () => invite.run(email(), ['Ada', 'bo', null][random(3)], `cli${random(2)}`, at(), random(2)),
    () => db.prepare('delete from invites where email = ?').run(email()),
  ];
  return { insert, any: () => list[random(list.length)]?.() };
}

/** A new store with rows that are not counted. */
export function newFilledStore(seed: number, rows = 1200): string {
  const file = newStoreFile();
  openStore(file).close();
  withDatabase(file, (db) => {
    const { insert } = handsOn(db, randomTo(randomFrom(seed)));
    db.exec('begin');
    for (let i = 0; i < rows; i += 1) insert();
    db.exec('commit');
  });
  return file;
}

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
        sum(view) as timelineViews, sum(click) as joinClicks, max(at) as lastSeenAt,
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
const DAY_OF_ROW = `cast(floor(at / ${DAY}.0) as integer)`;

/** The events of a filter, and clicks. */
const EVENT_IDS = `select id from events where ${isIn('occurred_at')}
  and email = ifnull(@email, email) and event_type = ifnull(@type, event_type) order by id desc`;
const CLICKS = `select id, rows.email, first_name as firstName, session_id as session, at as clickedAt
  from rows join project_joins using (id) left join invites on invites.email = rows.email
  where click and rows.email = ifnull(@email, rows.email) and ${isIn('at')} order by id desc`;

/** Compares on a connection of its own, which only reads. */
export function comparison(db: Database.Database) {
  db.exec(VIEWS);
  type Row = Readonly<Record<string, unknown>>;
  const all = (sql: string, parameters: object) => db.prepare<[object], Row>(sql).all(parameters);

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
    assert.deepEqual(inPages(people.list, search), expected, JSON.stringify(search));
    assert.equal(people.list({ ...search, limit: 1 }).total, expected.length);
    if (did && period && !text && !statuses) {
      const name = { login: 'loggedIn', view: 'viewed', join: 'joined' } as const;
      assert.equal(expected.length, people.count(period)[name[did]]);
    }
  }

  /** The other numbers and lists of a period and, with an address, of a person. */
  function assertPeriod(readers: Readers, period?: Period, email?: string): void {
    const { events, joins, people, totals } = readers;
    const within = period ?? ALL_TIME;
    const filter = { period, email };
    const compare = (found: unknown, sql: string, type: string | null = null) => {
      const expected = all(sql, { ...within, email, type });
      assert.deepEqual(found, expected, JSON.stringify([filter, sql]));
    };
    const OF_PERSON = 'email = ifnull(@email, email)';
    for (const type of [undefined, 'login', 'timeline_view'] as const) {
      const found = inPages(events.list, { ...filter, type });
      compare(
        found.map(({ id }) => ({ id })),
        EVENT_IDS,
        type,
      );
    }
    compare(inPages(joins.clicks, filter), CLICKS);
    compare(
      inPages(joins.summary, filter),
      `select email, firstName, joinClicks as clicks, firstJoinAt as firstAt, lastJoinAt as lastAt
       from everybody where ${OF_PERSON} and ${isIn('firstJoinAt')} order by lastAt desc, email desc`,
    );
    compare(
      [joins.stats(filter)],
      `select ifnull(sum(click), 0) as clicks, count(distinct iif(click, email, null)) as users,
         (select count(*) from everybody where ${OF_PERSON} and ${isIn('firstJoinAt')}) as firstTime
       from rows where ${OF_PERSON} and ${isIn('at')}`,
    );
    if (email !== undefined) {
      const { isAdmin, ...person } = people.find(email) ?? {};
      compare(
        isAdmin === undefined ? [] : [{ ...person, isAdmin: Number(isAdmin) }],
        `select ${LISTED}, firstJoinAt, lastJoinAt from everybody where email = @email`,
      );
      compare(
        events.devices(email),
        `select device_type as deviceType, os, browser, count(*) as count, max(occurred_at) as lastAt
         from (select * from events where email = @email order by id desc limit 100)
         group by 1, 2, 3 order by count desc, lastAt desc`,
      );
      return;
    }
    compare(
      [totals.counts(period)],
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
      people.seen({ period, limit: 1000 }).rows,
      `select email, sum(login) as logins, sum(view) as timelineViews, max(at) as lastSeenAt
       from rows where ${isIn('at')} group by email having sum(login + view) > 0
       order by lastSeenAt desc, email`,
    );
    if (Number.isFinite(within.to - within.from))
      compare(
        totals.daily(within),
        `with recursive each (day) as (select @from union all select day + 1 from each where day < @to)
         select date(day * 86400, 'unixepoch') as day, ${SUMS}
         from each left join rows on ${DAY_OF_ROW} = day group by each.day order by each.day`,
      );
    if (period) return;
    compare(
      [{ day: totals.firstDay() ?? null }],
      `select min(${DAY_OF_ROW}) as day from rows
       where at >= -62167219200000 and at < 253402300800000`,
    );
    compare(
      [totals.funnel()],
      `select count(*) as invited, count(*) filter (where step >= 1) as loggedIn,
         count(*) filter (where step >= 2) as viewed, count(*) filter (where step = 3) as joined
       from everybody where invitedAt is not null`,
    );
    const { devices, os, browsers } = totals.devices();
    for (const [found, column] of [
      [devices, 'device_type'],
      [os, 'os'],
      [browsers, 'browser'],
    ] as const)
      compare(
        found,
        `select ${column} as name, count(*) as count from events where ${column} <> ''
         group by 1 order by 2 desc, 1`,
      );
  }

  return { assertInvites, assertPeriod };
}
