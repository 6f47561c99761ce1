/** The commit queue: jobs that share a commit, wait, or are refused. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, it, type TestContext } from 'node:test';
import Database from 'better-sqlite3';
import { root } from '../../lib/config.ts';
import { commitQueue } from '../../lib/store/commit-queue.ts';
import { StoreUnavailable } from '../../lib/store/errors.ts';
import { openServerStore, type Writer } from '../../lib/store/open.ts';
import { holdClock } from '../support/clock.ts';
import { queryOne } from '../support/database.ts';
import { holdSync } from '../support/held-sync.ts';
import { storeAt } from '../support/installation.ts';
import { recordJoin } from '../support/rows.ts';
import { newStoreFile } from '../support/site.ts';

const ADA = 'ada@example.com';
const file = newStoreFile();
const store = openServerStore(file);
after(() => store.close());

const click = (clickedAt: number) => (writer: Writer) => {
  recordJoin(writer, ADA, clickedAt);
  return clickedAt;
};
/** The times of the newest clicks. */
const newest = (limit: number, from = file) =>
  storeAt(from).read(({ joins }) => joins.clicks({ limit }).rows.map((row) => row.clickedAt));
/** Long enough for a commit, which comes two turns of the event loop after the first job. */
const turns = async () => {
  for (let i = 0; i < 5; i += 1) await new Promise((resolve) => setImmediate(resolve));
};
const outcomes = async (answers: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(answers)).map((answer) =>
    answer.status === 'rejected' ? answer.reason : answer.value,
  );

/** A queue on a database with a table of notes. */
function queueOfNotes(t: TestContext) {
  const db = new Database(newStoreFile(), { timeout: 0 });
  db.pragma('journal_mode = WAL');
  db.exec('create table notes (text)');
  const queue = commitQueue(db, db);
  t.after(() => queue.close().then(() => db.close()));
  const insert = db.prepare('insert into notes values (?)');
  return { db, write: queue.write, note: (value: unknown) => () => insert.run(value).changes };
}

it('runs its jobs in order, and has written each whose result it returns', async () => {
  const times = [11, 12, 13, 14];
  assert.deepEqual(await Promise.all(times.map((now) => store.write(click(now)))), times);
  assert.deepEqual(newest(4).reverse(), times);
  assert.equal(queryOne(file, 'select max(clicked_at) from project_joins'), 14);
});

it('rejects only the failing job, with its error', async () => {
  const wrong = (writer: Writer) => recordJoin(writer, 'NOT-LOWER@example.com', 22);
  const [one, guilty, other] = await outcomes(
    [click(21), wrong, click(23)].map((job) => store.write<unknown>(job)),
  );
  assert.deepEqual([one, other, newest(2)], [21, 23, [23, 21]]);
  assert.match(String(guilty), /CHECK constraint failed/);
});

it('rejects uncommitted jobs after a sync of 5 s; committed ones wait for it', async (t) => {
  const own = newStoreFile();
  const held = openServerStore(own);
  const tick = holdClock(t);
  const release = holdSync(t);
  const answered = t.mock.fn();
  const first = held.write(click(61)).finally(answered);
  await turns();
  assert.deepEqual(newest(1, own), [61], 'committed');
  const second = held.write(click(62));
  tick(5000);
  await turns();
  assert.equal(answered.mock.callCount(), 0);
  release();
  await assert.rejects(second, /or its disk is slow, for 5 s/);
  assert.equal(await first, 61);
  await held.write(click(63));
  await held.close();
  assert.deepEqual(newest(2, own), [63, 61]);
});

it('waits for a lock that another program takes between a failed commit and the next try', async (t) => {
  const { db, write, note } = queueOfNotes(t);
  const other = new Database(db.name);
  let tries = 0;
  const guilty = () => {
    tries += 1;
    if (tries === 1) {
      // SQLite does so by itself if the disk is full.
      db.exec('rollback');
      other.exec('begin immediate');
      void turns().then(() => other.exec('rollback'));
    }
    throw new Error('guilty');
  };
  const found = await outcomes([note('71'), guilty, note('72')].map(write));
  assert.deepEqual(found, [1, new Error('guilty'), 1]);
  assert.deepEqual(db.prepare('select text from notes').pluck().all(), ['71', '72']);
  other.close();
});

it('fails only the job that does not fit into a full disk, and writes none in part', async (t) => {
  const { db, write, note } = queueOfNotes(t);
  db.pragma(`max_page_count = ${Number(db.pragma('page_count', { simple: true })) + 20}`);
  const text = (size: number) => note('x'.repeat(size));
  const large = () => text(1000)() + text(100_000)();
  const [one, refused, two] = await outcomes([text(1), large, text(2)].map(write));
  assert.deepEqual([one, two], [1, 1]);
  assert.ok(refused instanceof StoreUnavailable);
  assert.deepEqual(db.prepare('select length(text) from notes').pluck().all(), [1, 2]);
  db.pragma('max_page_count = 100000');
  assert.equal(await write(large), 2);
});

it('a rollback that fails ends the process: no committed job is reported as refused', () => {
  const script = `
    import { commitQueue } from './lib/store/commit-queue.js';
    const ignore = () => {};
    import Database from 'better-sqlite3';
    const db = new Database(process.argv[1]);
    const { write } = commitQueue(db, undefined, ignore);
    const report = [() => console.log('written'), () => console.log('refused')];
    write(() => db.exec("insert into project_joins values (null, 'ada@example.com', 's', 81)")).then(...report);
    let tries = 0;
    write(() => {
      // While a statement is being read, better-sqlite3 runs no other.
      if (++tries === 2) (globalThis.open = db.prepare('select 1 union select 2').iterate()).next();
      throw new Error('guilty');
    }).then(...report);`;
  const args = ['--input-type=module', '-e', script, file];
  const options = { cwd: root, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
  assert.deepEqual([status, stdout], [1, ''], stderr);
  assert.match(stderr, /busy executing a query/);
  assert.deepEqual(newest(1), [81], 'committed');
});

it('resolves its jobs before it closes', async () => {
  const own = newStoreFile();
  const last = openServerStore(own);
  await Promise.all([last.write(click(91)), last.close()]);
  assert.deepEqual(newest(1, own), [91]);
});
