/** Statements: those of visitors read by key, and no request prepares one again. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import Database from 'better-sqlite3';
import { keepNativeObjects } from '../../lib/store/sqlite.ts';
import { sessionCookie } from '../support/client.ts';
import { readDatabase } from '../support/database.ts';
import { addInvite } from '../support/rows.ts';
import { startService } from '../support/service.ts';

/** Every statement that is run, from now on. */
const statements = new Set<string>();
const { prepare } = Database.prototype;
Database.prototype.prepare = function (this: Database.Database, sql: string) {
  const statement = prepare.call(this, sql);
  for (const method of ['run', 'get', 'all'] as const) {
    const original = Reflect.get(statement, method) as (...args: unknown[]) => unknown;
    Reflect.set(statement, method, (...args: unknown[]) => {
      statements.add(sql);
      return Reflect.apply(original, statement, args);
    });
  }
  return statement;
} as typeof prepare;
const kept = keepNativeObjects();
const { beginSession, file, send, store } = await startService();

it('a visit from login to logout scans no table', async () => {
  statements.clear();
  const login = await send('POST /auth/login', { json: { email: 'invitee@example.com' } });
  const cookie = sessionCookie(login);
  const requests = ['GET /auth/me', 'GET /timeline', 'POST /api/project-join'];
  for (const line of [...requests, 'GET /api/project-join', 'POST /auth/logout'])
    assert.equal((await send(line, { cookie })).status, 200, line);
  const run = [...statements].filter((sql) => /^\s*(select|insert|update|delete)\b/.test(sql));
  for (const table of ['invites', 'sessions', 'events', 'project_joins'])
    assert.ok(run.join().includes(table), `no statement of ${table} was collected`);
  const scans = (sql: string) =>
    readDatabase(file, (db) => {
      const explain = db.prepare<[], { detail: string }>(`explain query plan ${sql}`);
      return explain.all().filter(({ detail }) => /^SCAN (?!CONSTANT)/.test(detail));
    });
  // A parameter in place of its value: the plan does not depend on it.
  for (const sql of run) assert.deepEqual(scans(sql.replace(/\?|@\w+/g, '1')), [], sql);
  assert.equal(scans('select count(*) from events where os = 1').length, 1);
});

it('the numbers of join clicks in a period before the newest day read no event', async () => {
  const cookie = await beginSession('administrator');
  statements.clear();
  const url = '/api/svcops/joins?of=summary&to=2026-01-01';
  assert.equal((await send(`GET ${url}`, { cookie })).status, 200);
  const readers = [...statements].filter((sql) => /^\s*select\b/.test(sql));
  assert.ok(readers.join().includes('from project_joins'));
  assert.deepEqual(
    readers.filter((sql) => sql.includes('from events')),
    [],
  );
});

// Some versions of Node keep each native object for ever.
it('many reads and writes keep no more native objects than few', async () => {
  const cookie = await beginSession('administrator');
  const readAndWrite = async (i: number) => {
    await store.write((writer) => addInvite(writer, `guest${i}@example.com`));
    for (const url of ['stats', 'stats?from=2026-01-01', 'invites', 'joins', 'events'])
      for (let n = 0; n < 2; n += 1) await send(`GET /api/svcops/${url}`, { cookie });
  };
  await readAndWrite(0);
  const before = kept.size;
  for (let i = 1; i <= 100; i += 1) await readAndWrite(i);
  assert.equal(kept.size, before);
});
