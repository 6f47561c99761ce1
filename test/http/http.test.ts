/** HTTP for all routes: headers, HEAD, ETags, invalid requests, and the body and origin of a POST. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { securityHeaders } from '../../lib/http/security-headers.ts';
import { anotherClient, send, sendRaw } from '../support/client.ts';
import { type Case, inject } from '../support/inject.ts';
import { eventsIn } from '../support/rows.ts';
import { serve } from '../support/serve.ts';

const service = await inject();
const { origin, port } = await serve(service.handle, securityHeaders(false));
const cookie = await service.begin('invitee');

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

it('every reply carries the security headers', async () => {
  for (const line of ['GET /', 'HEAD /', 'GET /lost', 'POST /auth/login', 'DELETE /timeline']) {
    const { headers } = await send(origin, line, { headers: anotherClient() });
    for (const [name, value] of Object.entries(SECURITY))
      assert.equal(headers.get(name), value, `${name} of ${line}`);
    assert.match(headers.get('permissions-policy') ?? '', /camera=\(\).*geolocation=\(\)/);
  }
});

it('a target is compared as it is, in absolute form by its path and query', async () => {
  const status = async (target: string, host = 'Host: x\r\n') => {
    const head = `GET ${target} HTTP/1.1\r\n${host}Cookie: ${cookie}\r\nConnection: close\r\n\r\n`;
    return /^HTTP\/1\.1 (\d+) /.exec(await sendRaw(port, head))?.[1];
  };
  const unknown =
    '/%74imeline /./ // /Timeline /timeline/ /constructor http://x/lost http:///timeline';
  const known =
    'http://x/robots.txt http://x/ http://x http://x?y=/z HTTPS://x:8080/timeline?view=mobile';
  for (const target of `${unknown} http://x//robots.txt ftp://x/robots.txt`.split(' '))
    assert.equal(await status(target), '404', target);
  for (const target of known.split(' ')) assert.equal(await status(target), '200', target);
  const [view] = service.read((readers) => eventsIn(readers, { type: 'timeline_view' }));
  assert.deepEqual(view?.meta, { view: 'mobile', forced: true });
  assert.equal(await status('http://x/', ''), '400', 'it does not replace the Host header');
});

/** What may keep the reply of a path, which it then asks for again by its ETag. */
const CACHED: Readonly<Record<string, string>> = {
  'no-cache': '/ /entry.css /favicon.svg',
  'private, no-cache': '/timeline.js /timeline-desktop.css',
  'no-store': '/auth/me /timeline /lost /svcops',
};
for (const [cached, paths] of Object.entries(CACHED))
  for (const path of paths.split(' '))
    it(`GET ${path} is answered like HEAD with a body, ${cached}`, async () => {
      const ask = (method: string, headers = {}) =>
        send(origin, `${method} ${path}`, { cookie, headers });
      const [get, head] = [await ask('GET'), await ask('HEAD')];
      assert.deepEqual([head.status, head.text], [get.status, '']);
      for (const { headers } of [get, head]) headers.delete('date');
      assert.deepEqual([...head.headers], [...get.headers]);
      const etag = get.headers.get('etag') ?? '';
      assert.equal(get.headers.get('cache-control'), cached);
      assert.match(etag, cached === 'no-store' ? /^$/ : /^"[\w-]{43}"$/);
      if (etag)
        for (const known of [etag, '*', `"x", W/${etag}`]) {
          const again = await ask('GET', { 'If-None-Match': known });
          const shown = [again.status, again.text, again.headers.get('etag')];
          assert.deepEqual(shown, [304, '', etag]);
        }
    });

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n';
const ME = 'GET /auth/me HTTP/1.1\r\nHost: x\r\n';
const POST = 'POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
const CHUNKED = `${POST}Transfer-Encoding: chunked\r\n`;
const CLOSE = 'Connection: close\r\n\r\n';

/** Bytes, and the status of the reply. What node:http refuses has a bare reply, or none. */
const WRONG: Readonly<Record<string, readonly [bytes: string, status: string]>> = {
  'what is not HTTP': ['nonsense\r\n\r\n', '400'],
  'a header of 20 KB': [`${GET}X: ${'y'.repeat(20_000)}\r\n\r\n`, '431'],
  'a path of 15 KB': [`GET /${'y'.repeat(15_000)} HTTP/1.1\r\nHost: x\r\n${CLOSE}`, '404'],
  'an unknown expectation': [`${GET}Expect: wonders\r\n${CLOSE}`, '417'],
  'a body of 10 MB': [`${POST}Content-Length: 10000000\r\n${CLOSE}${'x'.repeat(100_000)}`, '413'],
  'chunks over 10 KiB': [`${CHUNKED}\r\n3000\r\n${'x'.repeat(0x3000)}\r\n`, '413'],
  'two lengths': [`${CHUNKED}Content-Length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n`, '400'],
  'a cookie of 15 KB': [`${ME}Cookie: ${'svc_session=a; '.repeat(1000)}\r\n${CLOSE}`, '401'],
  'a cookie that is not ASCII': [`${ME}Cookie: ;=;svc_session=\xff\xfe\r\n${CLOSE}`, '401'],
  CONNECT: ['CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n', ''],
  'an upgrade': [`${GET}Upgrade: websocket\r\nConnection: Upgrade, close\r\n\r\n`, '200'],
  HEAD: [`HEAD /auth/login HTTP/1.1\r\nHost: x\r\n${CLOSE}`, '404'],
};
for (const [what, [bytes, status]] of Object.entries(WRONG))
  it(`a wrong request is refused or ignored: ${what}`, async () => {
    const [head = ''] = (await sendRaw(port, Buffer.from(bytes, 'latin1'))).split('\r\n\r\n');
    assert.equal(/^HTTP\/1\.1 (\d+) /.exec(head)?.[1] ?? '', status);
    assert.match(head, /^$|\r\nContent-Security-Policy: |^HTTP\/1\.1 4\d\d [^\r]*\r\n(Conn|Date)/);
    if (status === '413') assert.match(head, /\r\nConnection: close/);
    assert.equal((await send(origin, 'GET /')).status, 200);
  });

const LOGIN = 'POST /auth/login';
const EMAIL = '"email":"invitee@example.com"';

describe('a JSON body', () => {
  const sized = (bytes: number) => `{${EMAIL},"x":"${'x'.repeat(bytes - EMAIL.length - 9)}"}`;
  const of = (body: string | Buffer<ArrayBuffer>, type = 'application/json') => ({
    body,
    headers: { ...anotherClient(), 'Content-Type': type },
  });
  const refused = (status: number, error: string, ...body: Parameters<typeof of>): Case => [
    LOGIN,
    'stranger',
    status,
    { error },
    of(...body),
  ];
  service.each([
    [LOGIN, 'stranger', 200, /./, of(sized(10_240))],
    [LOGIN, 'stranger', 200, /./, of(`{${EMAIL}}`, 'Application/JSON; charset=utf-8')],
    refused(413, 'body_too_large', sized(10_241)),
    ...['text/plain', 'application/jsonp', ''].map((type) =>
      refused(415, 'unsupported_media_type', `{${EMAIL}}`, type),
    ),
    refused(400, 'invalid_email', '', 'text/plain'),
    ...['{', '[]', '"x"', '1', 'null', '\ufeff{}'].map((body) =>
      refused(400, 'invalid_json', body),
    ),
    // Not UTF-8.
    ...['\xff', '\xc0\xaf', '\xed\xa0\x80'].map((bytes) =>
      refused(400, 'invalid_json', Buffer.from(`{"email":"a${bytes}@example.com"}`, 'latin1')),
    ),
  ]);
});

describe('a POST from another origin', async () => {
  const own = await inject({ publicOrigin: 'https://preview.example.com' });
  const join = (headers: Readonly<Record<string, string>>, status: number): Case => {
    const content = status === 200 ? { ok: true } : { error: 'cross_origin' };
    return ['POST /api/project-join', 'invitee', status, content, { headers }];
  };
  own.each([
    join({ 'Sec-Fetch-Site': 'cross-site' }, 403),
    join({ 'Sec-Fetch-Site': 'same-site' }, 403),
    join({ Origin: 'https://evil.example' }, 403),
    join({ Origin: 'null' }, 403),
    join({ Origin: 'http://127.0.0.1:1' }, 403),
    join({ Origin: 'http://localhost:3000', 'Sec-Fetch-Site': 'cross-site' }, 403),
    // The same origin, a typed URL, the public origin, the own host, and no browser.
    join({ 'Sec-Fetch-Site': 'same-origin', Origin: 'https://whatever.example' }, 200),
    join({ 'Sec-Fetch-Site': 'none' }, 200),
    join({ Origin: 'https://preview.example.com' }, 200),
    join({ Origin: 'http://localhost:3000' }, 200),
    join({}, 200),
  ]);
});
