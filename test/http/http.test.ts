/** HTTP for all routes: headers, HEAD, ETags and invalid requests. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { describe, it } from 'node:test';
import { anotherClient, logIn, send, sendRaw } from '../support/client.ts';
import { eventsIn } from '../support/rows.ts';
import { serve } from '../support/serve.ts';
import { siteForAll } from '../support/site.ts';

const site = siteForAll();

site.invite('ada@example.com');
const server = await site.start();
const cookie = await logIn(server.origin, 'ada@example.com');

const SECURITY = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; font-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-robots-tag': 'noindex, nofollow',
  'strict-transport-security': null,
  'x-powered-by': null,
};

describe('every reply', () => {
  const pages = ['GET /', 'GET /entry.js', 'GET /robots.txt', 'GET /lost', 'GET /svcops', 'HEAD /'];
  const posts = ['POST /auth/login', 'POST /auth/logout', 'POST /api/project-join'];
  const others = ['GET /auth/me', 'GET /timeline', 'DELETE /', 'OPTIONS /timeline'];
  for (const line of [...pages, ...posts, ...others])
    it(`carries the security headers: ${line}`, async () => {
      const { headers } = await send(server.origin, line, { headers: anotherClient() });
      for (const [name, value] of Object.entries(SECURITY))
        assert.equal(headers.get(name), value, name);
      assert.match(headers.get('permissions-policy') ?? '', /camera=\(\).*geolocation=\(\)/);
    });
});

describe('a target', () => {
  const status = async (target: string, headers = 'Host: x\r\n') => {
    const head = `GET ${target} HTTP/1.1\r\n${headers}Cookie: ${cookie}\r\nConnection: close\r\n\r\n`;
    return /^HTTP\/1\.1 (\d+) /.exec(await sendRaw(server.port, head))?.[1];
  };

  it('is compared as it is, in absolute form by its path and query', async () => {
    for (const [target, expected] of [
      ...['/%74imeline', '/./', '//', '/Timeline', '/timeline/'].map(
        (path) => [path, '404'] as const,
      ),
      ['http://x/robots.txt', '200'],
      ['HTTPS://preview.example.com:8080/timeline?view=mobile', '200'],
      ['http://x/', '200'],
      ['http://x', '200'],
      ['http://x?y=/z', '200'],
      ['http://x/lost', '404'],
      ['http://x//robots.txt', '404'],
      ['http:///robots.txt', '404'],
      ['ftp://x/robots.txt', '404'],
    ] as const)
      assert.equal(await status(target), expected, target);
    const [view] = site.read((readers) => eventsIn(readers, { type: 'timeline_view' }));
    assert.deepEqual(view?.meta, { view: 'mobile', forced: true });
  });

  it('does not replace the Host header', async () =>
    assert.equal(await status('http://x/', ''), '400'));
});

/** What may keep the reply of a path, which it then asks for again by its ETag. */
const CACHED: Readonly<Record<string, string>> = {
  'no-cache': '/ /entry.css /entry.js /favicon.svg /robots.txt',
  'private, no-cache': '/timeline.js /timeline-desktop.css',
  'no-store': '/auth/me /timeline /lost /svcops',
};

describe('GET', () => {
  for (const [cached, paths] of Object.entries(CACHED))
    for (const path of paths.split(' ')) {
      const ask = (method: string, headers = {}) =>
        send(server.origin, `${method} ${path}`, { cookie, headers });
      it(`${path} is answered like HEAD with a body, ${cached}`, async () => {
        const [get, head] = [await ask('GET'), await ask('HEAD')];
        assert.deepEqual([head.status, head.text], [get.status, '']);
        for (const { headers } of [get, head]) headers.delete('date');
        assert.deepEqual([...head.headers], [...get.headers]);
        const etag = get.headers.get('etag') ?? '';
        assert.equal(get.headers.get('cache-control'), cached);
        assert.match(etag, cached === 'no-store' ? /^$/ : /^"[\w-]{22}"$/);
        if (etag)
          for (const known of [etag, '*', `"x", W/${etag}`]) {
            const again = await ask('GET', { 'If-None-Match': known });
            assert.deepEqual(
              [again.status, again.text, again.headers.get('etag')],
              [304, '', etag],
            );
          }
      });
    }
});

it('HEAD does not reach a POST route', async () =>
  assert.equal((await send(server.origin, 'HEAD /auth/login')).status, 404));

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n';
const ME = 'GET /auth/me HTTP/1.1\r\nHost: x\r\n';
const POST = 'POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
const CHUNKED = `${POST}Transfer-Encoding: chunked\r\n`;
const CLOSE = 'Connection: close\r\n\r\n';

/** Bytes, and the allowed status of each reply. What node:http refuses has a bare reply, or none. */
const WRONG: Readonly<Record<string, readonly [bytes: string, statuses: RegExp]>> = {
  'what is not HTTP': ['nonsense\r\n\r\n', /^400$/],
  'a header of 20 KB': [`${GET}X: ${'y'.repeat(20_000)}\r\n\r\n`, /^431$/],
  'a path of 15 KB': [`GET /${'y'.repeat(15_000)} HTTP/1.1\r\nHost: x\r\n${CLOSE}`, /^404$/],
  'more after the last request': [`${ME}${CLOSE}nonsense`, /^(401|400)$/],
  'two Hosts': [`${GET}Host: y\r\n${CLOSE}`, /^200$/],
  'an unknown expectation': [`${GET}Expect: wonders\r\n${CLOSE}`, /^417$/],
  'a body of 10 MB': [`${POST}Content-Length: 10000000\r\n${CLOSE}${'x'.repeat(100_000)}`, /^413$/],
  'a body longer than it says': [`${POST}Content-Length: 2\r\n\r\n{}{}{}{}\r\n\r\n`, /^400$/],
  'two lengths': [`${CHUNKED}Content-Length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n`, /^400$/],
  'unannounced trailers': [`${CHUNKED}${CLOSE}2\r\n{}\r\n0\r\nCookie: a=b\r\n\r\n`, /^400$/],
  'a cookie of 15 KB': [`${ME}Cookie: ${'svc_session=a; '.repeat(1000)}\r\n${CLOSE}`, /^401$/],
  'a cookie of signs': [`${ME}Cookie: ;;==;=svc_session;svc_session==\r\n${CLOSE}`, /^401$/],
  'a cookie that is not ASCII': [`${ME}Cookie: svc_session=\xff\xfe\r\n${CLOSE}`, /^401$/],
  CONNECT: ['CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n', /^$/],
  'an upgrade': [`${GET}Upgrade: websocket\r\nConnection: Upgrade, close\r\n\r\n`, /^200$/],
  'another host in its target': [`GET http://y/svcops HTTP/1.1\r\nHost: x\r\n${CLOSE}`, /^404$/],
};

describe('a wrong request', () => {
  for (const [what, [bytes, statuses]] of Object.entries(WRONG))
    it(`is refused or ignored: ${what}`, async () => {
      const answer = await sendRaw(server.port, Buffer.from(bytes, 'latin1'));
      const heads = [...answer.matchAll(/HTTP\/1\.1 (\d{3}) [\s\S]*?\r\n\r\n/g)];
      assert.match(heads.map(([, status]) => status).join(' '), statuses);
      for (const [head] of heads)
        assert.match(
          head,
          /^HTTP\/1\.1 (\d+ [\w ]+\r\nContent-Security-Policy|4\d\d .*\r\n(Connection|Date)): /,
        );
      assert.equal((await send(server.origin, 'GET /')).status, 200);
      assert.deepEqual(server.stderr, []);
    });
});

it('a connection whose client reads nothing is not read from, until the client reads', async () => {
  const body = Buffer.alloc(100_000);
  const { server, port } = await serve(() => {
    socket.write(`${GET}\r\n`);
    return { status: 200, headers: [], body };
  });
  const connected = once(server, 'connection');
  const socket = net.connect(port, '127.0.0.1');
  const [peer] = await connected;
  socket.write(`${GET}\r\n${GET}\r\n`);
  await once(peer, 'pause');
  socket.resume();
  await once(peer, 'resume');
  socket.destroy();
});
