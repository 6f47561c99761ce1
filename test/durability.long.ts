/**
 * What a reply acknowledged is in the store after the process was killed, twenty times under load.
 * A loss of power takes more, the page cache: against that, test/store/open.test.ts has the syncs.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { type Database, readValue, statement } from '../lib/store/sqlite.ts';
import { enter, install, startService } from './service.ts';

const folder = install();

/** What was acknowledged. */
type Acknowledged = { views: number; clicks: number; readonly sessions: string[] };

for (let round = 1; round <= 20; round += 1)
  test(`kill ${round} loses no acknowledged row`, async () => {
    const { db, get, post, send, child, ended } = await startService(folder);
    const cookie = enter(db, 'ada@example.com');
    const before = count(db);
    const acknowledged: Acknowledged = { views: 0, clicks: 0, sessions: [] };

    async function work(worker: number): Promise<void> {
      const headers = { 'content-type': 'application/json' };
      for (let i = 0; ; i += 1) {
        if ((await get('/timeline', cookie)).status === 200) acknowledged.views += 1;
        if ((await post('/api/project-join', {}, cookie)).status === 200) acknowledged.clicks += 1;
        const address = {
          'x-forwarded-for': `192.0.2.${worker}, 10.${worker}.${round}.${i % 256}`,
        };
        const body = '{"email":"ada@example.com"}';
        const login = await send('POST', '/auth/login', { ...headers, ...address }, body);
        const [session] = /[\w-]{22}(?=\.)/.exec(login.headers['set-cookie']?.[0] ?? '') ?? [];
        if (session !== undefined) acknowledged.sessions.push(session);
        if (acknowledged.sessions.length === round * 10) child.kill('SIGKILL');
      }
    }
    await Promise.allSettled(Array.from({ length: 16 }, (_, i) => work(i)));
    assert.equal(await ended, 'SIGKILL');

    const after = count(db);
    assert.ok(after.views - before.views >= acknowledged.views);
    assert.ok(after.clicks - before.clicks >= acknowledged.clicks);
    const find = statement(db, 'select 1 from sessions where id = ?');
    for (const id of acknowledged.sessions) assert.ok(find.get(id), id);
    assert.equal(readValue(db, 'pragma integrity_check'), 'ok');
  });

function count(db: Database): { readonly views: number; readonly clicks: number } {
  const views = "select count(*) from events where event_type = 'timeline_view'";
  return {
    views: Number(readValue(db, views)),
    clicks: Number(readValue(db, 'select count(*) from project_joins')),
  };
}
