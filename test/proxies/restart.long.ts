/** Restarts of the service under load, seen by visitors behind each proxy. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sessionCookie } from '../support/client.ts';
import { type HeldServer, startHeld } from '../support/held-socket.ts';
import { lacks } from '../support/lacks.ts';
import { siteForAll } from '../support/site.ts';
import { PRODUCTION, PROXY_NAMES, startProxy, visitor } from './proxy.ts';

const VISITORS = 16;
const REQUESTS = 2000;
const RESTARTS = 6;

for (const name of PROXY_NAMES)
  describe(`behind ${name}`, { skip: lacks(name) }, () => {
    it('a restart under systemd loses and refuses no request, POSTs included', async (t) => {
      let held: HeldServer | undefined;
      // Before the folder is removed.
      t.after(() => held?.stop());
      const site = siteForAll();
      site.invite('ada@example.com');
      held = await startHeld(site, PRODUCTION);
      const proxy = await startProxy(name, held.port);
      t.after(() => proxy.stop());
      const json = { email: 'ada@example.com' };
      const cookie = sessionCookie(await visitor(proxy)('POST /auth/login', { json }));

      const answered = { 'GET /timeline': 0, 'POST /api/project-join': 0 };
      const failed: string[] = [];
      let isOver = false;
      const visit = async (n: number) => {
        const ask = visitor(proxy, `127.0.0.${n + 3}`);
        while (!isOver)
          for (const line of ['GET /timeline', 'POST /api/project-join'] as const) {
            const { status } = await ask(line, { cookie }).catch(({ code }) => ({ status: code }));
            if (status === 200) answered[line] += 1;
            else failed.push(String(status));
            // A proxy's connection to the service becomes idle while half of the visitors pause.
            await sleep((n % 2) * Math.random() * 300);
          }
      };
      const visits = Promise.all(Array.from({ length: VISITORS }, (_, n) => visit(n)));
      const [views, joins] = ['GET /timeline', 'POST /api/project-join'] as const;
      for (let restarts = 1; restarts <= RESTARTS; restarts += 1) {
        while (answered[views] + answered[joins] + failed.length < (restarts * REQUESTS) / RESTARTS)
          await sleep(20);
        await held.restart();
      }
      isOver = true;
      await visits;
      assert.deepEqual(failed, []);
      const { logins, timelineViews, joinClicks } = site.read(({ totals }) => totals.counts());
      assert.deepEqual([logins, timelineViews, joinClicks], [1, answered[views], answered[joins]]);
    });
  });
