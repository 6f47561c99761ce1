import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import Database from 'better-sqlite3';
import { StoreUnavailable } from '../lib/store/errors.ts';
import { openServerStore, type Store } from '../lib/store/open.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-queue-'));
const file = path.join(folder, 'guestlist.db');
let store: Store;

before(() => {
  store = openServerStore(file);
});
after(() => {
  store.close();
  fs.rmSync(folder, { recursive: true });
});

const click = (email: string) => () => store.joins.record({ email, session: 's', clickedAt: 1 });
const clicks = (email: string) => store.joins.list({ limit: 500 }, email).length;

describe('the commit queue', () => {
  it('runs the jobs of one turn in their order, in one transaction, and gives each its result', async () => {
    const reader = new Database(file);
    const versions: unknown[] = [];
    const seen = () => reader.pragma('data_version', { simple: true });
    const before = seen();
    const results = await Promise.all(
      [1, 2, 3].map((n) =>
        store.write(() => {
          click('batch@example.com')();
          versions.push(seen());
          return n;
        }),
      ),
    );
    assert.deepEqual(results, [1, 2, 3]);
    assert.deepEqual(versions, [before, before, before], 'nothing shows before the one commit');
    assert.notEqual(seen(), before);
    reader.close();
  });

  it('fails only the guilty job of a batch', async () => {
    const fault = new Error('guilty');
    const [one, guilty, other] = await Promise.allSettled([
      store.write(click('one@example.com')),
      store.write(() => {
        click('guilty@example.com')();
        throw fault;
      }),
      store.write(click('other@example.com')),
    ]);
    assert.deepEqual(
      [one.status, guilty.status, other.status],
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.equal(guilty.status === 'rejected' && guilty.reason, fault);
    assert.deepEqual(
      ['one', 'guilty', 'other'].map((name) => clicks(`${name}@example.com`)),
      [1, 0, 1],
    );
  });

  it('passes on a constraint that a statement breaks, and counts the rest once', async () => {
    const settled = await Promise.allSettled([
      store.write(click('fine@example.com')),
      store.write(click('NOT@example.com')),
    ]);
    assert.deepEqual(
      settled.map(({ status }) => status),
      ['fulfilled', 'rejected'],
    );
    assert.equal(clicks('fine@example.com'), 1);
  });

  it('is no less durable than it says: what is written is there for another process', async () => {
    await store.write(click('durable@example.com'));
    const other = new Database(file, { readonly: true });
    assert.equal(
      other
        .prepare('select count(*) from project_joins where email = ?')
        .pluck()
        .get('durable@example.com'),
      1,
    );
    other.close();
  });

  it('waits for a lock while the event loop turns, and writes once it is free', async () => {
    const other = new Database(file);
    other.exec('begin immediate');
    let turns = 0;
    const count = setInterval(() => {
      turns += 1;
      if (turns === 10) other.exec('commit');
    }, 10);
    await store.write(click('patient@example.com'));
    clearInterval(count);
    assert.ok(turns >= 10, `${turns} turns`);
    assert.equal(clicks('patient@example.com'), 1);
    other.close();
  });

  it('gives up after 5 s, each job by its own clock, with StoreUnavailable', {
    timeout: 15_000,
  }, async () => {
    const other = new Database(file);
    other.exec('begin immediate');
    const started = performance.now();
    const waited = async (job: Promise<unknown>) => {
      await assert.rejects(job, StoreUnavailable);
      return performance.now() - started;
    };
    const first = waited(store.write(click('first@example.com')));
    await new Promise((resolve) => setTimeout(resolve, 500));
    const second = waited(store.write(click('second@example.com')));
    const times = await Promise.all([first, second]);
    assert.ok(times[0] >= 5000 && times[0] < 5400, `${times}`);
    assert.ok(times[1] >= 5500 && times[1] < 5900, `${times}`);
    other.exec('commit');
    other.close();
    await store.write(click('after@example.com'));
    assert.deepEqual(
      [clicks('first@example.com'), clicks('second@example.com'), clicks('after@example.com')],
      [0, 0, 1],
    );
  });
});
