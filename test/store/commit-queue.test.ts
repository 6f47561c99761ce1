/**
 * The commit queue: jobs that share a commit, wait, or are refused. Disks and locks: test/faults.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import Database from 'better-sqlite3';
import { StoreUnavailable } from '../../lib/store/errors.ts';
import { openServerStore, type ServerStore } from '../../lib/store/open.ts';
import type { Writer } from '../../lib/store/tables.ts';
import { holdClock } from '../support/clock.ts';
import { queryOne } from '../support/database.ts';
import { recordJoin } from '../support/rows.ts';
import { newStoreFile } from '../support/temporary.ts';

const file = newStoreFile();

const click = (clickedAt: number) => (writer: Writer) => {
  recordJoin(writer, 'ada@example.com', clickedAt);
  return clickedAt;
};
/** The times of the clicks in the file. */
const written = () => queryOne(file, 'select group_concat(clicked_at) from project_joins');

it('runs its jobs in order, and rejects only the one that fails', async () => {
  const store = openServerStore(file);
  const wrong = (writer: Writer) => recordJoin(writer, 'NOT-LOWER@example.com', 2);
  const jobs = [click(1), wrong, click(3)].map((job) => store.write<unknown>(job));
  const [one, guilty, three] = await Promise.allSettled(jobs);
  assert.deepEqual(
    [one, three].map((each) => each?.status),
    ['fulfilled', 'fulfilled'],
  );
  assert.match(String(guilty?.status === 'rejected' && guilty.reason), /CHECK constraint failed/);
  assert.equal(written(), '1,3');
  assert.deepEqual(await Promise.all([store.write(click(4)), store.close()]), [4, undefined]);
  assert.equal(written(), '1,3,4');
});

/** Settles two jobs that share a transaction with one that throws. @returns how often each ran */
async function writeBeside(store: ServerStore, error: unknown) {
  let runs = 0;
  const count = () => {
    runs += 1;
  };
  const throws = () => {
    throw error;
  };
  const jobs: ((writer: Writer) => void)[] = [count, throws, count];
  const settled = await Promise.allSettled(jobs.map((job) => store.write(job)));
  const reasons = settled.map((each) => (each.status === 'rejected' ? each.reason : 'written'));
  return { runs, reasons };
}

it('after a job throws, each other job runs again in its own transaction', async () => {
  const store = openServerStore(file);
  const mistake = new TypeError('a mistake');
  const { runs, reasons } = await writeBeside(store, mistake);
  assert.deepEqual(reasons, ['written', mistake, 'written']);
  assert.equal(runs, 3, 'the first one twice, the last one once');
  await store.close();
});

const FAULTS = [
  ...['IOERR', 'IOERR_FSYNC', 'IOERR_WRITE', 'FULL', 'READONLY', 'READONLY_DBMOVED'],
  ...['CORRUPT', 'CORRUPT_INDEX', 'NOMEM', 'IOERR_NOMEM', 'CANTOPEN', 'NOTADB', 'PROTOCOL'],
];

for (const fault of FAULTS)
  it(`SQLITE_${fault} rejects all jobs of a transaction, and none runs again`, async () => {
    const store = openServerStore(file);
    const error = new Database.SqliteError('the disk', `SQLITE_${fault}`);
    const { runs, reasons } = await writeBeside(store, error);
    assert.equal(runs, 1);
    for (const reason of reasons) {
      assert.ok(reason instanceof StoreUnavailable);
      assert.equal(reason.message, `the store: the disk (SQLITE_${fault})`);
    }
    assert.equal(await store.write(click(9)), 9, 'the next job is tried');
    await store.close();
  });

it('a store fault in a job that runs alone rejects the others', async () => {
  const store = openServerStore(file);
  const mistake = new TypeError('a mistake');
  let runs = 0;
  const fail = (error: unknown) => () => {
    runs += 1;
    throw error;
  };
  const full = new Database.SqliteError('full', 'SQLITE_FULL');
  const jobs = [fail(mistake), fail(full), fail(full), fail(full)];
  const settled = await Promise.allSettled(jobs.map((job) => store.write(job)));
  const messages = settled.map((each) => each.status === 'rejected' && each.reason.message);
  const rest = 'the store: full (SQLITE_FULL)';
  assert.deepEqual(messages, ['a mistake', rest, rest, rest]);
  assert.equal(runs, 3, 'the first one twice, the second once');
  await store.close();
});

it('a job that waits 5 s without a lock is tried', async (t) => {
  const store = openServerStore(file);
  const tick = holdClock(t);
  const written = store.write(click(10));
  tick(6000);
  assert.equal(await written, 10);
  await store.close();
});
