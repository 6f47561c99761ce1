/** The counts, compared with plain SQL, whatever happens to the store and to counted.db. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { ALL_ACTS } from '../../lib/store/acts.ts';
import { connectToCounts, countsFile, logCounter } from '../../lib/store/counting.ts';
import { StoreUnavailable } from '../../lib/store/errors.ts';
import {
  openServerStore,
  openStore,
  type Readers,
  type ServerStore,
} from '../../lib/store/open.ts';
import { INVITE_SORTS, STATUSES } from '../../lib/store/people.ts';
import { lockStore, queryOne, scribble, withDatabase } from '../support/database.ts';
import { storeAt } from '../support/installation.ts';
import { randomFrom } from '../support/random.ts';
import { recordJoin } from '../support/rows.ts';
import { newStoreFile } from '../support/site.ts';
import { handsOn, newFilledStore, PERIODS, randomTo } from './by-hand.ts';
import { comparison } from './counted.ts';

const SIDES = ['', '-wal', '-shm'];
const PRESS = "insert into project_joins values (null, 'ada@example.com', 's', 1)";

/** What happens to counted.db. */
const ACCIDENTS = {
  removed: (file) => {
    for (const side of SIDES) fs.rmSync(file + side, { force: true });
  },
  'without its WAL': (file) => fs.rmSync(`${file}-wal`, { force: true }),
  truncated: (file) => fs.truncateSync(file, Math.floor(fs.statSync(file).size / 2)),
  'truncated to nothing': (file) => fs.truncateSync(file),
  garbage: (file) => {
    ACCIDENTS.removed(file);
    fs.writeFileSync(file, 'nonsense'.repeat(2000));
  },
  'garbage in the middle': (file) => scribble(file, 8192, 4096),
  "another store's": (file) => {
    const other = newFilledStore(99);
    openStore(other).read(() => undefined, ignore);
    ACCIDENTS.removed(file);
    fs.copyFileSync(countsFile(other), file);
  },
  'of another version': (file) => withDatabase(file, (db) => db.pragma('user_version = 5')),
  'another SQLite file': (file) => {
    ACCIDENTS.removed(file);
    withDatabase(file, (db) => db.exec('create table "a ""b" (c); create table bookmark (d)'));
  },
} as const satisfies Readonly<Record<string, (file: string) => void>>;

const ignore = () => undefined;

/** Compares some numbers and lists at random; with each call, by the next sort. */
function comparer(t: TestContext, file: string, random: (below: number) => number) {
  const db = new Database(file);
  t.after(() => db.close());
  const { assertInvites, assertPeriod, assertPerson, assertTotals } = comparison(db);
  const oneOf = <T>(list: readonly T[]) => list[random(list.length)];
  let calls = 0;
  return (readers: Readers): void => {
    calls += 1;
    const sort = INVITE_SORTS[calls % INVITE_SORTS.length] ?? 'email';
    assertTotals(readers);
    assertPeriod(readers, oneOf(PERIODS));
    assertPerson(readers, { email: `p${random(10)}@example.com`, period: oneOf(PERIODS) });
    assertInvites(readers, {
      sort,
      order: oneOf(['asc', 'desc'] as const) ?? 'asc',
      text: oneOf([undefined, undefined, 'a', 'p3', '@']),
      statuses: oneOf([undefined, ...STATUSES.map((status) => [status]), STATUSES.slice(2)]),
      did: oneOf([undefined, undefined, ...ALL_ACTS]),
      period: oneOf(PERIODS),
      ...(random(5) === 0 && { admins: true }),
    });
    assertInvites(readers, { sort, order: 'asc', did: oneOf(ALL_ACTS), period: oneOf(PERIODS) });
  };
}

/** Inserts logins of so many people with these ids, a ms apart. Creates a missing store. */
function fillByHand(file: string, from: number, to: number, people: number): void {
  openStore(file).close();
  withDatabase(file, (db) =>
    db.exec(`with recursive ids (id) as (select ${from} union all select id + 1 from ids where id < ${to})
      insert into events select id, 'login', format('p%d@example.com', id % ${people}), id, 's',
        'd', 'o', 'b', null from ids`),
  );
}

/** Reads in the server. */
const readIn = (server: ServerStore, job: (readers: Readers) => void): Promise<void> =>
  server.read(function* (readers) {
    yield;
    job(readers);
  });

it('every number and list is that of plain SQL, whatever happens to the store and the counts', async (t) => {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
  console.log(`seed ${seed}`);
  t.mock.method(console, 'error', ignore);
  const random = randomTo(randomFrom(seed));
  const file = newStoreFile();
  let [server, tool] = [openServerStore(file), openStore(file)];
  const db = new Database(file);
  db.exec('create temp view rows as select id from events union all select id from project_joins');
  const { any, insert } = handsOn(db, random);
  const assertExact = comparer(t, file, random);
  const accidents = Object.values(ACCIDENTS);
  for (let round = 0; round < 150; round += 1) {
    for (let n = random(40); n >= 0; n -= 1) any();
    if (random(5) === 0) {
      // Below the bookmark, as docs/operations.md says.
      const gap = 'select id + 1 from rows where id + 1 not in (select id from rows)';
      insert(db.prepare<[], number>(`${gap} order by random() limit 1`).pluck().get());
      db.exec('update doubt set number = random()');
    }
    if (random(5) === 0) {
      await server.close();
      tool.close();
      if (random(2) && fs.existsSync(countsFile(file)))
        accidents[random(accidents.length)]?.(countsFile(file));
      [server, tool] = [openServerStore(file), openStore(file)];
      await readIn(server, assertExact);
    }
    if (random(2)) tool.read(assertExact, ignore);
    else await readIn(server, assertExact);
  }
  await server.close();
  tool.close();
  db.close();
});

for (const [what, cause] of Object.entries(ACCIDENTS))
  it(`under a running server, counts ${what} become exact again`, async (t) => {
    t.mock.method(console, 'error', ignore);
    const file = newFilledStore(2);
    const assertExact = comparer(t, file, randomTo(randomFrom(3)));
    const server = openServerStore(file);
    await readIn(server, assertExact);
    cause(countsFile(file));
    for (let round = 0; round < 3; round += 1) {
      withDatabase(file, (db) => db.exec(`${PRESS}; ${PRESS}`));
      await readIn(server, assertExact);
    }
    await server.close();
    storeAt(file).read(assertExact);
  });

it('a step that fails for lack of space leaves the counts as they were', (t) => {
  const file = newStoreFile();
  fillByHand(file, 1, 4000, 2000);
  const db = connectToCounts(file, 0, (opened) => opened);
  const { making, step } = logCounter(db);
  const size = Number(db.pragma('main.page_count', { simple: true }));
  db.pragma(`main.max_page_count = ${size + 2}`);
  assert.throws(() => {
    while (making() === undefined) step(1);
  }, /full/);
  const sums = '(select sum(logins) from days), (select sum(logins) from people)';
  const found = db.prepare<[], number[]>(`select events, ${sums} from bookmark`).raw().get();
  assert.equal(new Set(found).size, 1, String(found));
  db.pragma('main.max_page_count = 100000');
  step(1);
  db.close();
  storeAt(file).read(comparer(t, file, randomTo(randomFrom(7))));
});

it('while another program locks the store, numbers are exact; counted.db, without the last rows', async (t) => {
  const file = newFilledStore(8);
  const assertExact = comparer(t, file, randomTo(randomFrom(9)));
  const server = openServerStore(file);
  const unlock = lockStore(file);
  await readIn(server, assertExact);
  storeAt(file).read(assertExact);
  unlock();
  const clicks = async () => {
    let found = 0;
    await readIn(server, ({ totals }) => {
      found = totals.counts().joinClicks;
    });
    return found;
  };
  const before = await clicks();
  const unlockCounts = lockStore(countsFile(file));
  withDatabase(file, (db) => db.exec(PRESS));
  assert.equal(await clicks(), before);
  unlockCounts();
  assert.equal(await clicks(), before + 1);
  await server.close();
});

it('a read is refused after 5 s of counting, or of a lock without any counts', async (t) => {
  const file = newFilledStore(10);
  const server = openServerStore(file);
  let now = 0;
  const { mock } = t.mock.method(performance, 'now', () => (now += 1000));
  await assert.rejects(readIn(server, ignore), StoreUnavailable);
  const unlock = lockStore(countsFile(file));
  await assert.rejects(readIn(server, ignore), StoreUnavailable);
  unlock();
  mock.restore();
  await readIn(server, comparer(t, file, randomTo(randomFrom(11))));
  await server.close();
});

it('a count ends although rows come as quickly as its first steps count them', async (t) => {
  const file = newFilledStore(12, 1);
  const server = openServerStore(file);
  await readIn(server, ignore);
  fillByHand(file, 100, 1300, 9);
  const db = new Database(file);
  // By this clock, the fewest rows take 2.5 ms.
  let now = 0;
  t.mock.method(performance, 'now', () => (now += 2.5));
  const pressing = (async () => {
    for (let turn = 0; turn < 50; turn += 1) {
      db.exec(`pragma synchronous = off; begin; ${`${PRESS};`.repeat(120)} commit`);
      await setImmediate();
    }
  })();
  const count = readIn(server, ignore).then(() => 'first');
  assert.equal(await Promise.race([count, pressing]), 'first');
  await pressing;
  await server.close();
  db.close();
});

it('the server counts after a second although nobody reads', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const file = newFilledStore(13, 1);
  const store = openServerStore(file);
  await store.write((writer) => recordJoin(writer, 'ada@example.com', 1));
  assert.ok(!fs.existsSync(countsFile(file)));
  t.mock.timers.tick(1000);
  const counted = () => queryOne(countsFile(file), 'select sum(join_clicks) from days');
  const clicks = queryOne(file, 'select count(*) from project_joins');
  while (!fs.existsSync(countsFile(file)) || counted() !== clicks) await setImmediate();
  await store.close();
});

it('a long day of a person is read in slices', () => {
  const file = newStoreFile();
  fillByHand(file, 21, 45_000, 3);
  const email = 'p1@example.com';
  const found = storeAt(file).read(({ events }) => [...events.rows({ email })]);
  const ids = found.flatMap((row) => row?.id ?? []);
  assert.deepEqual(
    ids,
    Array.from({ length: 14_993 }, (_, i) => 44_998 - 3 * i),
  );
  assert.ok(found.includes(undefined), 'a slice ended');
});
