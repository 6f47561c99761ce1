/**
 * Every number and list of the readers is that of plain SQL over what other programs write at
 * random.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { it } from 'node:test';
import type Database from 'better-sqlite3';
import { erasureWriter } from '../../lib/extras/erasure/personal-data.ts'; // extra: erasure
import { restoreSnapshot } from '../../lib/extras/restore/restore.ts'; // extra: restore
import type { Activity, JoinSummary } from '../../lib/records.ts';
import { StoreUnavailable } from '../../lib/store/errors.ts';
import { openServerStore, openStore } from '../../lib/store/open.ts';
import { ALL_ACTS, INVITE_SORTS } from '../../lib/store/people-search.ts';
import { ALL_TIME, dayOf, type Period } from '../../lib/store/period.ts';
import { takeSnapshot } from '../../lib/store/snapshots.ts';
import type { Readers } from '../../lib/store/tables.ts';
import { damagePage, lockStore, withDatabase } from '../support/database.ts';
import { storeAt } from '../support/installation.ts';
import { randomFrom } from '../support/random.ts';
import { addInvite, inPages } from '../support/rows.ts';
import { newStoreFile } from '../support/temporary.ts';

const DAY = 86_400_000;
const NOON = Date.UTC(2026, 2, 2, 12);
const TODAY = dayOf(NOON);

/** Days, weeks, open periods, and days without rows. */
const PERIODS = [
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
const randomTo = (next: () => number) => (below: number) => Math.floor(next() * below);

/** Changes that somebody makes with another program: inserts and deletions of any rows. */
function changesByHand(db: Database.Database, random: (below: number) => number) {
  const event = db.prepare("insert into events values (null, ?, ?, ?, 's', ?, ?, '', ?)");
  const click = db.prepare("insert into project_joins values (null, ?, 's', ?)");
  const invite = db.prepare(
    `replace into invites (email, first_name, invited_by, invited_at, is_admin)
     values (?, ?, ?, ?, ?)`,
  );
  const email = () => `p${random(9)}@example.com`;
  // Mostly within five days, in any order, as if clocks jumped; also before 1970 and after 9999.
  const at = () =>
    random(30) > 0 ? NOON + random(5) * DAY + random(3) * 1000 : (random(7) - 3) * 1.5e14 - 1;
  const log = () => (random(2) ? 'events' : 'project_joins');
  const meta = () => JSON.stringify({ view: 'mobile', forced: random(2) === 0 });
  const insert = () => {
    if (random(4) === 0) click.run(email(), at());
    else if (random(3) === 0) event.run('login', email(), at(), `d${random(3)}`, 'x', null);
    else event.run('timeline_view', email(), at(), `d${random(3)}`, `${random(2)}`, meta());
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
  return { insert, change: () => list[random(list.length)]?.() };
}

/** A new store with rows that are not counted. */
function newFilledStore(seed: number): string {
  const file = newStoreFile();
  openStore(file).close();
  withDatabase(file, (db) => {
    const { insert } = changesByHand(db, randomTo(randomFrom(seed)));
    db.transaction(() => {
      for (let i = 0; i < 1200; i += 1) insert();
    })();
  });
  return file;
}

/** Numbers and lists of a period: of everybody, or with an address of a person. */
function readPeriod({ events, joins, people, totals }: Readers, period?: Period, email?: string) {
  const filter = { period, email };
  const idsOf = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id);
  const activity = totals.activity(period ?? ALL_TIME);
  const found = email ? people.find(email) : undefined;
  const numbers = Object.keys(activity) as readonly (keyof Activity)[];
  return {
    events: idsOf(inPages(events.list, { ...filter, visits: 20 })),
    clicks: idsOf(inPages(joins.list, { ...filter, visits: 20 })),
    did: ALL_ACTS.map((did) =>
      inPages(people.list, { sort: 'email', order: 'asc', period, did }).map(({ email }) => email),
    ),
    ...{ activity, people: people.countActive(period ?? ALL_TIME), joins: joins.stats(filter) },
    summary: inPages(joins.summary, filter).map(({ firstName, ...row }) => row),
    person: Object.fromEntries(numbers.map((name) => [name, found?.[name] ?? 0])),
  };
}

const ACTS = `(
  select id, email, occurred_at as at, event_type = 'login' as login,
    event_type = 'timeline_view' as view, 0 as click from events
  union all select id, email, clicked_at, 0, 0, 1 from project_joins)`;

const SUMS = `ifnull(sum(login), 0) as logins, ifnull(sum(view), 0) as timelineViews,
  ifnull(sum(click), 0) as joinClicks`;

/** The same by plain SQL over all rows. */
function expectedPeriod(
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
    summary: db
      .prepare<[object], Omit<JoinSummary, 'firstName' | 'firstTime'> & { firstTime: 0 | 1 }>(
        `select email, count(*) as clicks, min(at) as firstAt, max(at) as lastAt,
           min(at) = (select min(at) from ${ACTS} as own where click and own.email = acts.email)
             as firstTime
         from ${ACTS} as acts where click and ${own} and ${isIn('at')}
         group by email order by lastAt desc, email desc`,
      )
      .all({ ...period, email })
      .map((row) => ({ ...row, firstTime: row.firstTime === 1 })),
    person: row(`select ${SUMS} from ${ACTS} where email = @email`),
  };
}

/** What a connection that has counted before reads as one does that counts all rows. */
const readOthers = ({ joins, people, totals }: Readers) => [
  INVITE_SORTS.map((sort) => inPages(people.list, { sort, order: 'desc', did: 'login' })),
  inPages(joins.summary, {}),
  [
    people.find('p1@example.com'),
    people.seen({ limit: 1000 }),
    totals.funnel(),
    totals.devices(),
    totals.firstDay(),
  ],
  totals.daily({ from: TODAY - 1, to: TODAY + 5 }),
];

const PRESS = "insert into project_joins values (null, 'ada@example.com', 's', 1)";

/**
 * Asserts that readers read what is in the store, in some periods, of everybody and of a person.
 */
const exactly =
  (file: string, periods = PERIODS) =>
  (readers: Readers): void => {
    assert.deepEqual(readOthers(readers), storeAt(file).read(readOthers));
    withDatabase(file, (db) => {
      for (const period of periods)
        for (const email of [undefined, 'p1@example.com', 'p10@example.com'])
          assert.deepEqual(
            readPeriod(readers, period, email),
            expectedPeriod(db, period, email),
            JSON.stringify({ period, email }),
          );
    });
  };

it('every number is that of plain SQL, whatever happens to the store', async () => {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
  console.log(`seed ${seed}`);
  const random = randomTo(randomFrom(seed));
  const file = newStoreFile();
  let server = openServerStore(file);
  for (let round = 0; round < 150; round += 1) {
    withDatabase(file, (db) => {
      const { change } = changesByHand(db, random);
      for (let n = random(40); n >= 0; n -= 1) change();
    });
    // extra: erasure
    if (random(9) === 0) {
      const emails = [random(9), random(9)].map((i) => `p${i}@example.com`);
      withDatabase(file, (db) => erasureWriter(db)(emails));
    }
    // end: erasure
    if (random(5) === 0) {
      await server.close();
      // extra: restore
      if (random(2)) {
        const { file: snapshot } = takeSnapshot(file);
        withDatabase(file, (db) => db.exec(PRESS));
        restoreSnapshot(file, snapshot);
      }
      // end: restore
      server = openServerStore(file);
    }
    const some = PERIODS.filter(() => random(9) === 0);
    await server.read(exactly(file, round % 50 === 0 ? PERIODS : some));
  }
  await server.close();
});

it('a read that fails or meets a lock counts no row twice', async () => {
  const file = newFilledStore(2);
  const server = openServerStore(file);
  await server.read(exactly(file));
  withDatabase(file, (db) => db.exec(`${PRESS}; ${PRESS}`));
  const fails = () => {
    throw new Error('a fault of the read');
  };
  await assert.rejects(server.read(fails), /a fault of the read/);
  const unlock = lockStore(file);
  await server.read(({ joins }) => assert.equal(joins.stats({}).users, 10));
  unlock();
  await server.read(exactly(file));
  await server.close();
});

for (const table of ['events', 'deletions'])
  it(`with a damaged page of ${table}, the server starts and serves visitors`, async (t) => {
    const file = newFilledStore(4);
    const snapshot = takeSnapshot(file).file;
    damagePage(file, table);
    const said = t.mock.method(console, 'error', () => undefined).mock;
    const server = openServerStore(file);
    server.countNew();
    assert.equal(said.calls.length, 1);
    const line = /^no numbers for administrators: the rows of .*\.db cannot be counted: /;
    assert.match(said.calls[0]?.arguments[0], line);
    await assert.rejects(
      server.read(() => undefined),
      StoreUnavailable,
    );
    await server.write((writer) => addInvite(writer, 'ada@example.com'));
    assert.ok(server.invites.find('ada@example.com'));
    await server.close();
    // A snapshot in the place of the store is counted from its beginning.
    fs.copyFileSync(snapshot, file);
    storeAt(file).read(exactly(file, [undefined]));
  });
