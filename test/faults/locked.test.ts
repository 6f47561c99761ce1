/** Another program locks the store under load, for less and for more than the server's patience. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { lockStore } from '../support/lock.ts';
import { siteForAll } from '../support/site.ts';
import { assertKept, invitePeople, type Load, startLoad } from './load.ts';
import { assertSound } from './store-check.ts';

const CLIENTS = 8;

/** Loads a server, locks its store until `over`, and lets each client go on until a write is acknowledged again. */
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
  it('for 1 s: clients wait, and none is refused', async () => {
    const load = await lockUnderLoad(() => setTimeout(1000));
    assert.deepEqual(statusesOf(load), [200]);
    assert.ok(
      load.replies.some(({ ms }) => ms > 500),
      'the lock was felt',
    );
  });

  it('until each client is refused: 503, none before 5 s, and the server goes on by itself', async () => {
    const refusals = (load: Load) => load.replies.filter(({ status }) => status === 503);
    const load = await lockUnderLoad(async (load) => {
      while (refusals(load).length < CLIENTS) await setTimeout(20);
    });
    assert.deepEqual(statusesOf(load), [200, 503]);
    for (const { ms } of refusals(load)) assert.ok(ms >= 4950, `503 after ${ms} ms`);
  });
});
