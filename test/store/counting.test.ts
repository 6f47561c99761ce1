/** Every number and list of the readers is that of plain SQL, whatever happens to the store. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { StoreUnavailable } from '../../lib/store/errors.ts';
import { openServerStore, type Readers } from '../../lib/store/open.ts';
import { restoreSnapshot } from '../../lib/store/restore.ts';
import { takeSnapshot } from '../../lib/store/snapshots.ts';
import { damagePage, lockStore, withDatabase } from '../support/database.ts';
import { storeAt } from '../support/installation.ts';
import { randomFrom } from '../support/random.ts';
import { addInvite } from '../support/rows.ts';
import { newStoreFile } from '../support/site.ts';
import * as counted from './counted.ts';

const PRESS = "insert into project_joins values (null, 'ada@example.com', 's', 1)";

/** Asserts that readers read what is in the store, in some periods, of everybody and of a person. */
const exactly =
  (file: string, periods = counted.PERIODS) =>
  (readers: Readers): void => {
    assert.deepEqual(counted.readOthers(readers), storeAt(file).read(counted.readOthers));
    withDatabase(file, (db) => {
      for (const period of periods)
        for (const email of [undefined, 'p1@example.com', 'p10@example.com'])
          assert.deepEqual(
            counted.readPeriod(readers, period, email),
            counted.expectedPeriod(db, period, email),
            JSON.stringify({ period, email }),
          );
    });
  };

it('every number and list is that of plain SQL, whatever happens to the store', async () => {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
  console.log(`seed ${seed}`);
  const random = counted.randomTo(randomFrom(seed));
  const file = newStoreFile();
  let server = openServerStore(file);
  for (let round = 0; round < 150; round += 1) {
    withDatabase(file, (db) => {
      const { any } = counted.handsOn(db, random);
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
    const some = counted.PERIODS.filter(() => random(9) === 0);
    await server.read(exactly(file, round % 50 === 0 ? counted.PERIODS : some));
  }
  await server.close();
});

it('a read that fails counts no row twice, and a lock of another program delays none', async () => {
  const file = counted.newFilledStore(2);
  const server = openServerStore(file);
  await server.read(exactly(file));
  withDatabase(file, (db) => db.exec(`${PRESS}; ${PRESS}`));
  const fails = () => {
    throw new Error('a fault of the read');
  };
  await assert.rejects(server.read(fails), /a fault of the read/);
  const unlock = lockStore(file);
  await server.read(({ joins }) => assert.equal(joins.stats().users, 10));
  unlock();
  await server.read(exactly(file));
  await server.close();
});

for (const table of ['events', 'deletions'])
  it(`a damaged page of ${table} is one line at the start; visitors are served`, async (t) => {
    const file = counted.newFilledStore(4);
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
    restoreSnapshot(file, snapshot);
    storeAt(file).read(exactly(file, [undefined]));
  });
