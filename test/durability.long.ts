/**
 * What a reply acknowledged is in the store after the process was killed, twenty times under load.
 * A loss of power takes more, the page cache: against that, test/store/open.test.ts has the syncs.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { type Database, readValue, statement } from '../lib/store/sqlite.ts';
import { enter, install, startService } from './service.ts';

const folder = install();

const VIEWS = "events where event_type = 'timeline_view'";

const count = (db: Database, rows: string): number =>
  Number(readValue(db, `select count(*) from ${rows}`));

for (let round = 1; round <= 20; round += 1)
  test(`kill ${round} loses no acknowledged row`, async () => {
    const { db, get, post, send, child, ended } = await startService(folder);
    const cookie = enter(db, 'ada@example.com');
    const viewsBefore = count(db, VIEWS);
    const clicksBefore = count(db, 'project_joins');
    // What was acknowledged.
    let views = 0;
    let clicks = 0;
    const sessions: string[] = [];

    async function work(worker: number): Promise<void> {
      for (let i = 0; ; i += 1) {
        if ((await get('/timeline', cookie)).status === 200) views += 1;
        if ((await post('/api/project-join', {}, cookie)).status === 200) clicks += 1;
        const headers = {
          'content-type': 'application/json',
          'x-forwarded-for': `10.${worker}.${round}.${i % 256}`,
        };
        const login = await send('POST', '/auth/login', headers, '{"email":"ada@example.com"}');
        const [session] = /[\w-]{22}(?=\.)/.exec(login.headers['set-cookie']?.[0] ?? '') ?? [];
        if (session !== undefined) sessions.push(session);
        if (sessions.length === round * 10) child.kill('SIGKILL');
      }
    }
    await Promise.allSettled(Array.from({ length: 16 }, (_, i) => work(i)));
    assert.equal(await ended, 'SIGKILL');

    assert.ok(count(db, VIEWS) - viewsBefore >= views);
    assert.ok(count(db, 'project_joins') - clicksBefore >= clicks);
    const find = statement(db, 'select 1 from sessions where id = ?');
    for (const id of sessions) assert.ok(find.get(id), id);
    assert.equal(readValue(db, 'pragma integrity_check'), 'ok');
  });
