/** Logins: their replies, their records, and the limit. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { type Answer, anotherClient, logIn, send, sessionId } from '../support/client.ts';
import { siteForAll } from '../support/site.ts';
import { filesWith } from '../support/store-bytes.ts';

const site = siteForAll();

site.invite('ada@example.com', 'Ada');
site.invite('grace@example.com');
const server = await site.start();

const login = (json: unknown, headers: Record<string, string> = anotherClient()): Promise<Answer> =>
  send(server.origin, 'POST /auth/login', { json, headers });
const me = (cookie?: string) => send(server.origin, 'GET /auth/me', { cookie });
const logins = (email: string) =>
  site.withStore(({ events }) => events.list({ limit: 500, type: 'login', email })).rows;

describe('POST /auth/login', () => {
  it('answers 200 to an invited address, with the first name and the session cookie', async () => {
    const answer = await login({ email: 'ada@example.com' });
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.json(), { ok: true, firstName: 'Ada' });
    assert.match(
      answer.headers.get('set-cookie') ?? '',
      /^svc_session=[\w-]{22}\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/,
    );
  });

  it('has firstName null for an invite without a first name', async () => {
    assert.deepEqual((await login({ email: 'grace@example.com' })).json(), {
      ok: true,
      firstName: null,
    });
  });

  it('trims and lower-cases the address', async () => {
    assert.equal((await login({ email: '  ADA@Example.COM\t' })).status, 200);
  });

  const malformed: readonly unknown[] = [
    undefined,
    null,
    '',
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'ada@@example.com',
    'a da@example.com',
    'ada@.com',
    'ada@example.',
    'ada@exa mple.com',
    'ada@b@example.com',
    42,
    true,
    {},
    { toString: 1 },
    [[[]]],
    `${'a'.repeat(243)}@example.com`,
    'ada\u0000@example.com',
    '\ud800@example.com',
  ];
  for (const email of malformed) {
    it(`answers 400 invalid_email to ${JSON.stringify(email)?.slice(0, 40)}`, async () => {
      const answer = await login({ email });
      assert.equal(answer.status, 400);
      assert.deepEqual(answer.json(), { error: 'invalid_email' });
      assert.equal(answer.headers.get('set-cookie'), null);
    });
  }

  it('answers 400 invalid_email, not 500, to a deeply nested value', async () => {
    const answer = await send(server.origin, 'POST /auth/login', {
      body: `{"email":${'['.repeat(5000)}${']'.repeat(5000)}}`,
      headers: { ...anotherClient(), 'Content-Type': 'application/json' },
    });
    assert.equal(answer.status, 400);
  });

  it('accepts an address of 254 characters', async () => {
    const answer = await login({ email: `${'a'.repeat(242)}@example.com` });
    assert.deepEqual([answer.status, answer.json()], [403, { error: 'not_invited' }]);
  });

  it('answers 403 not_invited to an address that is not on the list', async () => {
    const answer = await login({ email: 'mallory@example.com' });
    assert.equal(answer.status, 403);
    assert.deepEqual(answer.json(), { error: 'not_invited' });
    assert.equal(answer.headers.get('set-cookie'), null);
  });

  it('accepts a missing body as {}', async () => {
    const answer = await send(server.origin, 'POST /auth/login', { headers: anotherClient() });
    assert.deepEqual([answer.status, answer.json()], [400, { error: 'invalid_email' }]);
  });

  it('records a login event with the device of the User-Agent, and no meta', async () => {
    const began = Date.now();
    const cookie = await logIn(server.origin, 'ada@example.com', {
      'User-Agent':
        'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    });
    const [event] = logins('ada@example.com');
    assert.equal(event?.session, sessionId(cookie));
    assert.equal(event?.deviceType, 'mobile');
    assert.equal(event?.os, 'iOS');
    assert.equal(event?.browser, 'Mobile Safari');
    assert.equal(event?.meta, null);
    const { occurredAt = 0 } = event ?? {};
    assert.ok(occurredAt >= began && occurredAt <= Date.now());
  });

  it('records nothing when it fails', async () => {
    const number = logins('grace@example.com').length;
    await login({ email: 'grace@' });
    await login({ email: 'not-grace@example.com' });
    assert.equal(logins('grace@example.com').length, number);
    assert.equal(logins('not-grace@example.com').length, 0);
  });

  it('records each re-login after a lost cookie', async () => {
    const number = logins('grace@example.com').length;
    await logIn(server.origin, 'grace@example.com');
    await logIn(server.origin, 'grace@example.com');
    assert.equal(logins('grace@example.com').length, number + 2);
  });

  it('ends the session of the cookie and begins a new one', async () => {
    const former = await logIn(server.origin, 'ada@example.com');
    const latter = await logIn(server.origin, 'grace@example.com', { Cookie: former });
    assert.equal((await me(former)).status, 401);
    assert.equal((await me(latter)).json().email, 'grace@example.com');
  });

  it('stores only a hash of the secret: no file of the store contains it', async () => {
    const cookie = await logIn(server.origin, 'ada@example.com');
    const [, secret = ''] = cookie.split('.');
    site.tool('backup', 'create');
    const hash = createHash('sha256').update(secret).digest();
    const holders = filesWith(site.store, hash);
    assert.ok(
      holders.some((name) => name.startsWith('backups')),
      `${holders}`,
    );
    assert.ok(
      holders.some((name) => !name.startsWith('backups')),
      `${holders}`,
    );
    for (const form of [secret, Buffer.from(secret, 'base64url')])
      assert.deepEqual(filesWith(site.store, form), []);
  });
});

describe('the login limit', () => {
  const from = (address: string) => ({ 'X-Forwarded-For': address });

  it('is 30 attempts of any kind per client address and hour; the 31st gets 429 and Retry-After', async () => {
    const headers = from('203.0.113.7');
    const began = Date.now();
    for (let i = 0; i < 10; i += 1)
      assert.equal((await login({ email: 'ada@example.com' }, headers)).status, 200);
    for (let i = 0; i < 10; i += 1)
      assert.equal((await login({ email: 'nobody@example.com' }, headers)).status, 403);
    for (let i = 0; i < 10; i += 1) assert.equal((await login({ email: '' }, headers)).status, 400);
    const refused = await login({ email: 'ada@example.com' }, headers);
    assert.equal(refused.status, 429);
    assert.deepEqual(refused.json(), { error: 'rate_limited' });
    const seconds = Number(refused.headers.get('retry-after'));
    const elapsed = Math.ceil((Date.now() - began) / 1000);
    assert.ok(
      Number.isInteger(seconds) && seconds >= 3600 - elapsed && seconds <= 3600,
      `Retry-After: ${seconds}`,
    );
    assert.equal((await login({ email: 'ada@example.com' }, from('203.0.113.8'))).status, 200);
  });

  it('comes before the cross-origin check and before the body', async () => {
    const headers = from('203.0.113.9');
    const crossOrigin = { ...headers, 'Sec-Fetch-Site': 'cross-site' };
    for (let i = 0; i < 30; i += 1) assert.equal((await login({}, crossOrigin)).status, 403);
    assert.equal((await login({}, crossOrigin)).status, 429);
    const huge = { body: 'x'.repeat(20_000), headers };
    assert.equal((await send(server.origin, 'POST /auth/login', huge)).status, 429);
  });

  it('counts by the last address of X-Forwarded-For, which the proxy adds', async () => {
    for (let i = 0; i < 30; i += 1) await login({}, from(`198.51.100.${i}, 203.0.113.10`));
    assert.equal((await login({}, from('192.0.2.1, 203.0.113.10'))).status, 429);
    assert.equal((await login({}, from('203.0.113.10, 192.0.2.1'))).status, 400);
  });
});
