/** Another program locks the store, for less and for more than the 5 s that the server waits. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { FORGED_COOKIE, logIn, send } from '../support/client.ts';
import type { Server } from '../support/installation.ts';
import { lockStore } from '../support/lock.ts';
import { siteForAll } from '../support/site.ts';
import { assertKept, invitePeople, type Load, startLoad } from './load.ts';
import { assertSound } from './store-check.ts';

const CLIENTS = 8;

/** Loads a server, locks its store until `over` resolves, and waits for the next success. */
async function lockUnderLoad(over: (load: Load) => Promise<unknown>): Promise<Load> {
  const site = siteForAll();
  invitePeople(site, CLIENTS);
  const server = await site.start();
  let freed = false;
  let begun = () => {};
  const underWay = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const load = startLoad({
    origin: server.origin,
    clients: CLIENTS,
    onAcknowledged: (number) => {
      if (number === 50) begun();
      if (freed) load.stop();
    },
  });
  await underWay;
  const unlock = lockStore(site.store);
  await over(load);
  unlock();
  freed = true;
  await load.ended;
  assertKept(site.store, load);
  const rows = assertSound(site.store);
  const acknowledged = load.replies.filter(({ status }) => status === 200).length;
  assert.equal(rows.logins + rows.timelineViews + rows.joinClicks, acknowledged);
  return load;
}

const statusesOf = ({ replies }: Load) => [...new Set(replies.map(({ status }) => status))].sort();

describe('a store locked by another program', { concurrency: true }, () => {
  it('for 1 s: requests wait, and none is refused', async () => {
    let load: Load;
    let held = 0;
    // Again if this process slept and held the lock for too long.
    do {
      load = await lockUnderLoad(async () => {
        const began = performance.now();
        await setTimeout(1000);
        held = performance.now() - began;
      });
    } while (held > 3000);
    assert.deepEqual(statusesOf(load), [200]);
    assert.ok(
      load.replies.some(({ ms }) => ms > 500),
      'the lock was felt',
    );
  });

  it('until each client gets 503: none before 5 s, and the server recovers', async () => {
    const refusals = (load: Load) => load.replies.filter(({ status }) => status === 503);
    const load = await lockUnderLoad(async (load) => {
      while (refusals(load).length < CLIENTS) await setTimeout(20);
    });
    assert.deepEqual(statusesOf(load), [200, 503]);
    for (const { ms } of refusals(load)) assert.ok(ms >= 4950, `503 after ${ms} ms`);
  });
});

describe('a locked store', () => {
  const site = siteForAll();
  let server: Server;
  let cookie: string;
  before(async () => {
    site.invite('ada@example.com');
    server = await site.start();
    cookie = await logIn(server.origin, 'ada@example.com');
  });

  it('does not block: requests that write nothing are answered meanwhile', async () => {
    const unlock = lockStore(site.store);
    let answered = false;
    const view = send(server.origin, 'GET /timeline', { cookie }).finally(() => {
      answered = true;
    });
    for (let i = 0; i < 3; i += 1) {
      assert.equal((await send(server.origin, 'GET /')).status, 200);
      assert.equal((await send(server.origin, 'GET /auth/me', { cookie })).status, 200);
    }
    assert.equal(answered, false, 'they were answered before the view');
    unlock();
    assert.equal((await view).status, 200);
    const { timelineViews } = site.withStore(({ totals }) => totals.counts());
    assert.equal(timelineViews, 1);
  });

  it('delays only requests with a session', async () => {
    const unlock = lockStore(site.store);
    for (const cookie of [undefined, '_ga=1', 'svc_session=', FORGED_COOKIE]) {
      const view = await send(server.origin, 'GET /timeline', { cookie });
      const join = await send(server.origin, 'POST /api/project-join', { cookie });
      const logout = await send(server.origin, 'POST /auth/logout', { cookie });
      assert.deepEqual([view.status, join.status, logout.status], [302, 401, 200], cookie);
    }
    unlock();
  });

  it('gives 503 unavailable with Retry-After: 1 after 5 s, and the server recovers', async () => {
    const unlock = lockStore(site.store);
    const started = performance.now();
    const answers = await Promise.all([
      send(server.origin, 'GET /timeline', { cookie }),
      send(server.origin, 'POST /api/project-join', { cookie }),
    ]);
    const seconds = (performance.now() - started) / 1000;
    for (const answer of answers) {
      assert.deepEqual([answer.status, answer.json()], [503, { error: 'unavailable' }]);
      assert.equal(answer.headers.get('retry-after'), '1');
    }
    assert.ok(seconds >= 4.9, `${seconds} s`);
    unlock();
    assert.equal((await send(server.origin, 'POST /api/project-join', { cookie })).status, 200);
    const { timelineViews, joinClicks } = site.withStore(({ totals }) => totals.counts());
    assert.deepEqual([timelineViews, joinClicks], [1, 1]);
  });
});
