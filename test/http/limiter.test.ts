/** The login limit's parts: the address of a client, and the windows. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { clientAddress, rateLimiter } from '../../lib/http/limiter.ts';

for (const [expected, peer, ...forwarded] of [
  ['203.0.113.1', '203.0.113.1', undefined, '198.51.100.1'],
  ['203.0.113.1', '::ffff:203.0.113.1', undefined],
  ['198.51.100.1', '::1', '198.51.100.1'],
  ['198.51.100.1', '::ffff:127.0.0.1', '198.51.100.1'],
  ['198.51.100.1', '127.0.0.1', '192.0.2.1, 198.51.100.1', 'x,198.51.100.1 '],
  ['127.0.0.1', '127.0.0.1', 'nonsense', ''],
  ['2001:db8:1:2::/64', '127.0.0.1', '2001:DB8:1:2:ffff::1'],
  ['2001:db8:1:2::/64', '2001:0db8:0001:0002::', undefined],
  ['2001:db8:0:0::/64', '2001:db8::1', undefined],
  ['fe80:0:0:0::/64', 'fe80::1%eth0', undefined],
  ['', '', undefined],
] as const)
  for (const header of forwarded)
    it(`the address of ${peer} with X-Forwarded-For: ${header} is ${expected}`, () => {
      const headers = header === undefined ? {} : { 'x-forwarded-for': header };
      assert.equal(clientAddress({ peer, headers }), expected);
    });

it('the limiter allows so many attempts in a window, then says how long it still lasts', (t) => {
  let time = 1000;
  t.mock.method(performance, 'now', () => time);
  const attempt = rateLimiter(2, 100);
  assert.deepEqual([attempt('a'), attempt('a'), attempt('a')], [0, 0, 100]);
  time += 60;
  assert.deepEqual([attempt('a'), attempt('b')], [40, 0]);
  time += 40;
  assert.equal(attempt('a'), 0, 'a new window begins');
});

it('the limiter remembers a bounded number of clients', () => {
  const attempt = rateLimiter(1, 1e9, 10);
  for (let i = 0; i < 10; i += 1) attempt(`client${i}`);
  assert.notEqual(attempt('client0'), 0);
  assert.equal(attempt('another'), 0);
  assert.equal(attempt('client0'), 0, 'forgotten');
});
