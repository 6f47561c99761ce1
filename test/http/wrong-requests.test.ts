/** Requests that are wrong in every way that a parser may be asked to bear: refused or ignored, with the headers of every reply. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { send, sendRaw } from '../support/client.ts';
import { siteForAll } from '../support/site.ts';

const LOGIN = 'POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

const site = siteForAll();
const server = await site.start();

/** What is sent, and the status line of each reply that it may get; none where the connection is closed without one. */
const RUDE: Record<string, readonly [bytes: string, statuses: RegExp]> = {
  'a header of 20 KB': [`GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`, /^431$/],
  '3,000 headers': [
    `GET / HTTP/1.1\r\nHost: x\r\n${'a:\r\n'.repeat(3000)}Connection: close\r\n\r\n`,
    /^(200|431)$/,
  ],
  'a path of 15 KB': [
    `GET /${'y'.repeat(15_000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    /^404$/,
  ],
  'no Host': ['GET / HTTP/1.1\r\n\r\n', /^400$/],
  'two Hosts': ['GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n', /^(200|400)$/],
  'an expectation nobody knows': [
    'GET / HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n',
    /^200$/,
  ],
  'a body of 10 MB': [
    `${LOGIN}Content-Length: 10000000\r\nConnection: close\r\n\r\n${'x'.repeat(100_000)}`,
    /^413$/,
  ],
  'a body longer than it says': [
    `${LOGIN}Content-Length: 2\r\n\r\n{}{}{}{}\r\n\r\n`,
    /^400( 400)?$/,
  ],
  'Content-Length with Transfer-Encoding': [
    `${LOGIN}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    /^400$/,
  ],
  'two Content-Lengths': [`${LOGIN}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, /^400$/],
  'a negative Content-Length': [`${LOGIN}Content-Length: -1\r\n\r\n`, /^400$/],
  'an endless Content-Length': [`${LOGIN}Content-Length: 99999999999999999999\r\n\r\n{}`, /^400$/],
  'an encoding nobody knows': [`${LOGIN}Transfer-Encoding: gzip, x\r\n\r\n`, /^400$/],
  'a chunk longer than it says': [
    `${LOGIN}Transfer-Encoding: chunked\r\n\r\n2\r\n{}{}{}\r\n0\r\n\r\n`,
    /^400$/,
  ],
  'a chunk size that is none': [
    `${LOGIN}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
    /^400$/,
  ],
  'a chunk size beyond all numbers': [
    `${LOGIN}Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}`,
    /^400$/,
  ],
  'chunk extensions without end': [
    `${LOGIN}Transfer-Encoding: chunked\r\n\r\n2;${'x'.repeat(50_000)}\r\n{}\r\n0\r\n\r\n`,
    /^(400|413|431)$/,
  ],
  'trailers that nobody announced': [
    `${LOGIN}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n2\r\n{}\r\n0\r\nCookie: a=b\r\n\r\n`,
    /^400$/,
  ],
  'a NUL in a header': ['GET / HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n', /^400$/],
  'a NUL in the path': ['GET /\0 HTTP/1.1\r\nHost: x\r\n\r\n', /^400$/],
  'a NUL in the email': [
    `${LOGIN}Content-Length: 30\r\nConnection: close\r\n\r\n{"email":"a\\u0000@example.com"}`,
    /^400$/,
  ],
  'a body that is not UTF-8': [
    `${LOGIN}Content-Length: 22\r\nConnection: close\r\n\r\n{"email":"\xff\xfe\xc0@x.com"} `,
    /^(400|403)$/,
  ],
  'a line that ends with LF alone': ['GET / HTTP/1.1\nHost: x\n\n', /^(200|400)$/],
  'a header folded over two lines': [
    'GET / HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\nConnection: close\r\n\r\n',
    /^(200|400)$/,
  ],
  'a space before the colon': ['GET / HTTP/1.1\r\nHost : x\r\n\r\n', /^400$/],
  'a cookie of 15 KB': [
    `GET /auth/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\nCookie: ${'svc_session=a; '.repeat(1000)}\r\n\r\n`,
    /^401$/,
  ],
  'a cookie of nothing but signs': [
    'GET /auth/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\nCookie: ;;==;=svc_session;svc_session==\r\n\r\n',
    /^401$/,
  ],
  'a cookie that is not ASCII': [
    'GET /auth/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\nCookie: svc_session=\xff\xfe\r\n\r\n',
    /^401$/,
  ],
  CONNECT: ['CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n', /^$/],
  'an upgrade': [
    'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n',
    /^200$/,
  ],
  'HTTP/2 from the first byte': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', /^400$/],
  TLS: ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', /^400$/],
  'another host in the target': [
    'GET http://example.com/svcops HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    /^404$/,
  ],
};

describe('what is wrong', () => {
  for (const [what, [bytes, statuses]] of Object.entries(RUDE)) {
    it(`is refused or ignored: ${what}`, async () => {
      const answer = await sendRaw(server.port, Buffer.from(bytes, 'latin1'));
      const lines = [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status);
      assert.match(lines.join(' '), statuses);
      for (const [head] of answer.matchAll(/HTTP\/1\.1 [\s\S]*?\r\n\r\n/g))
        assert.match(head, /Content-Security-Policy: default-src 'none'/);
      assert.equal((await send(server.origin, 'GET /')).status, 200);
      assert.deepEqual(server.stderr, []);
    });
  }
});
