/**
 * HTTP for all routes: headers, HEAD, ETags, invalid requests, and the body and origin of a POST.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { securityHeaders } from '../../lib/http/security-headers.ts';
import { anotherClient, send, sendRaw } from '../support/client.ts';
import { eventsIn } from '../support/rows.ts';
import { serve } from '../support/serve.ts';
import { type Case, startService } from '../support/service.ts';

const service = await startService();
const { origin, port } = await serve(service.handle, securityHeaders(false));
const cookie = await service.beginSession('invitee');

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

it('a request target is compared unchanged, an absolute one by its path', async () => {
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

/** Cache-Control of paths. A client that keeps such a reply asks again with its ETag. */
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
      const get = await ask('GET');
      const head = await ask('HEAD');
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

/**
 * Sends bytes.
 *
 * @returns the status of the reply. What node:http refuses has a bare reply, or none.
 */
const WRONG: Readonly<Record<string, readonly [bytes: string, status: string]>> = {
  'what is not HTTP': ['nonsense\r\n\r\n', '400'],
  'a header of 20 KB': [`${GET}X: ${'y'.repeat(20_000)}\r\n\r\n`, '431'],
  'an unknown expectation': [`${GET}Expect: wonders\r\n${CLOSE}`, '417'],
  'a body of 10 MB': [`${POST}Content-Length: 10000000\r\n${CLOSE}${'x'.repeat(100_000)}`, '413'],
  'chunks over 10 KiB': [`${CHUNKED}\r\n3000\r\n${'x'.repeat(0x3000)}\r\n`, '413'],
  'two lengths': [`${CHUNKED}Content-Length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n`, '400'],
  'a cookie of 15 KB': [`${ME}Cookie: ${'svc_session=a; '.repeat(1000)}\r\n${CLOSE}`, '401'],
  'a cookie that is not ASCII': [`${ME}Cookie: ;=;svc_session=\xff\xfe\r\n${CLOSE}`, '401'],
  CONNECT: ['CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n', ''],
  'HEAD of a POST': [`HEAD /auth/login HTTP/1.1\r\nHost: x\r\n${CLOSE}`, '404'],
};
for (const [what, [bytes, status]] of Object.entries(WRONG))
  it(`a wrong request is refused or ignored: ${what}`, async () => {
    const [head = ''] = (await sendRaw(port, Buffer.from(bytes, 'latin1'))).split('\r\n\r\n');
    assert.equal(/^HTTP\/1\.1 (\d+) /.exec(head)?.[1] ?? '', status);
    assert.match(head, /^$|\r\nContent-Security-Policy: |^HTTP\/1\.1 4\d\d [^\r]*\r\n(Conn|Date)/);
    if (status === '413') assert.match(head, /\r\nConnection: close/);
    assert.equal((await send(origin, 'GET /')).status, 200);
  });

const EMAIL = '"email":"invitee@example.com"';
const sized = (bytes: number) => `{${EMAIL},"x":"${'x'.repeat(bytes - EMAIL.length - 9)}"}`;
const JSON_TYPE = 'application/json';

/** A login with a body of a type. */
service.testRequests(
  (
    [
      [200, /./, sized(10_240), JSON_TYPE],
      [200, /./, `{${EMAIL}}`, 'Application/JSON; charset=utf-8'],
      [413, 'body_too_large', sized(10_241), JSON_TYPE],
      ...['text/plain', 'application/jsonp', ''].map(
        (type) => [415, 'unsupported_media_type', `{${EMAIL}}`, type] as const,
      ),
      [400, 'invalid_email', '', 'text/plain'],
      ...['{', '[]', '1', 'null', '\ufeff{}', Buffer.from('{"email":"\xff"}', 'latin1')].map(
        (body) => [400, 'invalid_json', body, JSON_TYPE] as const,
      ),
    ] as const
  ).map(([status, content, body, type]): Case => {
    const options = { body, headers: { ...anotherClient(), 'Content-Type': type } };
    const said = typeof content === 'string' ? { error: content } : content;
    return ['POST /auth/login', 'stranger', status, said, options];
  }),
);

const own = await startService({ publicOrigin: 'https://preview.example.com' });
own.testRequests(
  (
    [
      [403, 'cross-site'],
      [403, 'same-site'],
      [403, undefined, 'https://evil.example'],
      [403, undefined, 'null'],
      [403, undefined, 'http://127.0.0.1:1'],
      [403, 'cross-site', 'http://localhost:3000'],
      [200, 'same-origin', 'https://whatever.example'],
      // A typed URL, the public origin, the host of the request, and a client that is no browser.
      [200, 'none'],
      [200, undefined, 'https://preview.example.com'],
      [200, undefined, 'http://localhost:3000'],
      [200],
    ] as const
  ).map(([status, site, from]): Case => {
    const headers = { ...(site && { 'Sec-Fetch-Site': site }), ...(from && { Origin: from }) };
    const content = status === 200 ? { ok: true } : { error: 'cross_origin' };
    return ['POST /api/project-join', 'invitee', status, content, { headers }];
  }),
);
