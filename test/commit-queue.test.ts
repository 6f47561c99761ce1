import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { batch } from '../lib/store/batch.ts';
import { connect } from '../lib/store/connect.ts';
import { StoreUnavailable } from '../lib/store/errors.ts';
import { openServerStore, type ServerStore } from '../lib/store/open.ts';
import { lockStore } from './support/lock.ts';

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
      assert.throws(
        () =>
          batch(db)([
            () => {
              ran = true;
            },
          ]),
        { code: 'SQLITE_BUSY' },
      );
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

  it('gives up after 5 s, each job by its own clock, with StoreUnavailable', async () => {
    const unlock = lockStore(file);
    const refused = async (clickedAt: number) => {
      const started = performance.now();
      await assert.rejects(store.write(click(clickedAt)), StoreUnavailable);
      return performance.now() - started;
    };
    // Timers of one event loop fire in their order, however busy the machine is.
    const tooLate = setTimeout(5900, 'too late');
    const first = refused(51);
    await setTimeout(1000);
    const second = refused(52);
    const waited = await Promise.race([first, tooLate]);
    assert.ok(typeof waited === 'number' && waited >= 5000, `${waited}`);
    assert.ok((await second) >= 5000);
    unlock();
    await store.write(click(53));
    assert.deepEqual(
      clicks()
        .slice(0, 2)
        .map(({ clickedAt }) => clickedAt),
      [53, 41],
    );
  });

  it('answers what is under way before it closes', async () => {
    const last = openServerStore(file);
    const written = last.write(() => last.joins.record({ ...who, clickedAt: 61 }));
    await Promise.all([written, last.close()]);
    assert.equal(clicks()[0]?.clickedAt, 61);
  });
});
