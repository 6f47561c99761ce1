/** A restart of the service under load, seen by visitors behind each proxy. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { install } from '../installation.ts';
import { login, sessionCookie } from './behaviour.ts';
import { visitor } from './client.ts';
import { DOMAIN, freePort, missing, PROXY_NAMES, startProxy } from './proxy.ts';

const VISITORS = 12;
const REQUESTS = { atMost: 2000 };

for (const name of PROXY_NAMES) {
  describe(`a restart behind ${name}`, { skip: missing(name) }, () => {
    it('loses nothing that was accepted, records nothing twice, and makes visitors wait', async () => {
      const site = install();
      site.invite('ada@example.com');
      const env = {
        PORT: String(await freePort()),
        NODE_ENV: 'production',
        PUBLIC_ORIGIN: `https://${DOMAIN}`,
      };
      let server = await site.start(env);
      const proxy = await startProxy(name, server.port);
      const first = visitor(proxy);
      const visitors = Array.from({ length: VISITORS }, (_, i) =>
        visitor(proxy, `127.0.0.${i + 3}`),
      );
      try {
        const cookie = sessionCookie(await first.ask(login('ada@example.com')));
        const headers = { cookie };
        const tally = { views: 0, clicks: 0, refused: 0 };
        let going = true;
        let arrived = () => {};
        const work = visitors.map(async ({ ask }) => {
          for (let i = 0; going && i < REQUESTS.atMost; i += 1) {
            const view = await ask({ path: '/timeline', headers });
            assert.equal(view.status, 200);
            tally.views += 1;
            const click = await ask({ path: '/api/project-join', method: 'POST', headers });
            // A POST that the service may have seen is not sent again; the visitor is told that it failed.
            if (click.status === 502) tally.refused += 1;
            else assert.equal(click.status, 200);
            if (click.status === 200) tally.clicks += 1;
            arrived();
          }
        });
        const clicks = (count: number) =>
          new Promise<void>((resolve) => {
            const goal = tally.clicks + count;
            arrived = () => void (tally.clicks >= goal && resolve());
          });

        for (let restarts = 0; restarts < 2; restarts += 1) {
          await Promise.race([clicks(150), Promise.all(work)]);
          assert.equal(await server.stop(), 0);
          server = await site.start(env);
        }
        await Promise.race([clicks(50), Promise.all(work)]);
        going = false;
        await Promise.all(work);

        const stored = site.withStore(({ totals }) => totals.counts());
        assert.equal(stored.joinClicks, tally.clicks);
        assert.equal(stored.timelineViews, tally.views);
        assert.ok(tally.clicks >= 350, `${tally.clicks} clicks`);
        // None, as a rule; on a machine out of breath, the kernel may hold a connection that the service has not seen.
        assert.ok(tally.refused <= VISITORS, `${tally.refused} of ${tally.clicks} clicks failed`);
      } finally {
        for (const one of [first, ...visitors]) one.close();
        await proxy.stop();
        await site.remove();
      }
    });
  });
}
