/** Turns: what becomes of requests of one moment where one fails, waits, or cannot be written. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import test, { type TestContext } from 'node:test';
import { errorReply, jsonReply } from '../lib/http/reply.ts';
import type { Handler } from '../lib/http/router.ts';
import { recordLogin } from '../lib/store/events.ts';
import { addInvite } from '../lib/store/invites.ts';
import { type Database, openDatabase, readValue } from '../lib/store/sqlite.ts';
import { enter, enterAsAdmin, openTestStore, sendBytes, startApp, startServer } from './service.ts';

const DONE = jsonReply(200, { ok: true });
const NOT_FOUND: Handler = () => errorReply(404, 'not_found');

/** Collects what goes to the standard error. */
function catchErrors(t: TestContext): () => string {
  const { mock } = t.mock.method(console, 'error', () => undefined);
  return () => mock.calls.map(({ arguments: [text] }) => String(text)).join('\n');
}

/** Sends requests on one connection at once, so that they are of one turn. */
async function sendTogether(port: number, requests: readonly string[]): Promise<readonly string[]> {
  const lines = requests.map((request, i) => {
    const connection = i === requests.length - 1 ? 'close' : 'keep-alive';
    return `${request} HTTP/1.1\r\nHost: localhost\r\nConnection: ${connection}\r\n\r\n`;
  });
  const bytes = await sendBytes(port, lines.join(''));
  return Array.from(bytes.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status = '']) => status);
}

/** Another program that holds the lock of a store. */
function lock(db: Database): Database {
  const other = openDatabase(db.name);
  other.exec('begin immediate');
  return other;
}

const insert = (db: Database, id: string): void => {
  db.prepare('insert into project_joins (email, session_id, clicked_at) values (?, ?, 1)').run(
    'ada@example.com',
    id,
  );
};

const count = (db: Database, table: string): unknown =>
  readValue(db, `select count(*) from ${table}`);

test('a request that fails is undone, answered 500, and hurts none of its turn', async (t) => {
  const errors = catchErrors(t);
  const db = openTestStore();
  const record = (id: string) => () => {
    insert(db, id);
    if (id === 'bad') throw new TypeError('a bug');
    return DONE;
  };
  const routes = new Map<string, Handler>([
    ['GET /good', () => record('good')],
    ['GET /bad', () => record('bad')],
    ['GET /read', () => DONE],
    [
      'GET /bad-read',
      () => {
        throw new TypeError('a bug');
      },
    ],
  ]);
  const { port } = await startServer(db, routes, NOT_FOUND);
  const urls = ['/good', '/bad', '/read', '/bad-read', '/good', '/unknown', '/good'];
  const requests = urls.map((url) => `GET ${url}`);
  const expected = ['200', '500', '200', '500', '200', '404', '200'];
  assert.deepEqual(await sendTogether(port, requests), expected);
  const recorded = readValue(db, 'select group_concat(session_id) from project_joins');
  assert.equal(recorded, 'good,good,good');
  assert.match(errors(), /TypeError: a bug/);
});

test('a transaction that SQLite ends by itself is 503, and the server lives on', async (t) => {
  catchErrors(t);
  const db = openTestStore();
  const routes = new Map<string, Handler>([
    ['GET /good', () => DONE],
    [
      'GET /rolled-back',
      () => {
        db.exec('rollback');
        return DONE;
      },
    ],
  ]);
  const { port, get } = await startServer(db, routes, NOT_FOUND);
  assert.deepEqual(await sendTogether(port, ['GET /rolled-back', 'GET /good']), ['503', '503']);
  assert.equal((await get('/good')).status, 200);
});

test('a commit that fails lets only the request fail that made it fail', async (t) => {
  catchErrors(t);
  const db = openTestStore();
  db.exec(`pragma foreign_keys = on; create table parents (id primary key);
    create table children (id references parents deferrable initially deferred)`);
  const routes = new Map<string, Handler>([
    [
      'GET /good',
      () => () => {
        insert(db, 'good');
        return DONE;
      },
    ],
    [
      'GET /orphan',
      () => () => {
        db.exec('insert into children values (1)');
        return DONE;
      },
    ],
  ]);
  const { port } = await startServer(db, routes, NOT_FOUND);
  const together = ['GET /good', 'GET /orphan', 'GET /good', 'GET /unknown'];
  assert.deepEqual(await sendTogether(port, together), ['200', '500', '200', '404']);
  assert.equal(count(db, 'project_joins'), 2);
});

test('a full disk is 503 without a cookie for who records, until there is room', async (t) => {
  const errors = catchErrors(t);
  const { db, get, post } = await startApp();
  const ada = enter(db, 'ada@example.com');
  const pages = readValue(db, 'pragma page_count');
  db.exec(`pragma max_page_count = ${pages}`);
  const session = ada.replace(/^svc_session=|\..*/g, '');
  const device = { deviceType: 'unknown', os: '', browser: '' };
  assert.throws(() => {
    for (;;) recordLogin(db, session, device, Date.now());
  }, /full/);
  const events = count(db, 'events');
  const { status, text, headers } = await post('/auth/login', { email: 'ada@example.com' });
  assert.equal(status, 503);
  assert.equal(text, '{"error":"unavailable"}');
  assert.equal(headers['set-cookie'], undefined);
  assert.equal(count(db, 'events'), events);
  assert.equal(count(db, 'sessions'), 1);
  assert.match(errors(), /^503 POST \/auth\/login: the store: .*full$/);
  assert.equal((await get('/auth/me', ada)).status, 200);
  db.exec('pragma max_page_count = 1000000');
  assert.equal((await post('/auth/login', { email: 'ada@example.com' })).status, 200);
});

test('what a reply acknowledges is there for other programs', async () => {
  const { db, get, post } = await startApp();
  const other = openDatabase(db.name);
  const ada = enter(db, 'ada@example.com');
  for (let i = 1; i <= 20; i += 1) {
    await Promise.all([get('/timeline', ada), post('/api/project-join', {}, ada)]);
    assert.equal(count(other, 'events'), i);
    assert.equal(count(other, 'project_joins'), i);
  }
  other.close();
});

test("another program's lock delays only who records something", async () => {
  const { db, get, post } = await startApp();
  const ada = enter(db, 'ada@example.com');
  const forged = `${ada.slice(0, -2)}AA`;
  const other = lock(db);
  let isAnswered = false;
  const view = get('/timeline', ada).finally(() => {
    isAnswered = true;
  });
  assert.equal((await get('/auth/me', ada)).status, 200);
  assert.equal((await get('/timeline', forged)).status, 302);
  assert.equal((await post('/api/project-join', {}, forged)).status, 401);
  assert.equal((await post('/auth/logout', {}, forged)).status, 200);
  assert.equal((await post('/auth/login', { email: 'eve@example.com' })).status, 403);
  assert.equal(isAnswered, false);
  other.exec('commit');
  assert.equal((await view).status, 200);
  other.close();
});

test('who waited for the lock is judged by what holds after it', async () => {
  const { db, get, post } = await startApp();
  const ada = enter(db, 'ada@example.com');
  addInvite(db, { email: 'bob@example.com', firstName: null, invitedBy: 'cli', invitedAt: 0 });
  const root = enterAsAdmin(db, 'root@example.com');
  const other = lock(db);
  const waiting = [
    post('/auth/login', { email: 'bob@example.com' }),
    get('/timeline', ada),
    post('/api/project-join', {}, ada),
    post('/api/svcops/invites', { email: 'eve@example.com' }, root),
    post('/api/svcops/invites/many', { invites: [{ email: 'eve@example.com' }] }, root),
  ];
  // Later requests of the same kind have been answered, so these wait for the lock.
  for (let i = 0; i < 3; i += 1) await post('/auth/login', { email: 'eve@example.com' });
  other.exec(`delete from invites where email = 'bob@example.com'; delete from sessions; commit`);
  const answers = await Promise.all(waiting);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [403, 302, 401, 404, 404],
  );
  assert.equal(count(db, "invites where email = 'eve@example.com'"), 0);
  assert.equal(answers[0]?.headers['set-cookie'], undefined);
  for (const table of ['sessions', 'events', 'project_joins']) assert.equal(count(db, table), 0);
  other.close();
});

test('who waits for five seconds is told so, in a line', async (t) => {
  const errors = catchErrors(t);
  const { db, get } = await startApp();
  const ada = enter(db, 'ada@example.com');
  const other = lock(db);
  const view = get('/timeline?view=mobile', ada);
  await get('/auth/me', ada);
  await get('/auth/me', ada);
  const now = performance.now.bind(performance);
  t.mock.method(performance, 'now', () => now() + 5001);
  const { status, text } = await view;
  assert.equal(status, 503);
  assert.equal(text, '{"error":"unavailable"}');
  assert.equal(errors(), '503 GET /timeline: the store: SqliteError: database is locked');
  other.exec('commit');
  assert.equal((await get('/timeline', ada)).status, 200);
  assert.equal(count(db, 'events'), 1);
  other.close();
});

test('a client that leaves in the middle of its body disturbs nobody', async () => {
  const { port, get } = await startApp();
  const socket = net.connect(port, '127.0.0.1');
  socket.write('POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"email":');
  await once(socket, 'ready');
  assert.equal((await get('/')).status, 200);
  socket.resetAndDestroy();
  await once(socket, 'close');
  assert.equal((await get('/')).status, 200);
});
