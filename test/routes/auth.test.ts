import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { auth } from '../../lib/routes/auth.ts';
import { openServerStore } from '../../lib/store/open.ts';
import { type Answer, anotherClient, logIn, send, sendRaw, sessionId } from '../support/client.ts';
import { holdSync } from '../support/held-sync.ts';
import { install, type Server } from '../support/installation.ts';
import { filesWith } from '../support/store-bytes.ts';

const site = install();
let server: Server;

before(async () => {
  site.invite('ada@example.com', 'Ada');
  site.invite('grace@example.com');
  server = await site.start();
});
after(() => site.remove());

const login = (json: unknown, headers: Record<string, string> = anotherClient()): Promise<Answer> =>
  send(server.origin, 'POST /auth/login', { json, headers });
const me = (cookie?: string) => send(server.origin, 'GET /auth/me', { cookie });
const logins = (email: string) =>
  site.withStore(({ events }) => events.list({ limit: 500, type: 'login', email })).rows;

describe('POST /auth/login', () => {
  it('lets an invited address in: 200, the first name, and the session cookie', async () => {
    const answer = await login({ email: 'ada@example.com' });
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.json(), { ok: true, firstName: 'Ada' });
    assert.match(
      answer.headers.get('set-cookie') ?? '',
      /^svc_session=[\w-]{22}\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/,
    );
  });

  it('says firstName null for an invite without a first name', async () => {
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

  it('answers 400 invalid_email, not 500, to an address that is nested as deep as a body can be', async () => {
    const answer = await send(server.origin, 'POST /auth/login', {
      body: `{"email":${'['.repeat(5000)}${']'.repeat(5000)}}`,
      headers: { ...anotherClient(), 'Content-Type': 'application/json' },
    });
    assert.equal(answer.status, 400);
  });

  it('takes the longest address there is, 254 characters, for an address', async () => {
    const answer = await login({ email: `${'a'.repeat(242)}@example.com` });
    assert.deepEqual([answer.status, answer.json()], [403, { error: 'not_invited' }]);
  });

  it('answers 403 not_invited to an address that is not on the list', async () => {
    const answer = await login({ email: 'mallory@example.com' });
    assert.equal(answer.status, 403);
    assert.deepEqual(answer.json(), { error: 'not_invited' });
    assert.equal(answer.headers.get('set-cookie'), null);
  });

  it('takes an absent body for {}', async () => {
    const answer = await send(server.origin, 'POST /auth/login', { headers: anotherClient() });
    assert.deepEqual([answer.status, answer.json()], [400, { error: 'invalid_email' }]);
  });

  it('records a login event with what the User-Agent tells, and meta empty', async () => {
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

  it('ends the session that is presented and begins a new one', async () => {
    const former = await logIn(server.origin, 'ada@example.com');
    const latter = await logIn(server.origin, 'grace@example.com', { Cookie: former });
    assert.equal((await me(former)).status, 401);
    assert.equal((await me(latter)).json().email, 'grace@example.com');
  });

  it('keeps only a hash of the secret: no file of the store holds it', async () => {
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

  it('is 30 attempts per client address and hour, whatever they ask; the 31st gets 429 and Retry-After', async () => {
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

describe('POST /auth/logout', () => {
  it('deletes the session and clears the cookie', async () => {
    const cookie = await logIn(server.origin, 'ada@example.com');
    const answer = await send(server.origin, 'POST /auth/logout', { cookie });
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.json(), { ok: true });
    assert.match(answer.headers.get('set-cookie') ?? '', /^svc_session=; .*Max-Age=0$/);
    assert.equal((await me(cookie)).status, 401);
  });

  it('succeeds even without a session', async () => {
    const answer = await send(server.origin, 'POST /auth/logout');
    assert.deepEqual([answer.status, answer.json()], [200, { ok: true }]);
  });

  it('that comes again while the first is not on disk yet is answered no sooner', async (t) => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-logout-'));
    const store = openServerStore(path.join(folder, 'guestlist.db'));
    const { token } = await store.write(({ sessions }) =>
      sessions.begin('ada@example.com', Date.now()),
    );
    const settings = { port: 0, publicOrigin: '', production: false };
    const { logout } = auth(store, settings);
    const request = {
      ...{ method: 'POST', path: '/auth/logout', query: '', peer: '', body: Readable.from([]) },
      headers: { cookie: `svc_session=${token}` },
    };
    const release = holdSync(t);
    const answered: string[] = [];
    const first = logout(request).then(() => answered.push('first'));
    while (store.sessions.find(token, Date.now())) await setImmediate();
    const again = logout(request).then(() => answered.push('again'));
    for (let i = 0; i < 5; i += 1) await setImmediate();
    assert.deepEqual(answered, []);
    release();
    await Promise.all([first, again]);
    await store.close();
    fs.rmSync(folder, { recursive: true });
  });

  it('ends no other session of the same person', async () => {
    const one = await logIn(server.origin, 'ada@example.com');
    const other = await logIn(server.origin, 'ada@example.com');
    await send(server.origin, 'POST /auth/logout', { cookie: one });
    assert.equal((await me(other)).status, 200);
  });
});

describe('GET /auth/me', () => {
  it('tells the email and the first name', async () => {
    const answer = await me(await logIn(server.origin, 'ada@example.com'));
    assert.deepEqual(
      [answer.status, answer.json()],
      [200, { email: 'ada@example.com', firstName: 'Ada' }],
    );
  });

  it('answers 401 with an empty body to a missing, unknown or forged cookie', async () => {
    const cookie = await logIn(server.origin, 'ada@example.com');
    const forged = `${cookie.slice(0, -1)}${cookie.endsWith('A') ? 'B' : 'A'}`;
    const cookies = [
      undefined,
      'svc_session=',
      'svc_session=x',
      'other=1',
      `svc_session=${sessionId(cookie)}`,
      forged,
    ];
    for (const each of cookies) {
      const answer = await me(each);
      assert.deepEqual([answer.status, answer.text], [401, ''], each);
    }
    assert.equal((await me(`a=b; ${cookie}; c=d`)).status, 200);
  });
});

describe('the life of a session', () => {
  const inStore = (statement: string, ...values: unknown[]) => {
    const db = new Database(site.store);
    const { changes } = db.prepare(statement).run(...values);
    db.close();
    return changes;
  };

  it('lasts 30 days: valid until its expiry, then treated as none', async () => {
    const cookie = await logIn(server.origin, 'ada@example.com');
    const lifetime = inStore(
      'update sessions set expires_at = expires_at where id = ? and expires_at - created_at = 2592000000',
      sessionId(cookie),
    );
    assert.equal(lifetime, 1);
    inStore(
      'update sessions set expires_at = ? where id = ?',
      Date.now() + 60_000,
      sessionId(cookie),
    );
    assert.equal((await me(cookie)).status, 200);
    inStore('update sessions set expires_at = ? where id = ?', Date.now() - 1, sessionId(cookie));
    assert.equal((await me(cookie)).status, 401);
    assert.equal((await send(server.origin, 'GET /timeline', { cookie })).status, 302);
  });

  it('goes on when the invite is removed; firstName is then null', async () => {
    site.invite('brief@example.com', 'Brief');
    const cookie = await logIn(server.origin, 'brief@example.com');
    site.tool('invite', 'remove', 'brief@example.com');
    const answer = await me(cookie);
    assert.deepEqual(
      [answer.status, answer.json()],
      [200, { email: 'brief@example.com', firstName: null }],
    );
    assert.equal((await login({ email: 'brief@example.com' })).status, 403);
  });

  it('ends at once when its row is deleted from the store', async () => {
    const cookie = await logIn(server.origin, 'ada@example.com');
    inStore('delete from sessions where id = ?', sessionId(cookie));
    assert.equal((await me(cookie)).status, 401);
  });

  it('outlives a restart of the server', async () => {
    const cookie = await logIn(server.origin, 'ada@example.com');
    await server.stop();
    server = await site.start();
    assert.equal((await me(cookie)).status, 200);
  });
});

describe('NODE_ENV=production', () => {
  it('sends the cookie with Secure, and HSTS with every reply', async () => {
    const production = await site.start({ NODE_ENV: 'production' });
    const answer = await send(production.origin, 'POST /auth/login', {
      json: { email: 'ada@example.com' },
      headers: anotherClient(),
    });
    assert.match(answer.headers.get('set-cookie') ?? '', /; Secure$/);
    assert.equal(answer.headers.get('strict-transport-security'), 'max-age=31536000');
    const lost = await sendRaw(
      production.port,
      'GET /lost HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    assert.match(lost, /Strict-Transport-Security: max-age=31536000/);
    await production.stop();
  });
});
