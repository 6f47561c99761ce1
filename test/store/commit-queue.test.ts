import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { root } from '../../lib/config.ts';
import { batch } from '../../lib/store/batch.ts';
import { commitQueue } from '../../lib/store/commit-queue.ts';
import { StoreUnavailable } from '../../lib/store/errors.ts';
import { connect } from '../../lib/store/file/connect.ts';
import { openServerStore, type ServerStore } from '../../lib/store/open.ts';
import { joins } from '../../lib/store/rows/joins.ts';
import { holdSync } from '../support/held-sync.ts';
import { lockStore } from '../support/lock.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-queue-'));
const file = path.join(folder, 'guestlist.db');
let store: ServerStore;

before(() => {
  store = openServerStore(file);
});
after(async () => {
  await store.close();
  fs.rmSync(folder, { recursive: true });
});

describe('a batch', () => {
  const click = (db: Database.Database, email: string) => () =>
    db
      .prepare('insert into project_joins (email, session_id, clicked_at) values (?, ?, ?)')
      .run(email, 's', 1).changes;
  const count = (db: Database.Database, email: string) =>
    db.prepare('select count(*) from project_joins where email = ?').pluck().get(email);

  function withConnections(use: (db: Database.Database, other: Database.Database) => void): void {
    const [db, other] = [connect(file, 0), connect(file, 0)];
    use(db, other);
    db.close();
    other.close();
  }

  it('runs its jobs in their order, in one transaction, and gives each its result', () => {
    withConnections((db, other) => {
      const seen = () => other.pragma('data_version', { simple: true });
      const before = seen();
      const during: unknown[] = [];
      const jobs = [1, 2, 3].map((n) => () => {
        click(db, 'batch@example.com')();
        during.push(seen());
        return n;
      });
      assert.deepEqual(batch(db)(jobs), [{ result: 1 }, { result: 2 }, { result: 3 }]);
      assert.deepEqual(during, [before, before, before], 'nothing shows before the one commit');
      assert.notEqual(seen(), before);
    });
  });

  it('fails only the guilty job: the others count once', () => {
    withConnections((db) => {
      const error = new Error('guilty');
      const outcomes = batch(db)([
        click(db, 'one@example.com'),
        () => {
          click(db, 'guilty@example.com')();
          throw error;
        },
        click(db, 'NOT-LOWER@example.com'),
        click(db, 'other@example.com'),
      ]);
      assert.deepEqual(
        [outcomes[0], outcomes[1], outcomes[3]],
        [{ result: 1 }, { error }, { result: 1 }],
      );
      assert.match(String((outcomes[2] as { error: unknown }).error), /CHECK constraint failed/);
      assert.deepEqual(
        ['one', 'guilty', 'other'].map((name) => count(db, `${name}@example.com`)),
        [1, 0, 1],
      );
    });
  });

  it('runs nothing where the store is locked', () => {
    withConnections((db, other) => {
      other.exec('begin immediate');
      let ran = false;
      const outcomes = batch(db)([
        () => {
          ran = true;
        },
      ]);
      assert.deepEqual(outcomes, []);
      assert.equal(ran, false);
      other.exec('rollback');
    });
  });
});

describe('the commit queue', () => {
  const who = { email: 'ada@example.com', session: 's' };
  const click = (clickedAt: number) => () => {
    store.joins.record({ ...who, clickedAt });
    return clickedAt;
  };
  const clicks = () => store.joins.list({ limit: 500 }, 'ada@example.com');
  const newest = (limit: number) =>
    store.joins.list({ limit }, 'ada@example.com').map(({ clickedAt }) => clickedAt);
  /** Long enough for a commit, which comes two turns of the event loop after the first job. */
  const turns = async () => {
    for (let i = 0; i < 5; i += 1) await new Promise((resolve) => setImmediate(resolve));
  };

  it('writes what it is given, in its order, and answers each with its result', async () => {
    const times = [11, 12, 13, 14];
    const results = await Promise.all(times.map((now) => store.write(click(now))));
    assert.deepEqual(results, times);
    const written = clicks().map(({ clickedAt }) => clickedAt);
    assert.deepEqual(written.reverse(), times);
  });

  it('fails only what is refused, with its error', async () => {
    const wrong = { email: 'NOT-LOWER@example.com', session: 's', clickedAt: 22 };
    const [one, guilty, other] = await Promise.allSettled([
      store.write(click(21)),
      store.write(() => store.joins.record(wrong)),
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

  it('has on disk what it has answered: another process sees it', async () => {
    await store.write(click(31));
    const other = new Database(file, { readonly: true });
    assert.equal(other.prepare('select max(clicked_at) from project_joins').pluck().get(), 31);
    other.close();
  });

  it('waits for a lock while the event loop turns, and writes once it is free', async () => {
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

  it('refuses each job 5 s after it came, where the store is locked, and goes on once it is free', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const unlock = lockStore(file);
    const refused: number[] = [];
    const write = (clickedAt: number) =>
      store.write(click(clickedAt)).catch((error) => {
        assert.match(String(error), /locked by another program for 5 s/);
        assert.ok(error instanceof StoreUnavailable);
        refused.push(clickedAt);
      });
    const refusedAfter = async (ms: number) => {
      t.mock.timers.tick(ms);
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
    t.mock.timers.tick(20);
    await store.write(click(53));
    assert.deepEqual(newest(2), [53, 41]);
  });

  it('refuses after 5 s what has not been committed for a slow sync; what has been committed waits for it', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const release = holdSync(t);
    let answered = false;
    const first = store.write(click(61)).finally(() => {
      answered = true;
    });
    await turns();
    assert.deepEqual(newest(1), [61], 'committed');
    const second = store.write(click(62));
    t.mock.timers.tick(5000);
    await assert.rejects(second, /the store: its disk is slow to sync for 5 s/);
    assert.equal(answered, false);
    release();
    assert.equal(await first, 61);
    await store.write(click(63));
    assert.deepEqual(newest(2), [63, 61]);
  });

  it('waits for a lock that another program takes between a failed commit and the next try', async () => {
    const [db, other] = [connect(file, 0), connect(file, 0)];
    const queue = commitQueue(db);
    const { record } = joins(db);
    let tries = 0;
    const guilty = () => {
      tries += 1;
      if (tries === 1) {
        // SQLite does so by itself where the disk is full.
        db.exec('rollback');
        other.exec('begin immediate');
        void setTimeout(50).then(() => other.exec('rollback'));
      }
      throw new Error('guilty');
    };
    const answers = await Promise.allSettled([
      queue.write(() => record({ ...who, clickedAt: 71 })),
      queue.write(guilty),
      queue.write(() => record({ ...who, clickedAt: 72 })),
    ]);
    assert.deepEqual(
      answers.map((answer) => (answer.status === 'rejected' ? answer.reason : 'written')),
      ['written', new Error('guilty'), 'written'],
    );
    assert.deepEqual(newest(3), [72, 71, 63]);
    await queue.close();
    db.close();
    other.close();
  });

  it('a rollback that fails ends the process: nothing that was committed is reported as refused', () => {
    const script = `
      import { commitQueue } from './lib/store/commit-queue.js';
      import { connect } from './lib/store/file/connect.js';
      const db = connect(process.argv[1], 0);
      const { write } = commitQueue(db);
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

  it('answers what is under way before it closes', async () => {
    const last = openServerStore(file);
    const written = last.write(() => last.joins.record({ ...who, clickedAt: 91 }));
    await Promise.all([written, last.close()]);
    assert.deepEqual(newest(1), [91]);
  });
});
