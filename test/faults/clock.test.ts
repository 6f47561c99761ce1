/** The clock jumps while the server runs: sessions and the login limit still work. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { logIn, send } from '../support/client.ts';
import { read } from '../support/database.ts';
import { siteForAll } from '../support/site.ts';
import { assertSound } from './store-check.ts';

const ADA = 'ada@example.com';
const DAY = 86_400_000;

const LIBRARY = [
  '/usr/lib/x86_64-linux-gnu',
  '/usr/lib/aarch64-linux-gnu',
  '/usr/lib64',
  '/usr/lib',
]
  .map((folder) => path.join(folder, 'faketime', 'libfaketimeMT.so.1'))
  .find((file) => fs.existsSync(file));

const site = siteForAll();

it('a clock that jumps a day forward and back ends no session and no limit, and every row is recorded', {
  skip: LIBRARY ? false : 'needs libfaketime (Debian: apt-get install faketime)',
}, async () => {
  site.invite(ADA);
  const offset = path.join(site.root, 'offset');
  const setClock = (days: number) => fs.writeFileSync(offset, `${days >= 0 ? '+' : ''}${days}d\n`);
  setClock(0);
  const server = await site.start({
    LD_PRELOAD: LIBRARY ?? '',
    FAKETIME_TIMESTAMP_FILE: offset,
    FAKETIME_NO_CACHE: '1',
    // Only the wall clock jumps, as on a real machine.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  });
  const attacker = { 'X-Forwarded-For': '198.51.100.7' };
  const attempt = () =>
    send(server.origin, 'POST /auth/login', { json: { email: 'x' }, headers: attacker });
  for (let i = 0; i < 30; i += 1) assert.equal((await attempt()).status, 400);

  const cookies: string[] = [];
  for (const days of [0, 1, -1, 0]) {
    setClock(days);
    cookies.push(await logIn(server.origin, ADA));
    for (const cookie of cookies) {
      assert.equal((await send(server.origin, 'GET /timeline', { cookie })).status, 200);
      const join = await send(server.origin, 'POST /api/project-join', { cookie });
      assert.equal(join.status, 200);
    }
    const refused = await attempt();
    assert.equal(refused.status, 429, `the limit holds ${days} days off`);
    const wait = Number(refused.headers.get('retry-after'));
    assert.ok(wait > 3300 && wait <= 3600, `Retry-After: ${wait}`);
    const seen = read(site.store, (db) =>
      Number(db.prepare('select occurred_at from events order by id desc').pluck().get()),
    );
    assert.ok(Math.abs(seen - Date.now() - days * DAY) < DAY / 24, 'the clock was seen to jump');
  }
  assert.deepEqual(assertSound(site.store), { logins: 4, timelineViews: 10, joinClicks: 10 });
  assert.deepEqual(server.stderr, []);

  // Sessions are expired while the clock is 31 days ahead.
  setClock(31);
  for (const cookie of cookies)
    assert.equal((await send(server.origin, 'GET /auth/me', { cookie })).status, 401);
  setClock(0);
  for (const cookie of cookies)
    assert.equal((await send(server.origin, 'GET /auth/me', { cookie })).status, 200);
});
