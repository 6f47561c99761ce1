/** Restarts of the service under load, seen by visitors behind each proxy. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type HeldServer, startHeld } from '../support/held-socket.ts';
import { lacks } from '../support/lacks.ts';
import { siteForAll } from '../support/site.ts';
import { PRODUCTION, visitor } from './behind.ts';
import { startLoad } from './load.ts';
import { PROXY_NAMES, startProxy } from './proxy.ts';

const VISITORS = 16;
const REQUESTS = 2000;
const RESTARTS = 6;

for (const name of PROXY_NAMES) {
  describe(`behind ${name}`, { skip: lacks(name), timeout: 120_000 }, () => {
    it('a restart under systemd loses and refuses no request, POSTs included', async (t) => {
      let held: HeldServer | undefined;
      // Before the folder is removed.
      t.after(() => held?.stop());
      const site = siteForAll();
      site.invite('ada@example.com');
      held = await startHeld(site, PRODUCTION);
      const server = held;
      const proxy = await startProxy(name, server.port);
      t.after(() => proxy.stop());
      const asks = Array.from({ length: VISITORS }, (_, i) => visitor(proxy, `127.0.0.${i + 3}`));
      // A proxy's connection to the service becomes idle while half of the visitors pause.
      const pause = (n: number) => (n % 2) * Math.random() * 300;
      const { counts, stop } = await startLoad(asks, 'ada@example.com', pause);
      for (let restarts = 1; restarts <= RESTARTS; restarts += 1) {
        while (counts.requests < (restarts * REQUESTS) / RESTARTS) await sleep(20);
        await server.restart();
      }
      await stop();
      t.diagnostic(JSON.stringify(counts));
      assert.deepEqual(counts.failed, []);
      const { logins, timelineViews, joinClicks } = site.read(({ totals }) => totals.counts());
      assert.deepEqual([logins, timelineViews, joinClicks], [1, counts.viewed, counts.joined]);
    });
  });
}
