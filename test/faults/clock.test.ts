/** The wall clock jumps while the server runs: sessions and the login limit still work. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startService } from '../support/service.ts';
import { assertSound } from './store-check.ts';

const DAY = 86_400_000;

it('a clock that jumps ends no session and no limit', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const { file, send } = await startService();
  const start = Date.now();
  const setClock = (days: number) => t.mock.timers.setTime(start + days * DAY);
  const logIn = async (from: string, email: string) =>
    send('POST /auth/login', { json: { email }, headers: { 'X-Forwarded-For': from } });
  const tryLogin = () => logIn('198.51.100.7', 'x');
  for (let i = 0; i < 30; i += 1) assert.equal((await tryLogin()).status, 400);

  const cookies: string[] = [];
  for (const days of [0, 1, -1, 0]) {
    setClock(days);
    const login = await logIn(`10.0.0.${cookies.length}`, 'invitee@example.com');
    cookies.push(login.headers.get('set-cookie')?.split(';')[0] ?? '');
    for (const cookie of cookies)
      for (const line of ['GET /timeline', 'POST /api/project-join'])
        assert.equal((await send(line, { cookie })).status, 200);
    const refused = await tryLogin();
    assert.equal(refused.status, 429, `the limit holds ${days} days off`);
    const wait = Number(refused.headers.get('retry-after'));
    assert.ok(wait > 3300 && wait <= 3600, `Retry-After: ${wait}`);
  }
  assert.deepEqual(assertSound(file), { logins: 4, timelineViews: 10, joinClicks: 10 });

  // Sessions are expired while the clock is 31 days ahead.
  for (const days of [31, 0]) {
    setClock(days);
    for (const cookie of cookies)
      assert.equal((await send('GET /auth/me', { cookie })).status, days === 0 ? 200 : 401);
  }
});
