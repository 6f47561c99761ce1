/** The commit queue: jobs that share a commit, wait, or are refused. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, it, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { root } from '../../lib/config.ts';
import { commitQueue } from '../../lib/store/commit-queue.ts';
import { StoreUnavailable } from '../../lib/store/errors.ts';
import { connect } from '../../lib/store/file/connect.ts';
import { openServerStore, type Writer } from '../../lib/store/open.ts';
import { queryOne } from '../support/database.ts';
import { holdSync } from '../support/held-sync.ts';
import { lockStore } from '../support/lock.ts';
import { temporaryFolder } from '../support/site.ts';

const file = path.join(temporaryFolder(), 'guestlist.db');
const store = openServerStore(file);
after(() => store.close());

const who = { email: 'ada@example.com', session: 's' };
const click =
  (clickedAt: number) =>
  ({ joins }: Pick<Writer, 'joins'>) => {
    joins.record({ ...who, clickedAt });
    return clickedAt;
  };
const clicks = () => store.joins.list({ limit: 500 }).rows;
const newest = (limit: number) =>
  clicks()
    .slice(0, limit)
    .map(({ clickedAt }) => clickedAt);
/** Long enough for a commit, which comes two turns of the event loop after the first job. */
const turns = async () => {
  for (let i = 0; i < 5; i += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Holds timers and the monotonic clock. @returns lets so many ms pass */
function holdClock(t: TestContext): (ms: number) => void {
  const begun = Math.ceil(performance.now());
  let passed = 0;
  t.mock.timers.enable({ apis: ['setTimeout'] });
  t.mock.method(performance, 'now', () => begun + passed);
  return (ms) => {
    passed += ms;
    t.mock.timers.tick(ms);
  };
}

/** A queue whose writer is its connection. */
const ignore = () => {};
const queueOf = (db: Database.Database) => commitQueue(db, db, ignore, ignore);

const insertClick = (clickedAt: number) => (db: Database.Database) =>
  db
    .prepare("insert into project_joins (email, session_id, clicked_at) values (?, 's', ?)")
    .run(who.email, clickedAt).changes;

const outcomes = async (answers: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(answers)).map((answer) =>
    answer.status === 'rejected' ? answer.reason : answer.value,
  );

it('runs its jobs in order, and resolves each with its result', async () => {
  const times = [11, 12, 13, 14];
  const results = await Promise.all(times.map((now) => store.write(click(now))));
  assert.deepEqual(results, times);
  const written = clicks().map(({ clickedAt }) => clickedAt);
  assert.deepEqual(written.reverse(), times);
});

it('rejects only the failing job, with its error', async () => {
  const wrong = { email: 'NOT-LOWER@example.com', session: 's', clickedAt: 22 };
  const [one, guilty, other] = await Promise.allSettled([
    store.write(click(21)),
    store.write(({ joins }) => joins.record(wrong)),
    store.write(click(23)),
  ]);
  assert.deepEqual(
    [one.status, guilty.status, other.status],
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.match(String(guilty.status === 'rejected' && guilty.reason), /CHECK constraint failed/);
  assert.deepEqual(
    clicks()
      .map(({ clickedAt }) => clickedAt)
      .slice(0, 2),
    [23, 21],
  );
});

it('has written a resolved job: another connection sees its row', async () => {
  await store.write(click(31));
  assert.equal(queryOne(file, 'select max(clicked_at) from project_joins'), 31);
});

it('cuts a WAL that has grown beside a long read', async () => {
  const size = () => fs.statSync(`${file}-wal`).size;
  const other = connect(file, 0);
  const reader = await store.beginRead();
  other.exec('create table large (bytes blob); insert into large values (zeroblob(40000000))');
  await store.write(click(35));
  assert.ok(size() > 40e6);
  reader.close();
  // The first commit makes the checkpoint, the second begins the WAL anew.
  for (const now of [36, 37]) await store.write(click(now));
  other.close();
  assert.equal(size(), 32 << 20);
});

it('waits for a lock without blocking the event loop, then writes', async () => {
  const unlock = lockStore(file);
  let turns = 0;
  const count = setInterval(() => {
    turns += 1;
    if (turns === 10) unlock();
  }, 10);
  await store.write(click(41));
  clearInterval(count);
  assert.ok(turns >= 10, `${turns} turns`);
  assert.equal(clicks()[0]?.clickedAt, 41);
});

it('rejects each job 5 s after it came if the store is locked, and continues when it is free', async (t) => {
  const tick = holdClock(t);
  const held = openServerStore(file);
  const unlock = lockStore(file);
  const refused: number[] = [];
  const write = (clickedAt: number) =>
    held.write(click(clickedAt)).catch((error) => {
      assert.match(String(error), /locked by another program for 5 s/);
      assert.ok(error instanceof StoreUnavailable);
      refused.push(clickedAt);
    });
  const refusedAfter = async (ms: number) => {
    tick(ms);
    await turns();
    return refused;
  };
  const first = write(51);
  await refusedAfter(1000);
  const second = write(52);
  assert.deepEqual(await refusedAfter(3999), []);
  assert.deepEqual(await refusedAfter(1), [51]);
  assert.deepEqual(await refusedAfter(999), [51]);
  assert.deepEqual(await refusedAfter(1), [51, 52]);
  await Promise.all([first, second]);
  unlock();
  tick(20);
  await held.write(click(53));
  await held.close();
  assert.deepEqual(newest(2), [53, 41]);
});

it('rejects uncommitted jobs after 5 s of a slow sync; committed ones wait for it', async (t) => {
  const tick = holdClock(t);
  const held = openServerStore(file);
  const release = holdSync(t);
  let answered = false;
  const first = held.write(click(61)).finally(() => {
    answered = true;
  });
  await turns();
  assert.deepEqual(newest(1), [61], 'committed');
  const second = held.write(click(62));
  tick(5000);
  await assert.rejects(second, /the store: its disk is slow to sync for 5 s/);
  assert.equal(answered, false);
  release();
  assert.equal(await first, 61);
  await held.write(click(63));
  await held.close();
  assert.deepEqual(newest(2), [63, 61]);
});

it('waits for a lock that another program takes between a failed commit and the next try', async () => {
  const [db, other] = [connect(file, 0), connect(file, 0)];
  const queue = queueOf(db);
  let tries = 0;
  const guilty = () => {
    tries += 1;
    if (tries === 1) {
      // SQLite does so by itself if the disk is full.
      db.exec('rollback');
      other.exec('begin immediate');
      void setTimeout(50).then(() => other.exec('rollback'));
    }
    throw new Error('guilty');
  };
  assert.deepEqual(
    await outcomes([insertClick(71), guilty, insertClick(72)].map((job) => queue.write(job))),
    [1, new Error('guilty'), 1],
  );
  assert.deepEqual(newest(3), [72, 71, 63]);
  await queue.close();
  db.close();
  other.close();
});

it('fails only the job that does not fit into a full disk, and writes none in part', async () => {
  const full = path.join(temporaryFolder(), 'guestlist.db');
  const db = connect(full, 0);
  const queue = queueOf(db);
  db.exec('create table notes (text)');
  db.pragma(`max_page_count = ${Number(db.pragma('page_count', { simple: true })) + 20}`);
  const note = (size: number) => () =>
    db.prepare('insert into notes values (?)').run('x'.repeat(size)).changes;
  const large = () => note(1000)() + note(100_000)();
  const [one, refused, two] = await outcomes(
    [note(1), large, note(2)].map((job) => queue.write(job)),
  );
  assert.deepEqual([one, two], [1, 1]);
  assert.ok(refused instanceof StoreUnavailable);
  assert.deepEqual(db.prepare('select length(text) from notes').pluck().all(), [1, 2]);
  db.pragma('max_page_count = 100000');
  assert.equal(await queue.write(large), 2);
  await queue.close();
  db.close();
});

it('fails only the guilty job if the commit itself fails', async () => {
  const db = connect(path.join(temporaryFolder(), 'guestlist.db'), 0);
  db.exec(`pragma foreign_keys = on; create table parents (id integer primary key);
    create table notes (parent integer references parents (id) deferrable initially deferred)`);
  const queue = queueOf(db);
  const note = (parent: number | null) => () =>
    db.prepare('insert into notes values (?)').run(parent).changes;
  const [one, guilty, two] = await outcomes([note(null), note(77), note(null)].map(queue.write));
  assert.deepEqual([one, two], [1, 1]);
  assert.match(String(guilty), /FOREIGN KEY/);
  assert.equal(db.prepare('select count(*) from notes').pluck().get(), 2);
  await queue.close();
  db.close();
});

it('a rollback that fails ends the process: no committed job is reported as refused', () => {
  const script = `
    import { commitQueue } from './lib/store/commit-queue.js';
    const ignore = () => {};
    import { connect } from './lib/store/file/connect.js';
    const db = connect(process.argv[1], 0);
    const { write } = commitQueue(db, undefined, ignore, ignore);
    const report = [() => console.log('written'), () => console.log('refused')];
    write(() => db.exec("insert into project_joins values (null, 'ada@example.com', 's', 81)")).then(...report);
    let tries = 0;
    write(() => {
      tries += 1;
      // While a statement is being read, better-sqlite3 runs no other.
      if (tries === 2) (globalThis.open = db.prepare('select 1 union select 2').iterate()).next();
      throw new Error('guilty');
    }).then(...report);`;
  const args = ['--input-type=module', '-e', script, file];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
  });
  assert.deepEqual([status, stdout], [1, ''], stderr);
  assert.match(stderr, /busy executing a query/);
  assert.deepEqual(newest(1), [81], 'committed');
});

it('resolves its jobs before it closes', async () => {
  const last = openServerStore(file);
  const written = last.write(click(91));
  await Promise.all([written, last.close()]);
  assert.deepEqual(newest(1), [91]);
});
