/** The commit queue: jobs that share a commit, wait, or are refused. Full disks: test/faults. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openServerStore, type Writer } from '../../lib/store/open.ts';
import { holdClock } from '../support/clock.ts';
import { queryOne } from '../support/database.ts';
import { holdSync } from '../support/held-sync.ts';
import { recordJoin } from '../support/rows.ts';
import { newStoreFile } from '../support/site.ts';

const file = newStoreFile();

const click = (clickedAt: number) => (writer: Writer) => {
  recordJoin(writer, 'ada@example.com', clickedAt);
  return clickedAt;
};
/** The times of the clicks in the file. */
const written = () => queryOne(file, 'select group_concat(clicked_at) from project_joins');
/** Long enough for a commit, which comes two turns of the event loop after the first job. */
const turns = async () => {
  for (let i = 0; i < 5; i += 1) await new Promise((resolve) => setImmediate(resolve));
};

it('runs its jobs in order, rejects only the failing one, and settles all before it closes', async () => {
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

it('rejects uncommitted jobs after a sync of 5 s; committed ones wait for it', async (t) => {
  const store = openServerStore(file);
  const tick = holdClock(t);
  const release = holdSync(t);
  const answered = t.mock.fn();
  const first = store.write(click(5)).finally(answered);
  await turns();
  assert.equal(written(), '1,3,4,5', 'committed');
  const second = store.write(click(6));
  tick(5000);
  await turns();
  assert.equal(answered.mock.callCount(), 0);
  release();
  await assert.rejects(second, /or its disk is slow, for 5 s/);
  assert.equal(await first, 5);
  await store.write(click(7));
  await store.close();
  assert.equal(written(), '1,3,4,5,7');
});
