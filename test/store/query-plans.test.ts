/** No statement of the server reads a whole log. The statements are those of real requests. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { Readable } from 'node:stream';
import { after, describe, it } from 'node:test';
import Database from 'better-sqlite3';
import { createApp } from '../../lib/app.ts';
import type { Reply } from '../../lib/http/reply.ts';
import { loadSite, SAMPLE } from '../../lib/site/site.ts';
import { openServerStore, openStore } from '../../lib/store/open.ts';
import { counting } from '../../lib/store/rows/counting.ts';
import { INVITE_SORTS, STATUSES } from '../../lib/store/rows/people.ts';
import { temporaryFolder } from '../support/site.ts';

const ORIGIN = 'http://localhost:3000';

const file = path.join(temporaryFolder(), 'guestlist.db');

// Filled by a tool, whose statements are its own.
const tool = openStore(file);
tool.transaction(({ invites }) => {
  for (const email of ['ada@example.com', 'grace@example.com', 'crowd@example.com'])
    invites.add({ email, firstName: 'Ex', invitedBy: 'cli', invitedAt: 1 });
  invites.setAdmin('ada@example.com', true);
});
tool.close();

/** Every statement that is prepared from now on. */
const statements = new Set<string>();
const { prepare } = Database.prototype;
Database.prototype.prepare = function (this: Database.Database, sql: string) {
  statements.add(sql);
  return prepare.call(this, sql);
} as typeof prepare;

const store = openServerStore(file);
const settings = { port: 3000, publicOrigin: ORIGIN, production: false };
const { handle, use } = createApp(store, settings);
use(loadSite(SAMPLE, ORIGIN));

after(async () => {
  Database.prototype.prepare = prepare;
  await store.close();
});

async function request(line: string, json: unknown = {}, cookie = ''): Promise<Reply> {
  const [method = '', url = ''] = line.split(' ');
  const [path = '', query = ''] = url.split('?');
  const headers = { cookie, 'content-type': 'application/json' };
  const body = Readable.from(method === 'POST' ? [Buffer.from(JSON.stringify(json))] : []);
  const reply = await handle({ method, path, query, headers, peer: '127.0.0.1', body });
  if (typeof reply.body !== 'string' && !(reply.body instanceof Uint8Array))
    for await (const _ of reply.body);
  return reply;
}

/** Requests that reach every statement: each list with each sort, filter, cursor and format. */
function everyRequest(cursors: ReadonlyMap<string, string>): string[] {
  const searches = INVITE_SORTS.flatMap((sort) =>
    ['asc', 'desc'].flatMap((order) =>
      ['', ...STATUSES.map((status) => `&status=${status}`)].flatMap((status) =>
        ['', '&q=example'].map((q) => `invites?limit=1&sort=${sort}&order=${order}${status}${q}`),
      ),
    ),
  );
  const lists = [
    ...searches,
    'joins?limit=1',
    'joins?limit=1&of=summary',
    'joins?limit=1&of=clicks',
    'joins?limit=1&email=ada@example.com',
    'events?limit=1',
    'events?limit=1&type=login',
    'events?limit=1&email=ada@example.com',
    'events?limit=1&type=timeline_view&email=ada@example.com',
    'events?limit=1&from=2020-01-01',
    'events?limit=1&type=login&from=2020-01-01',
    'events?limit=1&email=ada@example.com&to=2100-01-01',
    'joins?limit=1&from=2020-01-01&to=2100-01-01',
    'invites?limit=1&from=2020-01-01',
    'changes?limit=1',
    'changes?limit=1&email=ada@example.com',
  ];
  const api = [
    'stats',
    'stats?from=2026-01-01',
    'person?email=ada@example.com',
    ...lists,
    ...lists.filter((list) => !/status|q=/.test(list)).map((list) => `${list}&format=csv`),
    ...[...cursors].map(([list, cursor]) => `${list}&${cursor}`),
  ];
  return [
    '/timeline',
    '/timeline?view=mobile',
    '/auth/me',
    ...api.map((at) => `/api/svcops/${at}`),
  ];
}

/** The cursors that the replies of all lists gave. */
function cursorOf(reply: Reply): string | undefined {
  const { next } = JSON.parse(String(reply.body));
  if (typeof next === 'string') return `cursor=${next}`;
  const { summary, clicks } = next ?? {};
  return clicks ? `clicks=${clicks}${summary ? `&summary=${summary}` : ''}` : undefined;
}

async function exercise(): Promise<void> {
  const login = await request('POST /auth/login', { email: 'ada@example.com' });
  const cookie = /svc_session=[^;]+/.exec(login.headers.join('\n'))?.[0] ?? '';
  await request('POST /auth/login', { email: 'grace@example.com' }, cookie);
  const session = await request('POST /auth/login', { email: 'ada@example.com' });
  const admin = /svc_session=[^;]+/.exec(session.headers.join('\n'))?.[0] ?? '';
  for (let i = 0; i < 2; i++) {
    await request('GET /timeline', {}, admin);
    await request('POST /api/project-join', {}, admin);
  }
  await request('POST /api/svcops/invites', { email: 'new@example.com' }, admin);
  const cursors = new Map<string, string>();
  for (const round of ['first', 'next']) {
    for (const url of everyRequest(cursors)) {
      const reply = await request(`GET ${url}`, {}, admin);
      assert.equal(reply.status, 200, url);
      const json = url.startsWith('/api/') && !url.includes('csv') && !url.includes('cursor=');
      const cursor = round === 'first' && json ? cursorOf(reply) : undefined;
      if (cursor) cursors.set(url.replace('/api/svcops/', ''), cursor);
    }
  }
  assert.ok(cursors.size > 50, 'the lists gave cursors');
  await store.write(({ sessions }) => sessions.sweep(Date.now(), 10));
  // Of `events summary`, which no request reaches.
  const { people, close } = await store.beginRead();
  for (const period of [undefined, { from: 0, to: Infinity }])
    assert.equal([...people.seen(period)].length, 2);
  close();
  await request('POST /auth/logout', {}, admin);
}

type Step = { readonly detail: string };

/** The query plan of SQLite for a statement. */
function planOf(db: Database.Database, sql: string): Step[] {
  const parameters = Object.fromEntries(
    [...sql.matchAll(/[@$](\w+)/g)].map(([, name]) => [name, 1]),
  );
  const anonymous = [...sql.matchAll(/\?/g)].map(() => 1);
  return db
    .prepare<unknown[], Step>(`explain query plan ${sql}`)
    .all(...anonymous, ...(anonymous.length > 0 ? [] : [parameters]));
}

const WHOLE = /^SCAN (events|project_joins|log|sessions|changes)\b/;

/** A list in the order of the log needs no sort. */
const LIST_OF_LOG = /from (events|project_joins|changes)\b[\s\S]*order by id desc limit @limit$/;
const PLANNED = /^\s*(select|insert|update|delete|with)\b/i;

describe('the statements of the server and of events summary', () => {
  it('never read a whole log, and sort none', async () => {
    await exercise();
    Database.prototype.prepare = prepare;
    const db = new Database(file, { readonly: true });
    db.function('fold_person', (_name, _email) => '');
    counting(db);
    const planned = [...statements].filter((sql) => PLANNED.test(sql));
    assert.ok(planned.length > 100, `only ${planned.length} statements were collected`);
    for (const part of [
      'insert into events',
      'from events',
      'from project_joins',
      'from people',
      'from changes',
    ])
      assert.ok(
        planned.some((sql) => sql.includes(part)),
        `no statement "${part}" was collected`,
      );
    for (const sql of planned) {
      const plan = planOf(db, sql);
      const refused = ({ detail }: Step) =>
        WHOLE.test(detail) || (LIST_OF_LOG.test(sql) && detail.includes('TEMP B-TREE'));
      assert.equal(plan.find(refused), undefined, sql);
    }
    db.close();
  });

  it('would be noticed by this test if they did', () => {
    const db = new Database(file, { readonly: true });
    const plan = planOf(db, "select count(*) from events where browser = 'x'");
    assert.ok(plan.some(({ detail }) => WHOLE.test(detail)));
    db.close();
  });
});
