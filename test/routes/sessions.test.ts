/** Sessions: logout, GET /auth/me, expiry, and the cookie. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { auth } from '../../lib/routes/auth.ts';
import { openServerStore } from '../../lib/store/open.ts';
import { anotherClient, logIn, send, sendRaw, sessionId } from '../support/client.ts';
import { withDatabase } from '../support/database.ts';
import { holdSync } from '../support/held-sync.ts';
import { siteForAll, temporaryFolder } from '../support/site.ts';

const site = siteForAll();
site.invite('ada@example.com', 'Ada');
let server = await site.start();

const me = (cookie?: string) => send(server.origin, 'GET /auth/me', { cookie });

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

  it('of the same session twice: the second reply also waits for the sync', async (t) => {
    const store = openServerStore(path.join(temporaryFolder(), 'guestlist.db'));
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
    while (store.findVisitor(token)) await setImmediate();
    const again = logout(request).then(() => answered.push('again'));
    for (let i = 0; i < 5; i += 1) await setImmediate();
    assert.deepEqual(answered, []);
    release();
    await Promise.all([first, again]);
    await store.close();
  });

  it('ends no other session of the same person', async () => {
    const one = await logIn(server.origin, 'ada@example.com');
    const other = await logIn(server.origin, 'ada@example.com');
    await send(server.origin, 'POST /auth/logout', { cookie: one });
    assert.equal((await me(other)).status, 200);
  });
});

describe('GET /auth/me', () => {
  it('has the email and the first name', async () => {
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

describe('a session', () => {
  const inStore = (statement: string, ...values: unknown[]) =>
    withDatabase(site.store, (db) => db.prepare(statement).run(...values).changes);

  it('lasts 30 days: valid until its expiry, then treated as none', async () => {
    const cookie = await logIn(server.origin, 'ada@example.com');
    const lifetime = inStore(
      'update sessions set expires_at = expires_at where id = ? and expires_at - created_at = 2592000000',
      sessionId(cookie),
    );
    assert.equal(lifetime, 1);
    const expire = (at: number) =>
      inStore('update sessions set expires_at = ? where id = ?', at, sessionId(cookie));
    expire(Date.now() + 3_600_000);
    assert.equal((await me(cookie)).status, 200);
    expire(Date.now() - 1);
    assert.equal((await me(cookie)).status, 401);
    assert.equal((await send(server.origin, 'GET /timeline', { cookie })).status, 302);
  });

  it('continues when the invite is removed; firstName is then null', async () => {
    site.invite('brief@example.com', 'Brief');
    const cookie = await logIn(server.origin, 'brief@example.com');
    inStore("delete from invites where email = 'brief@example.com'");
    const answer = await me(cookie);
    assert.deepEqual(
      [answer.status, answer.json()],
      [200, { email: 'brief@example.com', firstName: null }],
    );
    await assert.rejects(logIn(server.origin, 'brief@example.com'), /403/);
  });

  it('ends at once when its row is deleted from the store', async () => {
    const cookie = await logIn(server.origin, 'ada@example.com');
    inStore('delete from sessions where id = ?', sessionId(cookie));
    assert.equal((await me(cookie)).status, 401);
  });

  it('survives a restart of the server', async () => {
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
