/** Mixed load for minutes: memory, descriptors and the write-ahead log do not grow. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { descriptors, memoryOf, SMALL_HEAP } from '../support/process.ts';
import { siteForAll } from '../support/site.ts';
import { assertKept, invitePeople, startLoad } from './load.ts';
import { assertSound } from './store-check.ts';

const CLIENTS = 16;
const MINUTES = Number(process.env.MINUTES ?? (process.env.SHORT ? 0.25 : 3));

/** Time slices of the run. The server grows in the first half; the test is whether that ends. */
const SLICES = 12;

const site = siteForAll();

it(`${MINUTES} minutes of mixed load: the second half needs no more than the first`, async (t) => {
  invitePeople(site, CLIENTS);
  const server = await site.start(SMALL_HEAP);
  const load = startLoad({ origin: server.origin, clients: CLIENTS, pause: 10 });
  const slices: Record<'requests' | 'memory' | 'descriptors' | 'log', number>[] = [];
  for (let i = 0; i < SLICES; i += 1) {
    await setTimeout((MINUTES * 60_000) / SLICES);
    const replies = load.replies.splice(0);
    const slice = {
      requests: replies.length,
      memory: memoryOf(server),
      descriptors: descriptors('', server.process.pid),
      log: fs.statSync(`${site.store}-wal`).size / 2 ** 20,
    };
    t.diagnostic(JSON.stringify(slice));
    slices.push(slice);
    assert.ok(replies.length > 0 && replies.every((status) => status === 200));
  }
  load.stop();
  await load.ended;
  assertKept(site.store, load);
  assertSound(site.store);
  assert.deepEqual(server.stderr, []);
  const most = (what: 'memory' | 'descriptors' | 'log', from: number, to?: number) =>
    Math.max(...slices.slice(from, to).map((slice) => slice[what]));
  const half = SLICES / 2;
  assert.ok(most('memory', half) < most('memory', 1, half) * 1.1 + 25, 'memory is flat');
  assert.ok(most('memory', half) < 250, 'memory is bounded');
  assert.ok(most('descriptors', half) <= most('descriptors', 1, half) + 5);
  // 4,000 pages are 15.7 MB. The commit that reaches them may add some.
  assert.ok(most('log', 0) < 20, 'the log is bounded');
});
