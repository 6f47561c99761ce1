/**
 * Logins, their records and limit; sessions and their cookie. test/faults/clock.test.ts lets them
 * expire.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { clientAddress, rateLimiter } from '../../lib/http/limiter.ts';
import * as client from '../support/client.ts';
import { filesWith } from '../support/database.ts';
import { addInvite, eventsIn, IPHONE, PHONE } from '../support/rows.ts';
import { type Case, startService } from '../support/service.ts';
import { installationForAll } from '../support/temporary.ts';
import { toolsOn } from '../support/tools.ts';

const { anotherClient, FORGED_COOKIE, sessionCookie } = client;
const { beginSession, testRequests, send, read } = await startService({}, (writer) => {
  addInvite(writer, 'eva@xn--bcher-kva.example.com', { firstName: 'Eva' });
  addInvite(writer, 'grace@example.com');
  addInvite(writer, 'zo\u00eb@example.com', { firstName: 'Composed' });
  addInvite(writer, "o'connor@example.com", { firstName: 'Sean' });
  // Older versions stored such an address, with a letter and an accent of its own, as it was typed.
  addInvite(writer, 'jose\u0301@example.com', { firstName: 'Decomposed' });
  addInvite(writer, 'jos\u00e9@example.com', { firstName: 'Composed' });
});

const login = (json: unknown, headers: Record<string, string> = anotherClient()) =>
  send('POST /auth/login', { json, headers });
const me = async (cookie: string) => (await send('GET /auth/me', { cookie })).status;

// test/address.test.ts tests which texts are addresses.
const MALFORMED: readonly unknown[] = [
  ...[undefined, null, '', 'ada@example', 42, true, {}, { toString: 1 }, [[[]]]],
  `${'a'.repeat(243)}@example.com`,
];
const invalid = { error: 'invalid_email' };

describe('POST /auth/login', () => {
  const loginCase = (email: unknown, status: number, content: object): Case => {
    const options = { json: { email }, headers: anotherClient() };
    return ['POST /auth/login', 'stranger', status, content, options];
  };
  /** Deeply nested. */
  const body = `{"email":${'['.repeat(5000)}${']'.repeat(5000)}}`;
  const headers = { ...anotherClient(), 'Content-Type': 'application/json' };
  testRequests([
    loginCase('  INVITEE@Example.COM\t', 200, { ok: true, firstName: 'Ada' }),
    loginCase('\u2068eva@bücher.example.com\u2069', 200, { ok: true, firstName: 'Eva' }),
    loginCase('grace@example.com', 200, { ok: true, firstName: null }),
    loginCase('zoe\u0308@example.com', 200, { ok: true, firstName: 'Composed' }),
    loginCase('o’connor@example.com', 200, { ok: true, firstName: 'Sean' }),
    loginCase('jose\u0301@example.com', 200, { ok: true, firstName: 'Decomposed' }),
    loginCase('jos\u00e9@example.com', 200, { ok: true, firstName: 'Composed' }),
    // The API accepts only an address.
    loginCase('<grace@example.com>', 403, { error: 'not_invited' }),
    loginCase('ｇrace@example.com', 403, { error: 'not_invited' }),
    loginCase('mallory@example.com', 403, { error: 'not_invited' }),
    loginCase(`${'a'.repeat(242)}@example.com`, 403, { error: 'not_invited' }),
    ...MALFORMED.map((email) => loginCase(email, 400, invalid)),
    ['POST /auth/login', 'stranger', 400, invalid],
    ['POST /auth/login', 'stranger', 400, invalid, { body, headers }],
  ]);

  it('sets the session cookie, and records an event with the device', async () => {
    const began = Date.now();
    const from = { ...anotherClient(), 'User-Agent': IPHONE };
    const answer = await login({ email: 'invitee@example.com' }, from);
    const set =
      /^svc_session=[\w-]{22}\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/;
    assert.match(answer.headers.get('set-cookie') ?? '', set);
    const [event] = read((readers) => eventsIn(readers, { email: 'invitee@example.com' }));
    const { id, occurredAt = 0, ...rest } = event ?? {};
    const session = client.sessionId(sessionCookie(answer));
    const expected = { type: 'login', email: 'invitee@example.com', ...PHONE, session, meta: null };
    assert.deepEqual(rest, expected);
    assert.ok(occurredAt >= began && occurredAt <= Date.now());
    for (const email of ['mallory@example.com', 'grace@'])
      assert.equal((await login({ email })).headers.get('set-cookie'), null, email);
  });

  it('ends the session of the cookie and begins a new one', async () => {
    const former = await beginSession('invitee');
    const headers = { ...anotherClient(), Cookie: former };
    const latter = sessionCookie(await login({ email: 'grace@example.com' }, headers));
    assert.deepEqual([await me(former), await me(latter)], [401, 200]);
  });
});

describe('the login limit', () => {
  const from = (address: string) => ({ 'X-Forwarded-For': address });
  const loginStatus = async (email: string, headers: Record<string, string>) =>
    (await login({ email }, headers)).status;

  it('is 30 attempts of any kind per hour and client, then 429', async (t) => {
    t.mock.method(performance, 'now', () => 1000);
    for (let i = 0; i < 10; i += 1)
      for (const [email, status] of [
        ['invitee@example.com', 200],
        ['nobody@example.com', 403],
        ['', 400],
      ] as const) {
        const headers = from(`198.51.100.${i}, 203.0.113.7`);
        assert.equal(await loginStatus(email, headers), status);
        assert.equal(await loginStatus(email, { ...headers, 'Sec-Fetch-Site': 'cross-site' }), 403);
      }
    t.mock.method(performance, 'now', () => 2500);
    const huge = { body: 'x'.repeat(20_000), headers: from('192.0.2.1, 203.0.113.7') };
    const refused = await send('POST /auth/login', huge);
    assert.deepEqual([refused.status, refused.json()], [429, { error: 'rate_limited' }]);
    assert.equal(refused.headers.get('retry-after'), '3599');
    t.mock.method(performance, 'now', () => 3_601_001);
    assert.equal(await loginStatus('', huge.headers), 400, 'a new window begins');
    assert.equal(await loginStatus('', from('203.0.113.7, 192.0.2.1')), 400);
  });

  it('is not reported as shared over http, or if addresses are known', async (t) => {
    const { mock } = t.mock.method(console, 'error', () => {});
    const plain = await startService({ publicOrigin: 'http://preview.example.com' });
    await plain.send('POST /auth/login', { json: {} });
    const secure = await startService({ publicOrigin: 'https://preview.example.com' });
    for (const entry of ['203.0.113.7:51000', '"[2001:db8::1]:443"'])
      await secure.send('POST /auth/login', { json: {}, headers: from(entry) });
    assert.equal(mock.callCount(), 0);
  });

  for (const [what, header, logged] of [
    ['without X-Forwarded-For', undefined, /without X-Forwarded-For/],
    ['where its last entry is unknown', 'unknown', /last entry of X-Forwarded-For/],
    ['where its last entry is empty', '203.0.113.7, ', /last entry of X-Forwarded-For/],
    ['where it is empty', '', /last entry of X-Forwarded-For/],
    [
      'where its last entry is this machine',
      '203.0.113.7, 127.0.0.1',
      /not the address of a client/,
    ],
    ['where that is IPv6', '[::1]:443', /not the address of a client/],
  ] as const)
    it(`is shared by all ${what}, and the log says so once`, async (t) => {
      const { mock } = t.mock.method(console, 'error', () => {});
      const secure = await startService({ publicOrigin: 'https://preview.example.com' });
      const headers = header === undefined ? {} : from(header);
      for (let i = 0; i < 2; i += 1) await secure.send('POST /auth/login', { json: {}, headers });
      assert.equal(mock.callCount(), 1);
      assert.match(String(mock.calls[0]?.arguments[0]), logged);
    });

  for (const [expected, peer, ...forwarded] of [
    ['203.0.113.1', '203.0.113.1', undefined, '198.51.100.1'],
    ['203.0.113.1', '::ffff:203.0.113.1', undefined],
    ['198.51.100.1', '::1', '198.51.100.1'],
    ['198.51.100.1', '::ffff:127.0.0.1', '198.51.100.1'],
    ['198.51.100.1', '127.0.0.1', '192.0.2.1, 198.51.100.1', 'x,198.51.100.1 '],
    ['198.51.100.1', '127.0.0.1', '198.51.100.1:51000', '"198.51.100.1"', '"198.51.100.1:1"'],
    ['198.51.100.1', '127.0.0.1', '[198.51.100.1]', '[::ffff:198.51.100.1]:443', "'198.51.100.1'"],
    ['127.0.0.1', '127.0.0.1', 'nonsense', '', 'unknown', '198.51.100.1, ', '198.51.100.1,unknown'],
    ['127.0.0.1', '127.0.0.1', '198.51.100.1:', '[198.51.100.1', '198.51.100.1:x', '_hidden'],
    ['2001:db8:1:2::/64', '127.0.0.1', '[2001:db8:1:2::1]:443', '"[2001:db8:1:2::1]:443"'],
    ['2001:db8:1:2::/64', '127.0.0.1', '[2001:db8:1:2::1]', '"2001:db8:1:2::1"'],
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

  it('the limiter keeps a bounded number of clients, the latest ones', () => {
    const msToWait = rateLimiter(1, 1e9, 10);
    for (let i = 0; i < 10; i += 1) msToWait(`client${i}`);
    assert.notEqual(msToWait('client0'), 0);
    assert.equal(msToWait('another'), 0);
    assert.notEqual(msToWait('client0'), 0);
    assert.equal(msToWait('client1'), 0, 'removed');
  });

  it('the limiter remembers 100,000 clients', () => {
    const msToWait = rateLimiter(1, 1e9);
    for (let i = 0; i < 100_000; i += 1) msToWait(`client${i}`);
    assert.notEqual(msToWait('client0'), 0);
    assert.equal(msToWait('another'), 0);
    assert.equal(msToWait('client1'), 0, 'removed');
  });
});

describe('a session', () => {
  testRequests([
    ['POST /auth/logout', 'stranger', 200, { ok: true }],
    ['GET /auth/me', 'invitee', 200, { email: 'invitee@example.com', firstName: 'Ada' }],
    ['GET /auth/me', 'stranger', 401, ''],
    ['GET /auth/me', 'forger', 401, ''],
  ]);

  it('ends with a logout, no other does, and the cookie is cleared', async () => {
    const cookie = await beginSession('invitee');
    const other = await beginSession('invitee');
    const answer = await send('POST /auth/logout', { cookie });
    assert.match(answer.headers.get('set-cookie') ?? '', /^svc_session=; .*Max-Age=0$/);
    assert.deepEqual([await me(cookie), await me(other)], [401, 200]);
  });

  it('is found by each of several cookies, at most four', async () => {
    const cookie = await beginSession('invitee');
    const before = (count: number) => [...Array(count).fill(FORGED_COOKIE), cookie].join('; ');
    assert.deepEqual([await me(before(3)), await me(before(4))], [200, 401]);
    for (const odd of [`a=1;${cookie}`, `${cookie}; ${FORGED_COOKIE}`, `;;=; ${cookie} ;a`])
      assert.equal(await me(odd), 200, odd);
    for (const none of ['', ';;;', '=', 'svc_session', cookie.replace('svc_', 'SVC_')])
      assert.equal(await me(none), 401, none);
  });

  it('in production has a Secure cookie, HSTS, and only its hash stored', async () => {
    const installation = installationForAll();
    installation.invite('ada@example.com');
    const { origin, stop } = await installation.start({ NODE_ENV: 'production' });
    const json = { email: 'ada@example.com' };
    const answer = await client.send(origin, 'POST /auth/login', { json });
    assert.match(answer.headers.get('set-cookie') ?? '', /; Secure$/);
    for (const { headers } of [answer, await client.send(origin, 'GET /lost')])
      assert.equal(headers.get('strict-transport-security'), 'max-age=31536000');
    await stop();
    const cookie = sessionCookie(answer);
    const again = await installation.start();
    assert.equal((await client.send(again.origin, 'GET /auth/me', { cookie })).status, 200);
    const [, secret = ''] = cookie.split('.');
    await toolsOn(installation.store).says('backup create');
    const holders = filesWith(installation.store, createHash('sha256').update(secret).digest());
    const places = holders.map((name) => name.split('/')[0]);
    assert.deepEqual(places, ['backups', 'guestlist.db']);
    for (const form of [secret, Buffer.from(secret, 'base64url')])
      assert.deepEqual(filesWith(installation.store, form), []);
  });
});
