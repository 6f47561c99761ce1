/** The login limit's parts: the address of a client, and the windows; and the cookies of a request. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { clientAddress, rateLimiter } from '../../lib/http/limiter.ts';
import { readCookies } from '../../lib/http/cookies.ts';

describe('readCookies', () => {
  const request = { method: 'GET', path: '/', query: '', peer: '', body: Readable.from([]) };
  for (const [values, ...cookies] of [
    [['1'], 'a=1', 'b=2; a=1', 'b=2;a=1', ' a = 1 ;', 'A=2; a=1'],
    [['1', '2'], 'a=1;b=3;a=2'],
    [[''], 'a='],
    [['b=c'], 'a=b=c'],
    [[], undefined, '', 'aa=1', 'a', '=1', ';;;'],
  ] as const)
    for (const cookie of cookies)
      it(`finds ${values} in ${cookie}`, () => {
        const headers = cookie === undefined ? {} : { cookie };
        assert.deepEqual(readCookies({ ...request, headers }, 'a'), values);
      });
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

describe('the limiter', () => {
  it('allows so many attempts in a window, then says how long it still lasts', (t) => {
    let time = 1000;
    t.mock.method(performance, 'now', () => time);
    const attempt = rateLimiter(2, 100);
    assert.deepEqual([attempt('a'), attempt('a'), attempt('a')], [0, 0, 100]);
    time += 60;
    assert.equal(attempt('a'), 40);
    assert.equal(attempt('b'), 0, 'another client has a window of its own');
    time += 40;
    assert.equal(attempt('a'), 0, 'a new window begins');
    time += 99;
    assert.deepEqual([attempt('a'), attempt('a')], [0, 1]);
  });

  it('remembers a bounded number of clients, the most recent ones', () => {
    const attempt = rateLimiter(1, 1e9, 10);
    attempt('regular');
    for (let i = 0; i < 1000; i += 1) {
      attempt(`passing${i}`);
      if (i % 5 === 0) assert.notEqual(attempt('regular'), 0, `after ${i}`);
    }
    assert.equal(attempt('passing0'), 0, 'forgotten');
  });
});
