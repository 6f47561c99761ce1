/** Restarts of the service under load, seen by visitors behind each proxy. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Options, sessionCookie } from '../support/client.ts';
import { type HeldServer, startHeld } from '../support/held-socket.ts';
import { siteForAll } from '../support/site.ts';
import { PRODUCTION, visitor } from './behind.ts';
import { IMPATIENT, missing, NOBODY, PROXY_NAMES, startProxy } from './proxy.ts';

const VISITORS = 16;
const REQUESTS = 2000;
const RESTARTS = 6;

for (const name of PROXY_NAMES) {
  describe(`behind ${name}`, { skip: missing(name), timeout: 120_000 }, () => {
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
      const tally = { views: 0, clicks: 0, logins: 0 };
      const failed: unknown[] = [];
      const count = () => tally.views + tally.clicks + tally.logins + failed.length;
      let restarts = 0;
      const work = Array.from({ length: VISITORS }, async (_, i) => {
        const ask = visitor(proxy, `127.0.0.${i + 3}`);
        const ok = async (what: keyof typeof tally, line: string, options: Options) => {
          const answer = await ask(line, options).catch(String);
          if (typeof answer !== 'string' && answer.status === 200) tally[what] += 1;
          else failed.push(answer);
          return typeof answer === 'string' ? undefined : answer;
        };
        const json = { email: 'ada@example.com' };
        const login = await ok('logins', 'POST /auth/login', { json });
        const cookie = login && sessionCookie(login);
        while (count() < REQUESTS || restarts < RESTARTS) {
          // A proxy's connection to the service becomes idle while half of the visitors pause.
          if (i % 2 === 1) await sleep(Math.random() * 300);
          await ok('views', 'GET /timeline', { cookie });
          await ok('clicks', 'POST /api/project-join', { cookie, json: {} });
        }
      });
      while (restarts < RESTARTS) {
        if (count() < (restarts * REQUESTS) / RESTARTS) await sleep(20);
        else {
          await server.restart();
          restarts += 1;
        }
      }
      await Promise.all(work);
      t.diagnostic(`${count()} requests, ${restarts} restarts`);
      assert.deepEqual(failed, []);
      const { logins, timelineViews, joinClicks } = site.withStore(({ totals }) => totals.counts());
      assert.deepEqual({ logins, views: timelineViews, clicks: joinClicks }, { ...tally });
    });

    it('visitors get 502 if the socket is closed', async (t) => {
      const proxy = await startProxy(name, NOBODY);
      t.after(() => proxy.stop());
      const json = { email: 'ada@example.com' };
      assert.equal((await visitor(proxy)('GET /')).status, 502);
      assert.equal((await visitor(proxy)('POST /auth/login', { json })).status, 502);
    });

    it('visitors get 504 if the service does not start within 20 s, here one', async (t) => {
      const socket = net.createServer().listen(0, '127.0.0.1');
      t.after(() => socket.close());
      await once(socket, 'listening');
      const { port } = socket.address() as net.AddressInfo;
      const proxy = await startProxy(name, port, IMPATIENT);
      t.after(() => proxy.stop());
      assert.equal((await visitor(proxy)('GET /')).status, 504);
    });
  });
}
