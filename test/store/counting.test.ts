/** Every number and list of the readers, compared with plain SQL, whatever happens to the store. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { it } from 'node:test';
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
import { comparison, handsOn, newFilledStore, PERIODS, randomTo } from './counted.ts';

const PRESS = "insert into project_joins values (null, 'ada@example.com', 's', 1)";

it('every list of a store is that of plain SQL, for each sort, status, search and period', () => {
  const file = newFilledStore(20, 150);
  withDatabase(file, (db) => {
    const { any } = handsOn(db, randomTo(randomFrom(21)));
    for (let i = 0; i < 100; i += 1) any();
    const { assertInvites, assertPeriod } = comparison(db);
    storeAt(file).read((readers) => {
      for (const sort of INVITE_SORTS)
        for (const order of ['asc', 'desc'] as const)
          for (const statuses of [undefined, ...STATUSES.map((status) => [status]), STATUSES])
            for (const text of [undefined, 'a', 'p3', '@example', '"', '%'])
              assertInvites(readers, { sort, order, statuses, text });
      for (const period of PERIODS) {
        for (const email of [undefined, 'p1@example.com', 'p10@example.com'])
          assertPeriod(readers, period, email);
        for (const did of [undefined, ...ALL_ACTS])
          assertInvites(readers, { sort: 'email', order: 'asc', did, period });
      }
    });
  });
});

/** Compares some numbers and lists at random. */
function comparer(file: string, seed = 3): (readers: Readers) => void {
  const random = randomTo(randomFrom(seed));
  const oneOf = <T>(list: readonly T[]) => list[random(list.length)];
  return (readers) =>
    withDatabase(file, (db) => {
      const { assertInvites, assertPeriod } = comparison(db);
      assertPeriod(readers);
      assertPeriod(readers, oneOf(PERIODS), oneOf([undefined, `p${random(10)}@example.com`]));
      const sort = oneOf(INVITE_SORTS) ?? 'email';
      assertInvites(readers, { sort, order: 'asc', did: oneOf(ALL_ACTS), period: oneOf(PERIODS) });
    });
}

it('every number and list is that of plain SQL, whatever happens to the store', async () => {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
  console.log(`seed ${seed}`);
  const random = randomTo(randomFrom(seed));
  const file = newStoreFile();
  const assertExact = comparer(file, seed);
  let server = openServerStore(file);
  for (let round = 0; round < 150; round += 1) {
    withDatabase(file, (db) => {
      const { any } = handsOn(db, random);
      for (let n = random(40); n >= 0; n -= 1) any();
    });
    if (random(9) === 0) {
      const emails = [random(9), random(9)].map((i) => `p${i}@example.com`);
      storeAt(file).withStore(({ transaction }) => transaction(({ erase }) => erase(emails)));
    }
    if (random(5) === 0) {
      await server.close();
      if (random(2)) {
        const { file: snapshot } = takeSnapshot(file);
        withDatabase(file, (db) => db.exec(PRESS));
        restoreSnapshot(file, snapshot);
      }
      server = openServerStore(file);
    }
    if (random(2)) storeAt(file).read(assertExact);
    else await server.read(assertExact);
  }
  await server.close();
});

it('a read that fails counts no row twice, and a lock of another program delays none', async () => {
  const file = newFilledStore(2);
  const assertExact = comparer(file);
  const server = openServerStore(file);
  await server.read(assertExact);
  withDatabase(file, (db) => db.exec(`${PRESS}; ${PRESS}`));
  const fails = () => {
    throw new Error('a fault of the read');
  };
  await assert.rejects(server.read(fails), /a fault of the read/);
  const unlock = lockStore(file);
  await server.read(assertExact);
  unlock();
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
    storeAt(file).read(comparer(file));
  });

it('a row inserted by hand below the last counted id is found by the next start', async () => {
  const file = newStoreFile();
  openStore(file).close();
  const insert = (id: number) =>
    `insert into events values (${id}, 'login', 'p1@example.com', 1, 's', 'd', 'o', 'b', null)`;
  withDatabase(file, (db) => db.exec(`${insert(-7)}; ${insert(9)}`));
  const server = openServerStore(file);
  await server.read(comparer(file));
  withDatabase(file, (db) => db.exec(insert(5)));
  await server.close();
  storeAt(file).read(comparer(file));
});
