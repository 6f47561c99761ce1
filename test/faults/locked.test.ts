/** Another program locks the store, for less and for more than the 5 s that a request waits. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { FORGED_COOKIE } from '../support/client.ts';
import { inject } from '../support/inject.ts';
import { lockStore } from '../support/lock.ts';

const { file, store, begin, send } = await inject();
const cookie = await begin('invitee');
const recorded = ['GET /timeline', 'POST /api/project-join'];

it('a lock delays only requests that record something of a session', async () => {
  const unlock = lockStore(file);
  let answered = 0;
  const writes = recorded.map((line) =>
    send(line, { cookie }).finally(() => {
      answered += 1;
    }),
  );
  for (const line of ['GET /', 'GET /auth/me', 'GET /timeline.js'])
    assert.equal((await send(line, { cookie })).status, 200);
  for (const cookie of [undefined, '_ga=1', 'svc_session=', FORGED_COOKIE]) {
    const statuses = [];
    for (const line of [...recorded, 'POST /auth/logout'])
      statuses.push((await send(line, { cookie })).status);
    assert.deepEqual(statuses, [302, 401, 200], cookie);
  }
  assert.equal(answered, 0, 'those that write wait');
  unlock();
  for (const write of writes) assert.equal((await write).status, 200);
});

it('after 5 s they get 503 unavailable with Retry-After: 1, and nothing of them is recorded', async (t) => {
  const earlier = store.totals.counts();
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const begun = performance.now();
  let passed = 0;
  t.mock.method(performance, 'now', () => begun + passed);
  const log = t.mock.method(console, 'error', () => undefined);
  const unlock = lockStore(file);
  let answered = 0;
  const writes = recorded.map((line) =>
    send(line, { cookie }).finally(() => {
      answered += 1;
    }),
  );
  const pass = async (ms: number) => {
    passed += ms;
    t.mock.timers.tick(ms);
    for (let i = 0; i < 5; i += 1) await setImmediate();
  };
  await pass(0);
  await pass(4999);
  assert.equal(answered, 0);
  await pass(1);
  for (const answer of await Promise.all(writes)) {
    assert.deepEqual([answer.status, answer.json()], [503, { error: 'unavailable' }]);
    assert.equal(answer.headers.get('retry-after'), '1');
  }
  assert.deepEqual(
    log.mock.calls.map(({ arguments: [line] }) => line).filter((line) => /^503/.test(line)),
    recorded.map((line) => `503 ${line}: the store: locked by another program for 5 s`),
  );
  unlock();
  // The queue tries again.
  await pass(20);
  t.mock.timers.reset();
  assert.deepEqual(store.totals.counts(), earlier);
  assert.equal((await send('POST /api/project-join', { cookie })).status, 200);
});
