/** The counted tables, compared with plain SQL over the logs, whatever happens in between. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { connectToStore } from '../../../lib/store/file/connect.ts';
import { applyMigrations } from '../../../lib/store/file/migrate.ts';
import { openServerStore, openStore, type Store } from '../../../lib/store/open.ts';
import { logCounter } from '../../../lib/store/rows/counting.ts';
import { dayOf, type Period } from '../../../lib/store/rows/period.ts';
import { totalsReader } from '../../../lib/store/rows/totals.ts';
import { lockStore } from '../../support/lock.ts';
import { makeOldStore } from '../../support/old-store.ts';
import { recordJoin } from '../../support/rows.ts';
import { newStoreFile } from '../../support/site.ts';

const DAY = 86_400_000;
const NOON = Date.UTC(2026, 2, 2, 12);

/** Each counted table, and what it must hold: the rows of the logs up to the bookmark. */
const LOGS = `with
  e as (select * from events join counted on log = 'events' where events.id <= through),
  j as (select * from project_joins join counted on log = 'project_joins'
    where project_joins.id <= through)`;
const TABLES: Readonly<Record<string, readonly [counted: string, logged: string]>> = {
  activity: [
    `select email, logins, timeline_views, join_clicks, last_login_day, last_view_day,
       last_join_day, last_seen_at, first_join_at, last_join_at
     from activity join people on id = person where logins + timeline_views + join_clicks > 0
     order by email`,
    `${LOGS}, every as (select email from e union select email from j)
     select email, (select count(*) from e where e.email = every.email and event_type = 'login'),
       (select count(*) from e where e.email = every.email and event_type = 'timeline_view'),
       (select count(*) from j where j.email = every.email),
       (select max(occurred_at / ${DAY}) from e
         where e.email = every.email and event_type = 'login'),
       (select max(occurred_at / ${DAY}) from e
         where e.email = every.email and event_type = 'timeline_view'),
       (select max(clicked_at / ${DAY}) from j where j.email = every.email),
       (select occurred_at from e where e.email = every.email order by e.id desc limit 1),
       (select clicked_at from j where j.email = every.email order by j.id limit 1),
       (select clicked_at from j where j.email = every.email order by j.id desc limit 1)
     from every order by email`,
  ],
  person_days: [
    `select day, email, logins, timeline_views, join_clicks, last_seen_at
     from person_days join people on id = person order by day, email`,
    `${LOGS}, every as (
       select email, occurred_at / ${DAY} as day, event_type = 'login' as login,
         event_type <> 'login' as view, 0 as click, occurred_at as seen from e
       union all select email, clicked_at / ${DAY}, 0, 0, 1, null from j)
     select day, email, sum(login), sum(view), sum(click), max(seen)
     from every group by day, email order by day, email`,
  ],
  day_totals: [
    `select day, logins, timeline_views, join_clicks from day_totals
     where logins + timeline_views + join_clicks > 0 order by day`,
    `${LOGS}, every as (
       select occurred_at / ${DAY} as day, event_type = 'login' as login,
         event_type <> 'login' as view, 0 as click from e
       union all select clicked_at / ${DAY}, 0, 0, 1 from j)
     select day, sum(login), sum(view), sum(click) from every group by day order by day`,
  ],
  'the ids of a day': [
    `select count(*) from day_totals where false`,
    `${LOGS} select count(*) from e left join day_totals on day = occurred_at / ${DAY}
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
       (select email from e union select email from j union select email from invites)
     order by email`,
  ],
  totals: [
    'select invites, admins, logged_in, viewed, joined, joiners from totals',
    `${LOGS}, i as (select email from invites)
     select (select count(*) from invites), (select count(*) from invites where is_admin = 1),
       (select count(distinct email) from e where event_type = 'login' and email in i),
       (select count(distinct email) from e where event_type <> 'login' and email in i),
       (select count(distinct email) from j where email in i),
       (select count(distinct email) from j)`,
  ],
};

function assertExact(db: Database.Database): void {
  for (const [table, queries] of Object.entries(TABLES)) {
    const [counted, logged] = queries.map((sql) => db.prepare(sql).raw().all());
    assert.deepEqual(counted, logged, table);
  }
}

/** People of every period that begins or ends beside a day with rows, compared with the logs. */
async function assertPeople(db: Database.Database): Promise<void> {
  const { people } = totalsReader(db);
  const logged = db.prepare<[Period]>(
    `${LOGS} select
       (select count(distinct email) from e
         where event_type = 'login' and occurred_at / ${DAY} between @from and @to) as loggedIn,
       (select count(distinct email) from e
         where event_type <> 'login' and occurred_at / ${DAY} between @from and @to) as viewed,
       (select count(distinct email) from j
         where clicked_at / ${DAY} between @from and @to) as joined`,
  );
  const days = [-1, 0, 1, 2, 3, 4, 5].map((day) => dayOf(NOON) + day);
  for (const from of days)
    for (const to of days.filter((day) => day >= from)) {
      const period = { from, to };
      assert.deepEqual(await people(period), logged.get(period), `${from} to ${to}`);
    }
}

/** A generator of numbers below a bound. */
function randomly(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** What other programs do to a store, by hand. */
function handsOn(db: Database.Database, random: (below: number) => number) {
  const event = db.prepare("insert into events values (null, ?, ?, ?, 's', ?, ?, '', ?)");
  const click = db.prepare("insert into project_joins values (null, ?, 's', ?)");
  const email = () => `p${random(9)}@example.com`;
  const at = () => NOON + random(5) * DAY + random(3) * 1000;
  const log = () => (random(2) ? 'events' : 'project_joins');
  const insert = () => {
    if (random(4) === 0) click.run(email(), at());
    else if (random(3) === 0) event.run('login', email(), at(), `d${random(3)}`, 'x', null);
    else event.run('timeline_view', email(), at(), `d${random(3)}`, `${random(2)}`, '{}');
  };
  return [
    ...[insert, insert, insert, insert, insert, insert],
    () => db.exec(`delete from ${log()} where id in (select max(id) from events)`),
    () => db.exec(`delete from ${log()} where id % 7 = ${random(7)} and id % 3 = ${random(3)}`),
    () => db.exec(`delete from ${log()} where email = '${email()}' limit ${1 + random(5)}`),
    () => db.prepare('replace into invites values (?, null, ?, 0, 1)').run(email(), `${random(2)}`),
    () => db.prepare('delete from invites where email = ?').run(email()),
    () => db.prepare('update invites set is_admin = 1 - is_admin where email = ?').run(email()),
  ];
}

/** A new store with rows that are not counted, and another program's connection to it. */
function filled(file = newStoreFile()): Database.Database {
  openStore(file).close();
  const db = new Database(file);
  const [insert] = handsOn(db, randomly(1));
  for (let i = 0; i < 1200; i += 1) insert?.();
  return db;
}

const PRESS = "insert into project_joins values (null, 'ada@example.com', 's', 1)";
const clicksIn = (store: Pick<Store, 'totals'>) => store.totals.counts().joinClicks;

it('the counted tables are exact after each step, through inserts and deletes by hand', async () => {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
  console.log(`seed ${seed}`);
  const file = newStoreFile();
  openStore(file).close();
  const [db, other] = [connectToStore(file, 0), new Database(file)];
  // The blocks of the lists have 16,384 ids.
  other.exec("insert into sqlite_sequence values ('events', 16000)");
  const random = randomly(seed);
  const hands = handsOn(other, random);
  const { step } = logCounter(db);
  for (let i = 0; i < 3000; i += 1) {
    hands[random(hands.length)]?.();
    if (random(6) === 0) step();
    if (i % 50 !== 0) continue;
    assertExact(db);
    await assertPeople(db);
  }
  while (step());
  assertExact(db);
  assert.equal(db.prepare('select max(id) = max(through) from events, counted').pluck().get(), 1);
  other.exec('delete from events; delete from project_joins; delete from invites');
  assertExact(db);
  assert.equal(db.prepare('select count(*) from people').pluck().get(), 0);
  db.close();
  other.close();
});

it('a migration counts what is stored; if it is interrupted, it begins again', () => {
  const file = newStoreFile();
  const old = makeOldStore(file);
  const random = randomly(2);
  const hands = handsOn(old, random);
  for (let i = 0; i < 2000; i += 1) hands[random(hands.length)]?.();
  // In the way of the migration, which has dropped the former totals by then.
  old.exec('create table person_days (day)');
  assert.throws(() => applyMigrations(old), /already exists/);
  old.exec('drop table person_days; select logins from people');
  old.close();
  openStore(file).close();
  const db = new Database(file);
  const counted = db.prepare('select through > 0 from counted').pluck().all();
  assert.deepEqual(counted, [1, 1]);
  assertExact(db);
  db.close();
});

it('a step that fails for lack of space leaves the totals as they were', () => {
  const db = filled();
  const { step } = logCounter(db);
  db.pragma(`max_page_count = ${Number(db.pragma('page_count', { simple: true }))}`);
  assert.throws(() => {
    while (step());
  }, /full/);
  assertExact(db);
  db.pragma('max_page_count = 100000');
  while (step());
  assertExact(db);
  db.close();
});

it('a log whose ids begin again by hand is counted again', () => {
  const file = newStoreFile();
  const db = filled(file);
  openStore(file).close();
  db.exec('delete from project_joins; delete from events; delete from sqlite_sequence');
  db.exec(PRESS);
  db.exec("insert into events values (null, 'login', 'a@b.c', 1, 's', 'd', 'o', 'b', null)");
  const store = openStore(file);
  const { logins, timelineViews, joinClicks } = store.totals.counts();
  assert.deepEqual([logins, timelineViews, joinClicks], [1, 0, 1]);
  store.close();
  assertExact(db);
  db.close();
});

it('a row that another program writes is in what a tool reads next, and in what the server reads', async () => {
  const file = newStoreFile();
  const db = filled(file);
  const clicks = db.prepare('select count(*) from project_joins').pluck();
  const tool = openStore(file);
  assert.equal(clicksIn(tool), clicks.get());
  tool.close();
  const server = openServerStore(file);
  db.exec(PRESS);
  await server.count();
  assert.equal(clicksIn(server), clicks.get());
  db.exec(PRESS);
  const { totals, close } = await server.beginRead();
  assert.equal(totals.counts().joinClicks, clicks.get(), 'in an export too');
  close();
  await server.close();
  db.close();
});

it('while the store is locked, the server and the tools read what is counted so far', async () => {
  const file = newStoreFile();
  filled(file).close();
  const server = openServerStore(file);
  const unlock = lockStore(file);
  await server.count();
  const tool = openStore(file);
  assert.deepEqual([clicksIn(server), clicksIn(tool)], [0, 0]);
  unlock();
  await server.count();
  assert.ok(clicksIn(tool) > 0);
  tool.close();
  await server.close();
});

it('the server counts many rows although nobody reads a total', async () => {
  const store = openServerStore(newStoreFile());
  const press = () => store.write((writer) => recordJoin(writer, 'ada@example.com', 1));
  await Promise.all(Array.from({ length: 2000 }, press));
  while (clicksIn(store) < 2000) await setImmediate();
  await store.close();
});
