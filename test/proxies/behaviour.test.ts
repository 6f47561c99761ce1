/** What Caddy and nginx pass on, and do not log, with the shipped configurations. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../../lib/config.ts';
import { type Received, send, sessionCookie } from '../support/client.ts';
import { lacks } from '../support/lacks.ts';
import { serviceBehind, visitor } from './behind.ts';
import { DOMAIN, NOBODY, PROXY_NAMES, startProxy } from './proxy.ts';

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

for (const name of PROXY_NAMES)
  describe(`behind ${name}`, { skip: lacks(name), timeout: 60_000 }, async () => {
    const { server, from } = await serviceBehind(name);
    const cookie = sessionCookie(await from('127.0.0.3')(...login('ada@example.com')));
    /** Asks as an administrator. */
    const ask = (line: string, headers: Readonly<Record<string, string>> = {}) =>
      from('127.0.0.4')(line, { cookie, headers });

    it('passes the headers of the service on unchanged, with HSTS and the Secure cookie', async () => {
      const [direct, through] = [await fetch(server.origin), await ask('GET /')];
      const own = /^(connection|date|keep-alive)$/;
      const expected = [...direct.headers].filter(([each]) => !own.test(each));
      assert.ok(expected.some(([each]) => each === 'content-security-policy'));
      for (const [each, value] of expected) assert.equal(through.headers.get(each), value, each);
      assert.equal(through.headers.get('strict-transport-security'), 'max-age=31536000');
      // HTTP/3 is not tested, so it is not offered.
      assert.equal(through.headers.get('alt-svc'), null);
      const answer = await from('127.0.0.4')(...login('ada@example.com'));
      assert.match(answer.headers.get('set-cookie') ?? '', /; HttpOnly; .*; Secure$/);
    });

    it('limits each client by its own address, which X-Forwarded-For cannot forge', async () => {
      const attempt = async (address: string, forged: string) =>
        (await from(address)(...login('nobody', { 'x-forwarded-for': forged }))).status;
      for (let i = 0; i < 30; i += 1)
        assert.equal(await attempt('127.0.0.5', `203.0.113.${i}, 198.51.100.${i}`), 400);
      assert.equal(await attempt('127.0.0.5', '203.0.113.200'), 429);
      assert.equal(await attempt('127.0.0.6', '203.0.113.200'), 400);
    });

    it('behind a CDN, limits each visitor by the address that the CDN names', async () => {
      const { from } = await serviceBehind(name, { changes: [OF_CDN[name]] });
      const attempt = async (visitor: string) => {
        const headers = { 'cf-connecting-ip': visitor, 'x-forwarded-for': visitor };
        return (await from('127.0.0.2')(...login('nobody', headers))).status;
      };
      for (let i = 0; i < 30; i += 1) assert.equal(await attempt('198.51.100.1'), 400);
      assert.equal(await attempt('198.51.100.1'), 429);
      assert.equal(await attempt('198.51.100.2'), 400);
    });

    it('passes a list of 1 MiB on', async () => {
      const text = 'x'.repeat(2 ** 20 - 100);
      const sent = { cookie, json: { text } };
      const answer = await from('127.0.0.4')('POST /api/svcops/invites/many', sent);
      assert.equal(JSON.parse(answer.text).lines.length, 1);
    });

    it('hides the administrator page: its URLs answer like unknown URLs', async () => {
      const hidden = ['/svcops', '/svcops/page.js', '/api/svcops/stats', '/api/svcops/invites'];
      for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE'])
        for (const encoding of ['identity', 'gzip, br, zstd']) {
          const more = { 'accept-encoding': encoding, 'content-length': '0' };
          const options = { cookie: 'svc_session=nobody', headers: more };
          const answerTo = async (url: string) =>
            comparable(await from('127.0.0.7')(`${method} ${url}`, options));
          const unknown = await answerTo('/nothing');
          for (const url of hidden)
            assert.deepEqual(await answerTo(url), unknown, `${method} ${url} ${encoding}`);
        }
      assert.equal((await ask('GET /svcops')).status, 200);
    });

    it('logs no query and no referrer, also if the service is down', async () => {
      // Caddy writes an access log only if its configuration says so.
      const changes =
        name === 'caddy' ? ([['encode zstd gzip', 'encode zstd gzip\n\tlog']] as const) : [];
      const proxy = await startProxy(name, NOBODY, { changes });
      const line = 'GET /api/svcops/person?email=grace%40example.com';
      const headers = { Host: DOMAIN, Referer: `https://${DOMAIN}/?email=grace%40example.com` };
      assert.equal((await visitor(proxy)(line, { headers })).status, 502);
      assert.equal((await send(proxy.insecure, line, { headers })).status, 308);
      const logs = await proxy.stop();
      assert.match(logs, /\/api\/svcops\/person\W.*502/);
      assert.doesNotMatch(logs, /grace|email=/);
    });

    for (const [line, headers] of [
      ['POST /nothing', { 'if-none-match': '*', range: 'bytes=9-' }],
      ...['//svcops', '/%73vcops', '/x/../svcops', '/svcops/', '/./svcops'].map(
        (url) => [`GET ${url}`, {}] as const,
      ),
    ] as const)
      it(`passes ${line} on unchanged, whatever its headers, to an unknown URL`, async () => {
        const { status, text } = await ask(line, headers);
        assert.deepEqual([status, text], [404, 'Not Found\n']);
      });
  });

describe('a client of nginx', { skip: lacks('nginx'), timeout: 60_000 }, async () => {
  const shown =
    'set_real_ip_from 127.0.0.0/8; real_ip_header X-Address; return 200 $guestlist_client;';
  const { from } = await serviceBehind('nginx', { changes: [['send_timeout 20s;', shown]] });

  for (const [address, client] of [
    ['192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:'],
    ['2001:db8:1:2::6', '2001:db8:1:2:'],
    ['2001:db8::6', '2001:db8::'],
    ['2001:db8::3:4:5:6', '2001:db8::'],
  ] as const)
    it(`at ${address} is ${client}`, async () => {
      const { text } = await from('127.0.0.2')('GET /', { headers: { 'X-Address': address } });
      assert.equal(text, client);
    });
});

/** An answer without its Date, with the order of its headers. */
const comparable = ({ status, rawHeaders, text }: Received) => ({
  status,
  headers: rawHeaders.filter((_, i) => rawHeaders[i - (i % 2)]?.toLowerCase() !== 'date'),
  text,
});

const login = (email: string, headers = {}) =>
  ['POST /auth/login', { json: { email }, headers }] as const;
