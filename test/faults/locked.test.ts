/** Another program locks the store, for less and for the 5 s that a request waits. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ALL_TIME } from '../../lib/store/period.ts';
import { FORGED_COOKIE } from '../support/client.ts';
import { holdClock } from '../support/clock.ts';
import { lockStore } from '../support/database.ts';
import { startService } from '../support/service.ts';

const { file, read, beginSession, send } = await startService();
const cookie = await beginSession('invitee');
const recorded = ['GET /timeline', 'POST /api/project-join'];

/** Locks the store, and sends requests that record. */
function sendLocked() {
  const unlock = lockStore(file);
  const answered: string[] = [];
  const writes = recorded.map((line) =>
    send(line, { cookie }).finally(() => void answered.push(line)),
  );
  return { unlock, answered, writes: Promise.all(writes) };
}

it('a lock delays only requests that record something of a session', async () => {
  const { unlock, answered, writes } = sendLocked();
  for (const line of ['GET /', 'GET /auth/me', 'GET /timeline.js'])
    assert.equal((await send(line, { cookie })).status, 200);
  for (const cookie of [undefined, '_ga=1', 'svc_session=', FORGED_COOKIE]) {
    const statuses = [];
    for (const line of [...recorded, 'POST /auth/logout'])
      statuses.push((await send(line, { cookie })).status);
    assert.deepEqual(statuses, [302, 401, 200], cookie);
  }
  assert.deepEqual(answered, [], 'those that write wait');
  unlock();
  for (const { status } of await writes) assert.equal(status, 200);
});

it('after 5 s they get 503 with Retry-After, and record nothing', async (t) => {
  const rows = () => read(({ totals }) => totals.activity(ALL_TIME));
  const earlier = rows();
  const tick = holdClock(t);
  const log = t.mock.method(console, 'error', () => undefined);
  const { unlock, writes } = sendLocked();
  const pass = async (ms: number) => {
    tick(ms);
    for (let i = 0; i < 5; i += 1) await setImmediate();
  };
  await pass(0);
  await pass(5000);
  for (const answer of await writes) {
    assert.deepEqual([answer.status, answer.json()], [503, { error: 'unavailable' }]);
    assert.equal(answer.headers.get('retry-after'), '1');
  }
  const lines = log.mock.calls.map(({ arguments: [line] }) => line);
  const cause = 'locked by another program for 5 s';
  for (const line of recorded) assert.ok(lines.includes(`503 ${line}: the store was ${cause}`));
  unlock();
  // The queue tries again.
  await pass(20);
  t.mock.timers.reset();
  assert.deepEqual(rows(), earlier);
  assert.equal((await send('POST /api/project-join', { cookie })).status, 200);
});
