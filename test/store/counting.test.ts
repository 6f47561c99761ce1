/** Every number and list of the readers, compared with plain SQL, whatever happens to the store. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { it, type TestContext } from 'node:test';
import Database from 'better-sqlite3';
import { StoreUnavailable } from '../../lib/store/errors.ts';
import { openServerStore, openStore, type Readers } from '../../lib/store/open.ts';
import { ALL_ACTS, INVITE_SORTS, STATUSES } from '../../lib/store/people.ts';
import { restoreSnapshot } from '../../lib/store/restore.ts';
import { takeSnapshot } from '../../lib/store/snapshots.ts';
import { damagePage, lockStore, withDatabase } from '../support/database.ts';
import { storeAt } from '../support/installation.ts';
import { randomFrom } from '../support/random.ts';
import { addInvite } from '../support/rows.ts';
import { newStoreFile } from '../support/site.ts';
import { handsOn, newFilledStore, PERIODS, randomTo } from './by-hand.ts';
import { comparison } from './counted.ts';

const PRESS = "insert into project_joins values (null, 'ada@example.com', 's', 1)";

/** Compares some numbers and lists at random; with each call, by the next sort. */
function comparer(t: TestContext, file: string, random: (below: number) => number) {
  let db = new Database(file);
  t.after(() => db.close());
  let compare = comparison(db);
  const oneOf = <T>(list: readonly T[]) => list[random(list.length)];
  let calls = 0;
  const assertExact = (readers: Readers): void => {
    const { assertInvites, assertPeriod, assertPerson, assertTotals } = compare;
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
    });
    assertInvites(readers, { sort, order: 'asc', did: oneOf(ALL_ACTS), period: oneOf(PERIODS) });
  };
  /** After the file was replaced. */
  const reopen = (): void => {
    db.close();
    db = new Database(file);
    compare = comparison(db);
  };
  return { assertExact, reopen };
}

it('every number and list is that of plain SQL, whatever happens to the store', async (t) => {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
  console.log(`seed ${seed}`);
  const random = randomTo(randomFrom(seed));
  const file = newStoreFile();
  let server = openServerStore(file);
  let byHand = new Database(file);
  let { any } = handsOn(byHand, random);
  const { assertExact, reopen } = comparer(t, file, random);
  for (let round = 0; round < 150; round += 1) {
    for (let n = random(40); n >= 0; n -= 1) any();
    if (random(9) === 0) {
      const emails = [random(9), random(9)].map((i) => `p${i}@example.com`);
      storeAt(file).withStore(({ transaction }) => transaction(({ erase }) => erase(emails)));
    }
    if (random(5) === 0) {
      await server.close();
      byHand.close();
      if (random(2)) {
        const { file: snapshot } = takeSnapshot(file);
        withDatabase(file, (db) => db.exec(PRESS));
        restoreSnapshot(file, snapshot);
      }
      server = openServerStore(file);
      byHand = new Database(file);
      ({ any } = handsOn(byHand, random));
      reopen();
    }
    if (random(2)) storeAt(file).read(assertExact);
    else await server.read(assertExact);
  }
  await server.close();
  byHand.close();
});

it('a count that fails half-way, or whose read fails, counts no row twice', async (t) => {
  const file = newFilledStore(2);
  const { assertExact } = comparer(t, file, randomTo(randomFrom(3)));
  const server = openServerStore(file);
  await server.read(assertExact);
  withDatabase(file, (db) => db.exec(`${PRESS}; ${PRESS}`));
  const fails = () => {
    throw new Error('a fault of the read');
  };
  await assert.rejects(server.read(fails), /a fault of the read/);
  await server.read(assertExact);
  await server.close();
});

/** Overwrites half a page in the middle of a table with zeros, as a lost sector. */
function loseSector(file: string): void {
  withDatabase(file, (db) => db.pragma('wal_checkpoint(truncate)'));
  const pages = "select pageno from dbstat where name = 'events' and pagetype = 'leaf' limit 1";
  const page = withDatabase(file, (db) => db.prepare<[], number>(pages).pluck().get()) ?? 0;
  const handle = fs.openSync(file, 'r+');
  fs.writeSync(handle, Buffer.alloc(2048), 0, 2048, page * 4096 - 2048);
  fs.closeSync(handle);
}

for (const [what, damage] of Object.entries({
  'with a damaged page': (file: string) => damagePage(file, 'events'),
  'of which a sector is lost': loseSector,
  'of deletions with a damaged page': (file: string) => damagePage(file, 'deletions'),
}))
  it(`a log ${what} is one line at the start; visitors are served`, async (t) => {
    const file = newFilledStore(4);
    const snapshot = takeSnapshot(file).file;
    damage(file);
    const said = t.mock.method(console, 'error', () => undefined).mock;
    const server = openServerStore(file);
    server.count();
    assert.equal(said.calls.length, 1);
    assert.match(
      said.calls[0]?.arguments[0],
      /^no numbers for administrators: the rows of .*\.db /,
    );
    await assert.rejects(
      server.read(() => undefined),
      StoreUnavailable,
    );
    await server.write((writer) => addInvite(writer, 'ada@example.com'));
    assert.ok(server.invites.find('ada@example.com'));
    await server.close();
    restoreSnapshot(file, snapshot);
    storeAt(file).read(comparer(t, file, randomTo(randomFrom(5))).assertExact);
  });

it('while another program locks the store, numbers are exact', async (t) => {
  const file = newFilledStore(8);
  const { assertExact } = comparer(t, file, randomTo(randomFrom(9)));
  const server = openServerStore(file);
  const unlock = lockStore(file);
  await server.read(assertExact);
  unlock();
  await server.close();
});

it('a row inserted by hand below the last counted id is found by the next start', async (t) => {
  const file = newStoreFile();
  openStore(file).close();
  const insert = (id: number) =>
    `insert into events values (${id}, 'login', 'p1@example.com', 1, 's', 'd', 'o', 'b', null)`;
  withDatabase(file, (db) => db.exec(`${insert(-7)}; ${insert(9)}`));
  const { assertExact } = comparer(t, file, randomTo(randomFrom(13)));
  let server = openServerStore(file);
  await server.read(assertExact);
  withDatabase(file, (db) => db.exec(insert(5)));
  await server.close();
  server = openServerStore(file);
  await server.read(assertExact);
  await server.close();
});
