/** What Caddy and nginx pass on unchanged, with the shipped configurations. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { type Received, send, sessionCookie } from '../support/client.ts';
import { FILM, putFilm } from '../support/film.ts';
import { http2Connection, rawConnection, serviceBehind, untilClosed } from './behind.ts';
import { DOMAIN, missing, PROXY_NAMES } from './proxy.ts';

/** More than a proxy and the connections on both its sides buffer, in bytes. */
const FILM_SIZE = 64e6;

for (const name of PROXY_NAMES) {
  describe(`behind ${name}`, { skip: missing(name), concurrency: true, timeout: 60_000 }, () => {
    const { site, server, proxy, from } = serviceBehind(name, {}, (site) =>
      putFilm(site, FILM_SIZE),
    );
    let admin: string;
    before(async () => {
      admin = sessionCookie(await from('127.0.0.3')(...login('ada@example.com')));
    });

    it('sends visitors from http to https', async () => {
      const { status, headers } = await send(`http://127.0.0.1:${proxy().http}`, 'GET /?a=b', {
        headers: { Host: DOMAIN },
      });
      assert.equal(status, 308);
      assert.equal(headers.get('location'), `https://${DOMAIN}/?a=b`);
    });

    it('speaks HTTP/2', async () => {
      const session = http2Connection(proxy());
      const [headers] = await once(session.request({ ':path': '/' }), 'response');
      assert.equal(headers[':status'], 200);
      session.destroy();
    });

    it('passes the headers of the service on unchanged, with HSTS and the Secure cookie', async () => {
      const direct = await fetch(server().origin);
      const through = await from('127.0.0.4')('GET /');
      const names = [...direct.headers.keys()].filter(
        (each) => !['connection', 'date', 'keep-alive'].includes(each),
      );
      assert.ok(names.includes('content-security-policy'));
      for (const each of names)
        assert.equal(through.headers.get(each), direct.headers.get(each), each);
      assert.equal(through.headers.get('strict-transport-security'), 'max-age=31536000');
      // HTTP/3 is not tested, so it is not offered.
      assert.equal(through.headers.get('alt-svc'), null);

      const answer = await from('127.0.0.4')(...login('ada@example.com'));
      assert.match(answer.headers.get('set-cookie') ?? '', /; HttpOnly; .*; Secure$/);
    });

    for (const [path, cached] of [
      ['/', true],
      ['/entry.css', true],
      ['/entry.js', true],
      ['/timeline', false],
      ['/svcops', false],
      ['/svcops/uplot.js', true],
    ] as const) {
      it(`compresses ${path}${cached ? ', and confirms it with 304' : ''}`, async () => {
        const one = from('127.0.0.4');
        const headers = { 'accept-encoding': 'gzip' };
        const plain = await one(`GET ${path}`, { cookie: admin });
        const packed = await one(`GET ${path}`, { cookie: admin, headers });
        assert.deepEqual([plain.status, packed.status], [200, 200]);
        assert.equal(plain.headers.get('content-encoding'), null);
        assert.equal(packed.headers.get('content-encoding'), 'gzip');
        assert.ok(packed.body.length < plain.body.length * 0.7);
        assert.deepEqual(gunzipSync(packed.body), plain.body);
        const etag = packed.headers.get('etag');
        assert.equal(etag !== null, cached);
        if (etag === null) return;
        const again = await one(`GET ${path}`, {
          cookie: admin,
          headers: { ...headers, 'if-none-match': etag },
        });
        assert.equal(again.status, 304);
      });
    }

    it('compresses the JSON and CSV that administrators read', async () => {
      const headers = { 'accept-encoding': 'gzip' };
      for (const path of ['/api/svcops/stats', '/api/svcops/events?format=csv']) {
        site().write(({ events }) => {
          for (let i = 0; i < 50; i += 1) events.record(timelineView(i));
        });
        const answer = await from('127.0.0.4')(`GET ${path}`, { cookie: admin, headers });
        assert.equal(answer.status, 200);
        assert.equal(answer.headers.get('content-encoding'), 'gzip', path);
        assert.ok(gunzipSync(answer.body).length > 1000);
      }
    });

    it('passes the ranges of a video on, and that it was cut short', async () => {
      const ask = (headers: Readonly<Record<string, string>>) =>
        from('127.0.0.4')(`GET ${FILM}`, {
          cookie: admin,
          headers: { 'accept-encoding': 'gzip', ...headers },
        });
      const film = path.join(site().root, 'data', 'site', FILM);
      const file = fs.readFileSync(film);
      const first = await ask({ range: 'bytes=0-9999' });
      const etag = first.headers.get('etag') ?? '';
      assert.deepEqual([first.status, first.body], [206, file.subarray(0, 10_000)]);
      assert.equal(first.headers.get('content-range'), `bytes 0-9999/${FILM_SIZE}`);
      assert.equal(first.headers.get('accept-ranges'), 'bytes');
      const end = await ask({ range: 'bytes=-5', 'if-range': etag });
      assert.deepEqual([end.status, end.body], [206, file.subarray(-5)]);
      const whole = await ask({ range: 'bytes=-5', 'if-range': '"another"' });
      assert.deepEqual([whole.status, whole.body.equals(file)], [200, true]);
      const outside = await ask({ range: `bytes=${FILM_SIZE}-` });
      assert.equal(outside.status, 416);
      assert.equal(outside.headers.get('content-range'), `bytes */${FILM_SIZE}`);
      assert.equal((await ask({ 'if-none-match': etag })).status, 304);

      const socket = rawConnection(proxy());
      socket.write(`GET ${FILM} HTTP/1.1\r\nHost: ${DOMAIN}\r\nCookie: ${admin}\r\n\r\n`);
      await once(socket, 'readable');
      fs.utimesSync(film, 1e9, 1e9);
      const cut = await untilClosed(socket);
      assert.match(cut, /^HTTP\/1\.1 200 /);
      assert.ok(cut.length < FILM_SIZE);
    });

    it('limits each client by its own address, which X-Forwarded-For cannot forge', async () => {
      const forging = from('127.0.0.5');
      for (let i = 0; i < 30; i += 1) {
        const headers = { 'x-forwarded-for': `203.0.113.${i}, 198.51.100.${i}` };
        const answer = await forging(...login('nobody', headers));
        assert.equal(answer.status, 400);
      }
      const headers = { 'x-forwarded-for': '203.0.113.200' };
      assert.equal((await forging(...login('nobody', headers))).status, 429);
      assert.equal((await from('127.0.0.6')(...login('nobody'))).status, 400);
    });

    it('hides the administrator page: its URLs answer like unknown URLs', async () => {
      const outsider = from('127.0.0.7');
      for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE']) {
        for (const encoding of ['identity', 'gzip, br, zstd']) {
          const headers = {
            'accept-encoding': encoding,
            cookie: 'svc_session=nobody',
            'content-length': '0',
          };
          const unknown = await outsider(`${method} /nothing`, { headers });
          for (const path of [
            '/svcops',
            '/svcops/page.js',
            '/api/svcops/stats',
            '/api/svcops/invites',
          ])
            assert.deepEqual(
              comparable(await outsider(`${method} ${path}`, { headers })),
              comparable(unknown),
              `${method} ${path} ${encoding}`,
            );
        }
      }
      assert.equal((await outsider('GET /svcops', { cookie: admin })).status, 200);
    });

    it('passes a POST on, whatever its headers', async () => {
      const headers = { 'if-none-match': '*', range: 'bytes=9-' };
      const answer = await from('127.0.0.4')('POST /nothing', { headers });
      assert.equal(answer.status, 404);
    });

    it('passes paths on unchanged, so that no other spelling reaches a page', async () => {
      for (const path of ['//svcops', '/%73vcops', '/x/../svcops', '/svcops/', '/./svcops']) {
        const answer = await from('127.0.0.4')(`GET ${path}`, { cookie: admin });
        assert.equal(answer.status, 404, path);
        assert.equal(answer.text, 'Not Found\n', path);
      }
    });

    it('shows nothing to a request for another host, whose TLS named this one', async () => {
      const socket = rawConnection(proxy());
      const closed = untilClosed(socket);
      socket.write('GET / HTTP/1.1\r\nHost: other.example.com\r\nConnection: close\r\n\r\n');
      const reply = await closed;
      const [, body = ''] = reply.split('\r\n\r\n');
      assert.equal(body, '');
      assert.doesNotMatch(reply, /nginx|[0-9]\.[0-9]+\.[0-9]/);
    });
  });
}

/** An answer without its Date, with the order of its headers. */
const comparable = ({ status, rawHeaders, text }: Received) => ({
  status,
  headers: rawHeaders.filter((_, i) => rawHeaders[i - (i % 2)]?.toLowerCase() !== 'date'),
  text,
});

const login = (email: string, headers = {}) =>
  ['POST /auth/login', { json: { email }, headers }] as const;

const timelineView = (i: number) => ({
  type: 'timeline_view' as const,
  email: 'ada@example.com',
  occurredAt: Date.now() + i,
  session: 'test',
  deviceType: 'desktop',
  os: 'Linux',
  browser: 'Firefox',
  meta: { view: 'desktop' as const, forced: false },
});
