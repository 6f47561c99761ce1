/** The counted tables, compared with plain SQL over the logs, whatever happens in between. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { connectToStore } from '../../lib/store/connect.ts';
import { logCounter } from '../../lib/store/counting.ts';
import { applyMigrations } from '../../lib/store/migrate.ts';
import { openServerStore, openStore, type Store } from '../../lib/store/open.ts';
import { lockStore } from '../support/lock.ts';
import { makeOldStore } from '../support/old-store.ts';
import { randomFrom } from '../support/random.ts';
import { recordJoin } from '../support/rows.ts';
import { newStoreFile } from '../support/site.ts';
import { assertExact, assertPeople, DAY, NOON } from './counted.ts';

/** What other programs do to a store, by hand. */
function handsOn(db: Database.Database, next: () => number) {
  const random = (below: number) => Math.floor(next() * below);
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
  const [insert] = handsOn(db, randomFrom(1));
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
  const next = randomFrom(seed);
  const hands = handsOn(other, next);
  const { step } = logCounter(db);
  for (let i = 0; i < 3000; i += 1) {
    hands[Math.floor(next() * hands.length)]?.();
    if (next() < 1 / 6) step();
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
  const next = randomFrom(2);
  const hands = handsOn(old, next);
  for (let i = 0; i < 2000; i += 1) hands[Math.floor(next() * hands.length)]?.();
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
  await server.updateTotals();
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
  await server.updateTotals();
  const tool = openStore(file);
  assert.deepEqual([clicksIn(server), clicksIn(tool)], [0, 0]);
  unlock();
  await server.updateTotals();
  assert.ok(clicksIn(tool) > 0);
  tool.close();
  await server.close();
});

it('a count ends although rows come as quickly as its first steps count them', async (t) => {
  const file = newStoreFile();
  const db = filled(file);
  const server = openServerStore(file);
  // By this clock, the fewest rows take 2.5 ms.
  let now = 0;
  t.mock.method(performance, 'now', () => (now += 2.5));
  const pressing = (async () => {
    for (let turn = 0; turn < 50; turn += 1) {
      db.exec(`pragma synchronous = off; begin; ${`${PRESS};`.repeat(120)} commit`);
      await setImmediate();
    }
  })();
  const count = server.updateTotals().then(() => 'first');
  assert.equal(await Promise.race([count, pressing]), 'first');
  await pressing;
  await server.close();
  db.close();
});

it('the server counts many rows although nobody reads a total', async () => {
  const store = openServerStore(newStoreFile());
  const press = () => store.write((writer) => recordJoin(writer, 'ada@example.com', 1));
  await Promise.all(Array.from({ length: 2000 }, press));
  while (clicksIn(store) < 2000) await setImmediate();
  await store.close();
});
