/** A million clients at the login: the limiter stays small, and right for regular clients. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import v8 from 'node:v8';
import vm from 'node:vm';
import { limiter } from '../../lib/http/limiter.ts';
import { send } from '../support/client.ts';
import { siteForAll } from '../support/site.ts';
import { address, flood } from './flood.ts';
import { memoryOf, SMALL_HEAP } from './steadiness.ts';

const MILLION = 1_000_000;

const site = siteForAll();

it('a million addresses at the limiter: bounded memory, and only the client over the limit is refused', () => {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc') as () => void;
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed / 2 ** 20;
  };
  const attempt = limiter({ limit: 30, window: 3_600_000 });
  const before = heap();
  let most = 0;
  let honest = 0;
  let allowed = 0;
  for (let n = 0; n < MILLION; n += 1) {
    assert.equal(attempt(address(n)), 0, 'nobody pays for the flood');
    // One regular client tries seldom, another one too often.
    if (n % 40_000 === 0 && attempt('198.51.100.1') === 0) honest += 1;
    if (n % 10_000 === 0 && attempt('198.51.100.2') === 0) allowed += 1;
    if (n % 200_000 === 0) most = Math.max(most, heap() - before);
  }
  console.log(`${most.toFixed(1)} MB for a million addresses`);
  assert.deepEqual([honest, allowed], [25, 30]);
  assert.ok(most < 30, `${most} MB`);
});

it('20,000 addresses over HTTP: each has its own limit, and memory is bounded', async () => {
  const server = await site.start(SMALL_HEAP);
  const regular = () =>
    send(server.origin, 'POST /auth/login', {
      json: { email: 'eve@example.com' },
      headers: { 'X-Forwarded-For': '198.51.100.1' },
    });
  for (let i = 0; i < 30; i += 1) assert.equal((await regular()).status, 403);
  const before = memoryOf(server);
  assert.deepEqual([...(await flood(server.port, 20_000))], [['403', 20_000]]);
  assert.equal((await regular()).status, 429);
  assert.ok(memoryOf(server) < before + 80, `${before} MB before, ${memoryOf(server)} MB after`);
  assert.deepEqual(server.stderr, []);
});
