/** The limiter: what counts as one client, and when its window ends. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { clientOf, createLimiter } from '../../lib/http/limiter.ts';

/** The X-Forwarded-For header, the peer, and the client. */
const CLIENTS = [
  [undefined, '127.0.0.1', '127.0.0.1'],
  ['203.0.113.9', '127.0.0.1', '203.0.113.9'],
  ['192.0.2.1, 198.51.100.1, 203.0.113.9', '127.0.0.1', '203.0.113.9'],
  ['203.0.113.9, ', '127.0.0.1', '127.0.0.1'],
  ['unknown', '127.0.0.1', '127.0.0.1'],
  ['::ffff:203.0.113.9', '127.0.0.1', '203.0.113.9'],
  ['::FFFF:cb00:7109', '127.0.0.1', '203.0.113.9'],
  ['2001:db8::1', '127.0.0.1', '2001:db8:0:0'],
  ['2001:DB8:0:0:ffff::', '127.0.0.1', '2001:db8:0:0'],
  ['2001:db8:0:1::1', '127.0.0.1', '2001:db8:0:1'],
  ['2001:db8:1:2:3:4:5:6', '127.0.0.1', '2001:db8:1:2'],
  ['::1', '127.0.0.1', '0:0:0:0'],
  ['fe80::1%eth0', '127.0.0.1', 'fe80:0:0:0'],
  [undefined, '::ffff:127.0.0.1', '127.0.0.1'],
] as const;

for (const [forwarded, peer, client] of CLIENTS)
  test(`${forwarded} from ${peer} is ${client}`, () => {
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    const request = { method: 'GET', path: '/', query: '', headers, peer, body: {} };
    assert.equal(clientOf(request), client);
  });

test('a window is fixed: it begins with the first attempt, and its end lets in again', (t) => {
  let now = 1000;
  t.mock.method(performance, 'now', () => now);
  const lines: string[] = [];
  t.mock.method(console, 'error', (line: string) => lines.push(line));
  const countAttempt = createLimiter(2, 60_000);
  assert.equal(countAttempt('a'), 0);
  now += 59_000;
  assert.equal(countAttempt('a'), 0);
  assert.equal(countAttempt('a'), 1000);
  assert.equal(countAttempt('b'), 0);
  now += 999;
  assert.equal(countAttempt('a'), 1);
  // The first refusal of a window, without the address.
  assert.deepEqual(lines, ['429: a client is refused for 1 minutes: too many logins']);
  now += 1;
  assert.equal(countAttempt('a'), 0);
  countAttempt('a');
  countAttempt('a');
  assert.equal(lines.length, 2);
});

test('a client is remembered without the header that named it', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const countAttempt = createLimiter(1, 60_000);
  const padding = 'x'.repeat(15_000);
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < 2000; i += 1) {
    const address = `198.100.${100 + (i % 100)}.${100 + Math.floor(i / 100)}`;
    // As a parser makes it: one text.
    const headers = { 'x-forwarded-for': Buffer.from(`${padding},${address}`).toString() };
    countAttempt(clientOf({ method: 'GET', path: '/', query: '', headers, peer: '' }));
  }
  collect();
  assert.ok(process.memoryUsage().heapUsed - before < 10_000_000);
});

test('100,000 clients are remembered, and then the first window is forgotten', () => {
  const countAttempt = createLimiter(1, 60_000);
  countAttempt('first');
  for (let i = 1; i < 100_000; i += 1) countAttempt(`client ${i}`);
  assert.ok(countAttempt('first') > 0);
  countAttempt('one more');
  assert.ok(countAttempt('client 1') > 0);
  assert.equal(countAttempt('first'), 0);
});
