/** Restarts of the service under load, seen by visitors behind each proxy. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startHeld } from '../support/held-socket.ts';
import { install } from '../support/installation.ts';
import { login, sessionCookie, visitor } from './client.ts';
import { DOMAIN, freePort, missing, PROXY_NAMES, startProxy } from './proxy.ts';

const VISITORS = 16;
const REQUESTS = 20_000;
const RESTARTS = 20;

for (const name of PROXY_NAMES) {
  describe(`a restart behind ${name}`, { skip: missing(name) }, () => {
    it('under systemd loses and refuses no request, POSTs included', async (t) => {
      const site = install();
      site.invite('ada@example.com');
      const server = await startHeld(site, {
        NODE_ENV: 'production',
        PUBLIC_ORIGIN: `https://${DOMAIN}`,
      });
      const proxy = await startProxy(name, server.port);
      const visitors = Array.from({ length: VISITORS }, (_, i) =>
        visitor(proxy, `127.0.0.${i + 3}`),
      );
      const tally = { views: 0, clicks: 0, logins: 0 };
      const failed: string[] = [];
      const count = () => tally.views + tally.clicks + tally.logins + failed.length;
      let restarts = 0;
      try {
        const work = visitors.map(async ({ ask }, i) => {
          const headers = { cookie: '' };
          const send = async (what: keyof typeof tally, request: Parameters<typeof ask>[0]) => {
            const answer = await ask({ ...request, headers }).catch(String);
            if (typeof answer !== 'string' && answer.status === 200) tally[what] += 1;
            else failed.push(`${what}: ${typeof answer === 'string' ? answer : answer.status}`);
            return answer;
          };
          for (let round = 0; count() < REQUESTS; round += 1) {
            // A proxy's connection to the service becomes idle while half of the visitors pause.
            if (i % 2 === 1) await sleep(Math.random() * 300);
            if (round % 400 === 0) {
              const answer = await send('logins', login('ada@example.com'));
              if (typeof answer !== 'string') headers.cookie = sessionCookie(answer);
            }
            await send('views', { path: '/timeline' });
            await send('clicks', { path: '/api/project-join', json: {} });
          }
        });
        while (count() < REQUESTS && restarts < RESTARTS) {
          if (count() < (restarts * REQUESTS) / RESTARTS) await sleep(20);
          else {
            await server.restart();
            restarts += 1;
          }
        }
        await Promise.all(work);
        t.diagnostic(`${count()} requests, ${restarts} restarts, ${failed.length} failed`);
        assert.deepEqual(failed, []);
        assert.ok(restarts >= RESTARTS / 2, `${restarts} restarts`);
        const stored = site.withStore(({ totals }) => totals.counts());
        assert.deepEqual(
          [stored.logins, stored.timelineViews, stored.joinClicks],
          [tally.logins, tally.views, tally.clicks],
        );
      } finally {
        for (const one of visitors) one.close();
        await proxy.stop();
        await server.stop();
        await site.remove();
      }
    });

    it('answers 502 if the socket is closed', async () => {
      const proxy = await startProxy(name, await freePort());
      const one = visitor(proxy);
      const other = visitor(proxy, '127.0.0.3');
      try {
        const answers = [one.ask({ path: '/' }), other.ask(login('ada@example.com'))];
        assert.deepEqual(
          (await Promise.all(answers)).map(({ status }) => status),
          [502, 502],
        );
      } finally {
        one.close();
        other.close();
        await proxy.stop();
      }
    });

    it('answers 504 if the service does not start', async () => {
      const socket = net.createServer().listen(0, '127.0.0.1');
      await once(socket, 'listening');
      const proxy = await startProxy(name, (socket.address() as net.AddressInfo).port);
      const one = visitor(proxy);
      try {
        assert.equal((await one.ask({ path: '/' })).status, 504);
      } finally {
        one.close();
        await proxy.stop();
        socket.close();
      }
    });
  });
}
