/** What other programs write into a store, at random, and what plain SQL over all rows says of it. */
import type Database from 'better-sqlite3';
import { openStore, type Readers } from '../../lib/store/open.ts';
import { ALL_ACTS, INVITE_SORTS } from '../../lib/store/people.ts';
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
    db.transaction(() => {
      for (let i = 0; i < rows; i += 1) insert();
    })();
  });
  return file;
}

/** Numbers and lists of a period: of everybody, or with an address of a person. */
export function readPeriod(
  { events, joins, people, totals }: Readers,
  period?: Period,
  email?: string,
) {
  const filter = { period, email };
  const idsOf = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id);
  const { invites, admins, ...activity } = totals.counts(period);
  const { logins, timelineViews, joinClicks } = (email && people.find(email)) || { ...NO_ACTS };
  return {
    events: idsOf(inPages(events.list, filter)),
    clicks: idsOf(inPages(joins.list, filter)),
    did: ALL_ACTS.map((did) =>
      inPages(people.list, { sort: 'email', order: 'asc', period, did }).map(({ email }) => email),
    ),
    ...{ activity, people: people.countActive(period ?? ALL_TIME), joins: joins.stats(filter) },
    person: { logins, timelineViews, joinClicks },
  };
}

const NO_ACTS = { logins: 0, timelineViews: 0, joinClicks: 0 };

const ACTS = `(
  select id, email, occurred_at as at, event_type = 'login' as login,
    event_type = 'timeline_view' as view, 0 as click from events
  union all select id, email, clicked_at, 0, 0, 1 from project_joins)`;

const SUMS = `ifnull(sum(login), 0) as logins, ifnull(sum(view), 0) as timelineViews,
  ifnull(sum(click), 0) as joinClicks`;

/** The same by plain SQL over all rows. */
export function expectedPeriod(
  db: Database.Database,
  period = ALL_TIME,
  email?: string,
): ReturnType<typeof readPeriod> {
  const isIn = (time: string) => `floor(${time} / ${DAY}.0) between @from and @to`;
  const own = email ? 'email = @email' : 'true';
  const list = <T>(sql: string) =>
    db
      .prepare<[object], T>(sql)
      .pluck()
      .all({ ...period, email });
  const row = <T>(sql: string) => db.prepare<[object], T>(sql).get({ ...period, email }) as T;
  const ids = (kind: string) =>
    list<number>(
      `select id from ${ACTS} where ${kind} and ${own} and ${isIn('at')} order by id desc`,
    );
  const whoDid = (kind: string) =>
    list<string>(
      `select distinct email from ${ACTS} where ${kind} and ${isIn('at')} order by email`,
    );
  const did = ['login', 'view', 'click'].map(whoDid);
  const [loggedIn = 0, viewed = 0, joined = 0] = did.map(({ length }) => length);
  return {
    ...{ events: ids('not click'), clicks: ids('click'), did },
    activity: row(`select ${SUMS} from ${ACTS} where ${isIn('at')}`),
    people: { loggedIn, viewed, joined },
    joins: row(
      `select count(*) as clicks, count(distinct email) as users,
         (select count(*) from (select min(at) as first from ${ACTS} where click and ${own}
           group by email) where ${isIn('first')}) as firstTime
       from ${ACTS} where click and ${own} and ${isIn('at')}`,
    ),
    person: row(`select ${SUMS} from ${ACTS} where email = @email`),
  };
}

/** What a connection that has counted before reads as one does that counts all rows. */
export const readOthers = ({ events, joins, people, totals }: Readers) => [
  INVITE_SORTS.map((sort) => inPages(people.list, { sort, order: 'desc', did: 'login' })),
  inPages(joins.summary, {}),
  [people.find('p1@example.com'), events.devices('p1@example.com')],
  [people.seen({ limit: 1000 }), totals.funnel(), totals.devices(), totals.firstDay()],
  totals.daily({ from: TODAY - 1, to: TODAY + 5 }),
];
