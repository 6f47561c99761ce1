/** The parts of lib/http that need no server: cookies, client address, limiter, router, ranges. */
import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import v8 from 'node:v8';
import vm from 'node:vm';
import { clientAddress } from '../../lib/http/client-address.ts';
import { readCookies } from '../../lib/http/cookies.ts';
import { selectRange } from '../../lib/http/files.ts';
import { rateLimiter } from '../../lib/http/limiter.ts';
import { NOT_FOUND, statusOnly } from '../../lib/http/reply.ts';
import type { Request } from '../../lib/http/request.ts';
import { router } from '../../lib/http/router.ts';

describe('readCookies', () => {
  for (const [values, ...headers] of [
    [['1'], 'a=1', 'b=2; a=1', 'b=2;a=1', ' a = 1 ;', 'A=2; a=1'],
    [['1', '2'], 'a=1; a=2', 'a=1;b=3;a=2'],
    [[''], 'a='],
    [['b=c'], 'a=b=c'],
    [['"q"'], 'a="q"'],
    [[], undefined, '', 'aa=1', 'a', '=1', ';;;'],
  ] as const)
    for (const header of headers)
      it(`finds ${values} in ${header}`, () => assert.deepEqual(readCookies(header, 'a'), values));
});

describe('clientAddress', () => {
  for (const [expected, peer, ...forwarded] of [
    ['203.0.113.1', '203.0.113.1', undefined, '198.51.100.1'],
    ['203.0.113.1', '::ffff:203.0.113.1', undefined],
    ['203.0.113.1', '::ffff:cb00:7101', undefined],
    ['198.51.100.1', '::1', '198.51.100.1'],
    ['198.51.100.1', '::ffff:127.0.0.1', '198.51.100.1'],
    ['198.51.100.1', '127.0.0.1', '198.51.100.1', '192.0.2.1, 198.51.100.1', 'x,198.51.100.1 '],
    ['127.0.0.1', '127.0.0.1', 'nonsense', ''],
    ['2001:db8:1:2::/64', '127.0.0.1', '2001:DB8:1:2:ffff::1'],
    ['2001:db8:1:2::/64', '2001:db8:1:2:3:4:5:6', undefined],
    ['2001:db8:1:2::/64', '2001:0db8:0001:0002::', undefined],
    ['2001:db8:0:0::/64', '2001:db8::1', undefined],
    ['fe80:0:0:0::/64', 'fe80::1%eth0', undefined],
    ['', '', undefined],
  ] as const)
    for (const header of forwarded)
      it(`of ${peer} with X-Forwarded-For: ${header} is ${expected}`, () => {
        const headers = header === undefined ? {} : { 'x-forwarded-for': header };
        assert.equal(clientAddress({ peer, headers }), expected);
      });
});

it('clientAddress does not keep a long header in memory', () => {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc') as () => void;
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const number = 2000;
  const addresses: string[] = [];
  const before = heap();
  for (let n = 0; n < number; n += 1) {
    // As in node:http, which decodes a header from bytes.
    const header = Buffer.from(`${'1'.repeat(16_000)}, 198.51.100.${100 + (n % 100)}`).toString();
    addresses.push(clientAddress({ peer: '127.0.0.1', headers: { 'x-forwarded-for': header } }));
  }
  const each = (heap() - before) / number;
  assert.ok(each < 1000, `${each} bytes for each of ${addresses.length}`);
});

describe('the limiter', () => {
  it('allows so many attempts in a window, then says how long it still lasts', () => {
    let time = 1000;
    const attempt = rateLimiter({ limit: 2, window: 100 }, 10, () => time);
    assert.deepEqual([attempt('a'), attempt('a'), attempt('a')], [0, 0, 100]);
    time += 60;
    assert.equal(attempt('a'), 40);
    assert.equal(attempt('b'), 0, 'another client has a window of its own');
    time += 40;
    assert.equal(attempt('a'), 0, 'a new window begins');
    time += 99;
    assert.equal(attempt('a'), 0);
    assert.equal(attempt('a'), 1);
  });

  it('remembers a bounded number of clients, the most recent ones', () => {
    const attempt = rateLimiter({ limit: 1, window: 1e9 }, 10, () => 0);
    attempt('regular');
    for (let i = 0; i < 1000; i += 1) {
      attempt(`passing${i}`);
      if (i % 5 === 0) assert.notEqual(attempt('regular'), 0, `after ${i}`);
    }
    assert.equal(attempt('passing0'), 0, 'forgotten');
  });
});

describe('the router', () => {
  const body = Readable.from([]);
  const request = (method: string, path: string): Request => {
    return { method, path, query: '', headers: {}, peer: '', body };
  };
  const route = router(
    [
      ['GET /a', () => statusOnly(201)],
      ['POST /a', () => statusOnly(202)],
    ],
    () => NOT_FOUND,
  );

  it('finds a handler by method and path, for HEAD that of GET', async () => {
    const status = async (method: string) => (await route(request(method, '/a'))).status;
    assert.deepEqual(await Promise.all(['GET', 'HEAD', 'POST'].map(status)), [201, 201, 202]);
  });

  it('gives all other requests to one handler', async () => {
    for (const line of ['PUT /a', 'GET /a/', 'GET /b', 'GET ', 'GET /constructor', ' ']) {
      const [method = '', path = ''] = line.split(' ');
      assert.equal(await route(request(method, path)), NOT_FOUND);
    }
    assert.ok(Object.isFrozen(NOT_FOUND) && Object.isFrozen(NOT_FOUND.headers));
  });
});

const ETAG = '"a"';
const DATE = 'Sun, 06 Nov 1994 08:49:37 GMT';

/** The status, and the bytes, both ends included. */
function selected(headers: IncomingHttpHeaders, size = 100, method = 'GET'): string {
  const { status, first, last } = selectRange({ method, headers }, size, ETAG);
  return status < 300 ? `${status} ${first}-${last}` : String(status);
}

const RANGES: Readonly<Record<string, string>> = {
  '206 0-0': 'bytes=0-0',
  '206 0-1': 'bytes=0-1',
  '206 10-19': 'bytes=10-19',
  '206 1-2': 'Bytes=1-2 bytes=001-002',
  '206 0-99': 'bytes=0- bytes=0-99 bytes=-100 bytes=-101',
  '206 90-99': 'bytes=90-100 bytes=90-99999999999999999999999999999999',
  '206 99-99': 'bytes=99- bytes=-1',
  416: `bytes=100- bytes=100-100 bytes=-0 bytes=${'9'.repeat(400)}-`,
  // Several ranges, other units, and what is no range.
  '200 0-99': `bytes=0-1,3-4 bytes=0-1, bytes=${'0-0,'.repeat(3000)}1-1 bytes=5-4 bytes=- bytes= bytes=a-b
    bytes=1 bytes=--1 bytes=1-2-3 bytes=+1-2 bytes=0x1-2 bytes=1e1- items=0-1`,
};

describe('a Range of 100 bytes', () => {
  for (const [expected, ranges] of Object.entries(RANGES))
    for (const range of ranges.split(/\s+/))
      it(`${range.slice(0, 50)}: ${expected}`, () => assert.equal(selected({ range }), expected));

  for (const range of ['', 'bytes 0-1'])
    it(`"${range}" is none`, () => assert.equal(selected({ range }), '200 0-99'));

  it('of HEAD is ignored', () =>
    assert.equal(selected({ range: 'bytes=0-1' }, 100, 'HEAD'), '200 0-99'));

  it('of an empty file has no byte', () => {
    assert.equal(selected({}, 0), '200 0--1');
    for (const range of ['bytes=0-', 'bytes=-5', 'bytes=-0'])
      assert.equal(selected({ range }, 0), '416');
  });
});

describe('a Range and', () => {
  for (const [name, expected, ...values] of [
    ['if-range', '206 0-1', ETAG],
    ['if-range', '200 0-99', `W/${ETAG}`, '"b"', DATE, '*', ''],
    ['if-none-match', '304', ETAG, `"b", W/${ETAG}`, '*'],
    ['if-none-match', '206 0-1', '"b"'],
    ['if-modified-since', '206 0-1', DATE],
  ] as const)
    for (const value of values)
      it(`${name}: ${value}: ${expected}`, () =>
        assert.equal(selected({ range: 'bytes=0-1', [name]: value }), expected));

  it('If-None-Match and If-Range: the first decides', () =>
    assert.equal(selected({ 'if-none-match': ETAG, 'if-range': '"b"' }), '304'));
});

it('If-Range without a Range is ignored', () =>
  assert.equal(selected({ 'if-range': '"b"' }), '200 0-99'));
