/** Sessions: logout, GET /auth/me, and the cookie. test/faults/clock.test.ts lets them expire. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { FORGED_COOKIE, send as sendTo, sessionCookie } from '../support/client.ts';
import { filesWith } from '../support/database.ts';
import { inject } from '../support/inject.ts';
import { siteForAll } from '../support/site.ts';
import { toolsOn } from '../support/tools.ts';

const { begin, each, send } = await inject();

const me = async (cookie: string) => (await send('GET /auth/me', { cookie })).status;

describe('POST /auth/logout', () => {
  it('deletes the session of the cookie alone, and clears the cookie', async () => {
    const [cookie, other] = [await begin('invitee'), await begin('invitee')];
    const answer = await send('POST /auth/logout', { cookie });
    assert.deepEqual([answer.status, answer.json()], [200, { ok: true }]);
    assert.match(answer.headers.get('set-cookie') ?? '', /^svc_session=; .*Max-Age=0$/);
    assert.deepEqual([await me(cookie), await me(other)], [401, 200]);
  });
});

each([
  ['POST /auth/logout', 'stranger', 200, { ok: true }],
  ['GET /auth/me', 'invitee', 200, { email: 'invitee@example.com', firstName: 'Ada' }],
  ['GET /auth/me', 'stranger', 401, ''],
  ['GET /auth/me', 'forger', 401, ''],
]);

it('each of several cookies is tried, at most four', async () => {
  const cookie = await begin('invitee');
  const after = (count: number) => [...Array(count).fill(FORGED_COOKIE), cookie].join('; ');
  for (const [count, status] of [
    [0, 200],
    [1, 200],
    [3, 200],
    [4, 401],
  ] as const)
    assert.equal(await me(after(count)), status, String(count));
  assert.equal(await me(`${cookie}; ${FORGED_COOKIE}`), 200);
});

describe('the service in production', async () => {
  const site = siteForAll();
  site.invite('ada@example.com');
  const { origin, stop } = await site.start({ NODE_ENV: 'production' });
  const json = { email: 'ada@example.com' };
  const login = await sendTo(origin, 'POST /auth/login', { json });
  const lost = await sendTo(origin, 'GET /lost');

  it('sends the cookie with Secure, and HSTS with every reply', () => {
    assert.match(login.headers.get('set-cookie') ?? '', /; Secure$/);
    for (const { headers } of [login, lost])
      assert.equal(headers.get('strict-transport-security'), 'max-age=31536000');
  });

  it('keeps sessions over a restart, and only the hash of a secret, also in snapshots', async () => {
    await stop();
    const cookie = sessionCookie(login);
    const { origin } = await site.start();
    assert.equal((await sendTo(origin, 'GET /auth/me', { cookie })).status, 200);
    const [, secret = ''] = cookie.split('.');
    await toolsOn(site.store).says('backup create');
    const holders = filesWith(site.store, createHash('sha256').update(secret).digest());
    const places = holders.map((name) => name.split('/')[0]);
    assert.deepEqual(places, ['backups', 'guestlist.db']);
    for (const form of [secret, Buffer.from(secret, 'base64url')])
      assert.deepEqual(filesWith(site.store, form), []);
  });
});
