/** A visitor's statements read by key, so that his requests cost the same whatever was recorded. */
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import Database from 'better-sqlite3';
import { sessionCookie } from '../support/client.ts';
import { read as readFile } from '../support/database.ts';
import { inject } from '../support/inject.ts';

/** Every statement that is run from now on. */
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
const stopCollecting = () => {
  Database.prototype.prepare = prepare;
};
after(stopCollecting);

const { file, send } = await inject();
const SCAN = /^SCAN (events|project_joins|invites|sessions|changes)\b/;

const planOf = (sql: string): readonly string[] =>
  readFile(file, (db) => {
    const names = [...sql.matchAll(/@(\w+)/g)].map(([, name]) => [name, 1]);
    const marks = [...sql.matchAll(/\?/g)].map(() => 1);
    const parameters = marks.length > 0 ? marks : [Object.fromEntries(names)];
    const explain = db.prepare<unknown[], { detail: string }>(`explain query plan ${sql}`);
    return explain.all(...parameters).map(({ detail }) => detail);
  });

it('a visit from login to logout scans no table', async () => {
  statements.clear();
  const login = await send('POST /auth/login', { json: { email: 'invitee@example.com' } });
  const cookie = sessionCookie(login);
  const requests = ['GET /auth/me', 'GET /timeline', 'POST /api/project-join'];
  for (const line of [...requests, 'GET /api/project-join', 'POST /auth/logout'])
    assert.equal((await send(line, { cookie })).status, 200, line);
  const planned = [...statements].filter((sql) => /^\s*(select|insert|update|delete)\b/i.test(sql));
  for (const table of ['invites', 'sessions', 'events', 'project_joins'])
    assert.ok(planned.join().includes(table), `no statement of ${table} was collected`);
  for (const sql of planned) assert.ok(!planOf(sql).some((step) => SCAN.test(step)), sql);
  assert.ok(planOf('select count(*) from events where os = 1').some((step) => SCAN.test(step)));
});
