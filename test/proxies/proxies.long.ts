/**
 * Tests the shipped configurations of Caddy and nginx: what they pass on, limit, hide and do not
 * log, and that they lose no request.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../../lib/config.ts';
import { ALL_TIME } from '../../lib/store/period.ts';
import { send, sessionCookie } from '../support/client.ts';
import { type HeldServer, startOnHeldSocket } from '../support/held-socket.ts';
import { lacks } from '../support/lacks.ts';
import { until } from '../support/limit.ts';
import { installationForAll } from '../support/temporary.ts';
import type { ProxyName } from './proxy.ts';
import { DOMAIN, NO_SERVICE, PRODUCTION, PROXY_NAMES, startProxy, visitor } from './proxy.ts';

const VISITORS = 16;
const RESTARTS = 4;
const REQUESTS_EACH = 300;

const document = fs.readFileSync(path.join(root, 'docs/operations.md'), 'utf8');
const documented = (pattern: RegExp) =>
  document.match(pattern)?.[0] ?? assert.fail(String(pattern));

/**
 * A line of each configuration, and what the document puts there behind a CDN, here at 127.0.0.2.
 */
const OF_CDN = {
  caddy: ['transport http {', `${documented(/header_up X-Forwarded-For .*/)}\n\ttransport http {`],
  nginx: [
    'send_timeout 20s;',
    documented(/set_real_ip_from .*;\n *real_ip_header .*;/).replace('203.0.113.0', '127.0.0.0'),
  ],
} as const;

/** The same line of each configuration, and a header that also names the client's port. */
const WITH_PORT = {
  caddy: ['transport http {', 'header_up X-Forwarded-For {remote}\n\ttransport http {'],
  nginx: ['X-Forwarded-For $remote_addr;', 'X-Forwarded-For $remote_addr:$remote_port;'],
} as const;

let server: HeldServer;
// Before the folder is removed.
after(() => server.stop());
const installation = installationForAll();
installation.invite('ada@example.com');
installation.setAdmin('ada@example.com');
server = await startOnHeldSocket(installation, PRODUCTION);

/** Clients behind a proxy, each with its own loopback address. */
async function behind(name: ProxyName, changes?: Parameters<typeof startProxy>[2]) {
  const proxy = await startKept(name, changes);
  return (address: string) => visitor(proxy, address);
}

/** A proxy in front of the service until the end of the file or block. */
async function startKept(name: ProxyName, changes?: Parameters<typeof startProxy>[2]) {
  const proxy = await startProxy(name, server.port, changes);
  after(() => proxy.stop());
  return proxy;
}

const login = (email: string, headers = {}) =>
  ['POST /auth/login', { json: { email }, headers }] as const;

/** Uses up the limit of a client. */
async function assertLimited(tryLogin: (number: number) => Promise<{ readonly status: number }>) {
  for (let i = 0; i < 30; i += 1) assert.equal((await tryLogin(i)).status, 400);
  assert.equal((await tryLogin(30)).status, 429);
}

for (const [number, name] of PROXY_NAMES.entries())
  describe(`behind ${name}`, { skip: lacks(name) }, async () => {
    const from = await behind(name);
    const answer = await from('127.0.0.3')(...login('ada@example.com'));
    const cookie = sessionCookie(answer);

    it('passes headers on unchanged, and a list of 1 MiB', async () => {
      const through = await from('127.0.0.4')('GET /', { cookie });
      for (const [each, value] of (await send(server.origin, 'GET /')).headers)
        if (!/^(connection|date|keep-alive)$/.test(each))
          assert.equal(through.headers.get(each), value, each);
      assert.equal(through.headers.get('strict-transport-security'), 'max-age=31536000');
      // HTTP/3 is not tested, so it is not offered.
      assert.equal(through.headers.get('alt-svc'), null);
      assert.match(answer.headers.get('set-cookie') ?? '', /; HttpOnly; .*; Secure$/);
      // extra: bulk
      const list = { cookie, json: { text: 'x'.repeat(2 ** 20 - 100) } };
      const { status } = await from('127.0.0.4')('POST /api/svcops/invites/many', list);
      assert.equal(status, 200);
      // end: bulk
    });

    it('limits each client by its own address, which X-Forwarded-For cannot forge', async () => {
      const tryLogin = (address: string, forged: string) =>
        from(address)(...login('nobody', { 'x-forwarded-for': forged }));
      await assertLimited((i) => tryLogin(`127.0.${number}.5`, `203.0.113.${i}, 198.51.100.${i}`));
      assert.equal((await tryLogin('127.0.0.6', '203.0.113.30')).status, 400);
    });

    it('behind a CDN, limits each client by the address that the CDN sends', async () => {
      const fromCdn = (await behind(name, [OF_CDN[name]]))('127.0.0.2');
      const tryLogin = (visitor: string) =>
        fromCdn(...login('nobody', { 'cf-connecting-ip': visitor, 'x-forwarded-for': visitor }));
      await assertLimited(() => tryLogin(`198.51.100.${number}`));
      assert.equal((await tryLogin('198.51.100.9')).status, 400);
    });

    it('limits each client where the proxy adds its port', async () => {
      const withPort = await behind(name, [WITH_PORT[name]]);
      const tryLogin = (address: string) => withPort(address)(...login('nobody'));
      // Each client is a connection, so it needs a port.
      await assertLimited(() => tryLogin(`127.0.${number}.7`));
      assert.equal((await tryLogin('127.0.0.8')).status, 400);
    });

    it('hides the administrator page: its URLs answer like unknown URLs', async () => {
      const headers = { 'accept-encoding': 'gzip, br, zstd', 'content-length': '0' };
      for (const method of ['GET', 'HEAD', 'POST']) {
        /** The answer without its Date, with the order of its headers. */
        const answerTo = async (url: string) => {
          const answer = await from('127.0.0.7')(`${method} ${url}`, { headers });
          const { status, rawHeaders, text } = answer;
          const isDate = (i: number) => rawHeaders[i - (i % 2)]?.toLowerCase() === 'date';
          return [status, rawHeaders.filter((_, i) => !isDate(i)), text];
        };
        const unknown = await answerTo('/nothing');
        for (const url of ['/svcops', '/svcops/page.js', '/api/svcops/stats'])
          assert.deepEqual(await answerTo(url), unknown, `${method} ${url}`);
      }
    });

    it('redirects http to the site over https, and to no other host', async () => {
      const { insecure } = await startKept(name);
      for (const [host, target, expected] of [
        [DOMAIN, '/timeline?view=mobile', '/timeline?view=mobile'],
        [`${DOMAIN}:80`, '/', '/'],
        [DOMAIN.toUpperCase(), '/', '/'],
        ['evil.example', '/', '/'],
        [`${DOMAIN}.evil.example`, '/a', '/a'],
        ['evil.example:8080', '//evil.example/', '//evil.example/'],
        [DOMAIN, 'http://evil.example/a?b', '/a?b'],
      ] as const) {
        const { status, headers } = await send(insecure, `GET ${target}`, {
          headers: { Host: host, 'X-Forwarded-Host': 'evil.example' },
        });
        assert.deepEqual(
          [status, headers.get('location')],
          [308, `https://${DOMAIN}${expected}`],
          `${host} ${target}`,
        );
      }
    });

    it('logs no query and no referrer, also if the service is down', async () => {
      // Caddy writes an access log only if its configuration says so.
      const changes =
        name === 'caddy' ? ([['encode zstd gzip', 'encode zstd gzip\n\tlog']] as const) : [];
      const proxy = await startProxy(name, NO_SERVICE, changes);
      const line = 'GET /api/svcops/person?email=grace%40example.com';
      const headers = { Host: DOMAIN, Referer: `https://${DOMAIN}/?email=grace%40example.com` };
      assert.equal((await visitor(proxy)(line, { headers })).status, 502);
      assert.equal((await send(proxy.insecure, line, { headers })).status, 308);
      const logs = await proxy.stop();
      assert.match(logs, /\/api\/svcops\/person\W.*502/);
      assert.doesNotMatch(logs, /grace|email=/);
    });

    it('a restart under systemd loses and refuses no request, POSTs included', async () => {
      const rows = () => installation.read(({ totals }) => totals.activity(ALL_TIME));
      const { timelineViews, joinClicks } = rows();
      const answered = { 'GET /timeline': 0, 'POST /api/project-join': 0 };
      const views = 'GET /timeline';
      const joins = 'POST /api/project-join';
      const failed: string[] = [];
      let isOver = false;
      const visit = async (n: number) => {
        const ask = from(`127.0.0.${n + 3}`);
        while (!isOver)
          for (const line of [views, joins] as const) {
            const { status } = await ask(line, { cookie }).catch(({ code }) => ({ status: code }));
            if (status === 200) answered[line] += 1;
            else failed.push(String(status));
            // A proxy's connection to the service becomes idle while half of the clients pause.
            await sleep((n % 2) * Math.random() * 300);
          }
      };
      const visits = Promise.all(Array.from({ length: VISITORS }, (_, n) => visit(n)));
      for (let restarts = 1; restarts <= RESTARTS; restarts += 1) {
        const enough = restarts * REQUESTS_EACH;
        const done = () => answered[views] + answered[joins] + failed.length;
        await until(`${enough} requests`, () => done() >= enough);
        await server.restart();
      }
      isOver = true;
      await visits;
      assert.deepEqual(failed, []);
      const after = rows();
      assert.equal(after.timelineViews - timelineViews, answered[views]);
      assert.equal(after.joinClicks - joinClicks, answered[joins]);
    });
  });

it('a client of nginx is an IPv4 address or an IPv6 /64', {
  skip: lacks('nginx'),
}, async () => {
  const shown =
    'set_real_ip_from 127.0.0.0/8; real_ip_header X-Address; return 200 $guestlist_client;';
  const ask = (await behind('nginx', [['send_timeout 20s;', shown]]))('127.0.0.2');
  for (const [address, client] of [
    ['192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:'],
    ['2001:db8:1:2::6', '2001:db8:1:2:'],
    ['2001:db8::3:4:5:6', '2001:db8::'],
  ] as const)
    assert.equal((await ask('GET /', { headers: { 'X-Address': address } })).text, client);
});
