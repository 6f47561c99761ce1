/** What the shipped configurations of Caddy and nginx pass on, limit, hide, and do not log. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { root } from '../../lib/config.ts';
import { send, sessionCookie } from '../support/client.ts';
import { lacks } from '../support/lacks.ts';
import { siteForAll } from '../support/site.ts';
import type { ProxyName } from './proxy.ts';
import { DOMAIN, NOBODY, PRODUCTION, PROXY_NAMES, startProxy, visitor } from './proxy.ts';

const document = fs.readFileSync(path.join(root, 'docs/operations.md'), 'utf8');
const documented = (pattern: RegExp) =>
  document.match(pattern)?.[0] ?? assert.fail(String(pattern));

/** A line of each configuration, and what the document puts there behind a CDN, here at 127.0.0.2. */
const OF_CDN = {
  caddy: ['transport http {', `${documented(/header_up X-Forwarded-For .*/)}\n\ttransport http {`],
  nginx: [
    'send_timeout 20s;',
    documented(/set_real_ip_from .*;\n *real_ip_header .*;/).replace('203.0.113.0', '127.0.0.0'),
  ],
} as const;

const site = siteForAll();
site.invite('ada@example.com');
site.setAdmin('ada@example.com');
const server = await site.start(PRODUCTION);

/** Visitors behind a proxy, each with a loopback address of its own. */
async function behind(name: ProxyName, changes?: Parameters<typeof startProxy>[2]) {
  const proxy = await startProxy(name, server.port, changes);
  after(() => proxy.stop());
  return (address: string) => visitor(proxy, address);
}

const login = (email: string, headers = {}) =>
  ['POST /auth/login', { json: { email }, headers }] as const;

for (const name of PROXY_NAMES)
  describe(`behind ${name}`, { skip: lacks(name) }, async () => {
    const from = await behind(name);
    const answer = await from('127.0.0.3')(...login('ada@example.com'));
    const cookie = sessionCookie(answer);

    it('passes the headers of the service on unchanged, with HSTS and the Secure cookie', async () => {
      const through = await from('127.0.0.4')('GET /', { cookie });
      for (const [each, value] of (await fetch(server.origin)).headers)
        if (!/^(connection|date|keep-alive)$/.test(each))
          assert.equal(through.headers.get(each), value, each);
      assert.equal(through.headers.get('strict-transport-security'), 'max-age=31536000');
      // HTTP/3 is not tested, so it is not offered.
      assert.equal(through.headers.get('alt-svc'), null);
      assert.match(answer.headers.get('set-cookie') ?? '', /; HttpOnly; .*; Secure$/);
    });

    it('limits each client by its own address, which X-Forwarded-For cannot forge', async () => {
      const attempt = async (address: string, forged: string) =>
        (await from(address)(...login('nobody', { 'x-forwarded-for': forged }))).status;
      const client = name === 'caddy' ? '127.0.0.5' : '127.0.1.5';
      for (let i = 0; i < 30; i += 1)
        assert.equal(await attempt(client, `203.0.113.${i}, 198.51.100.${i}`), 400);
      assert.equal(await attempt(client, '203.0.113.200'), 429);
      assert.equal(await attempt('127.0.0.6', '203.0.113.200'), 400);
    });

    it('behind a CDN, limits each visitor by the address that the CDN names', async () => {
      const fromCdn = (await behind(name, [OF_CDN[name]]))('127.0.0.2');
      const attempt = async (visitor: string) => {
        const headers = { 'cf-connecting-ip': visitor, 'x-forwarded-for': visitor };
        return (await fromCdn(...login('nobody', headers))).status;
      };
      const client = name === 'caddy' ? '198.51.100.1' : '198.51.100.3';
      for (let i = 0; i < 30; i += 1) assert.equal(await attempt(client), 400);
      assert.equal(await attempt(client), 429);
      assert.equal(await attempt('198.51.100.2'), 400);
    });

    it('passes a list of 1 MiB on', async () => {
      const json = { text: 'x'.repeat(2 ** 20 - 100) };
      const list = ['POST /api/svcops/invites/many', { cookie, json }] as const;
      assert.equal((await from('127.0.0.4')(...list)).status, 200);
    });

    it('hides the administrator page: its URLs answer like unknown URLs', async () => {
      const ask = from('127.0.0.7');
      for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS'])
        for (const encoding of ['identity', 'gzip, br, zstd']) {
          const headers = { 'accept-encoding': encoding, 'content-length': '0' };
          /** The answer without its Date, with the order of its headers. */
          const answerTo = async (url: string) => {
            const { status, rawHeaders, text } = await ask(`${method} ${url}`, { headers });
            const isDate = (i: number) => rawHeaders[i - (i % 2)]?.toLowerCase() === 'date';
            return [status, rawHeaders.filter((_, i) => !isDate(i)), text];
          };
          const unknown = await answerTo('/nothing');
          for (const url of ['/svcops', '/svcops/page.js', '/api/svcops/stats'])
            assert.deepEqual(await answerTo(url), unknown, `${method} ${url} ${encoding}`);
        }
    });

    it('logs no query and no referrer, also if the service is down', async () => {
      // Caddy writes an access log only if its configuration says so.
      const changes =
        name === 'caddy' ? ([['encode zstd gzip', 'encode zstd gzip\n\tlog']] as const) : [];
      const proxy = await startProxy(name, NOBODY, changes);
      const line = 'GET /api/svcops/person?email=grace%40example.com';
      const headers = { Host: DOMAIN, Referer: `https://${DOMAIN}/?email=grace%40example.com` };
      assert.equal((await visitor(proxy)(line, { headers })).status, 502);
      assert.equal((await send(proxy.insecure, line, { headers })).status, 308);
      const logs = await proxy.stop();
      assert.match(logs, /\/api\/svcops\/person\W.*502/);
      assert.doesNotMatch(logs, /grace|email=/);
    });
  });

it('a client of nginx is an IPv4 address, or the /64 of an IPv6 address', {
  skip: lacks('nginx'),
}, async () => {
  const shown =
    'set_real_ip_from 127.0.0.0/8; real_ip_header X-Address; return 200 $guestlist_client;';
  const ask = (await behind('nginx', [['send_timeout 20s;', shown]]))('127.0.0.2');
  for (const [address, client] of [
    ['192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:'],
    ['2001:db8:1:2::6', '2001:db8:1:2:'],
    ['2001:db8::6', '2001:db8::'],
    ['2001:db8::3:4:5:6', '2001:db8::'],
  ] as const)
    assert.equal((await ask('GET /', { headers: { 'X-Address': address } })).text, client);
});
