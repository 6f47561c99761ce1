/** Turns: what becomes of requests of one moment where one fails, waits, or cannot be written. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import test, { type TestContext } from 'node:test';
import { errorReply, jsonReply } from '../lib/http/reply.ts';
import { type Handler, type Route, reads, writes } from '../lib/http/router.ts';
import { recordEvent } from '../lib/store/events.ts';
import { recordJoinClick } from '../lib/store/joins.ts';
import { type Database, openDatabase, readValue } from '../lib/store/sqlite.ts';
import {
  type App,
  enter,
  enterAsAdmin,
  LOGIN,
  openTestStore,
  sendBytes,
  startApp,
  startServer,
  visitorOf,
} from './service.ts';

const DONE = jsonReply(200, { ok: true });
const UNKNOWN = reads(() => errorReply(404, 'not_found'));

/** Answers 200 once its work is done. */
function doing(work: () => void): Handler {
  return () => {
    work();
    return DONE;
  };
}

function throwBug(): never {
  throw new TypeError('a bug');
}

function startRoutes(db: Database, routes: Readonly<Record<string, Route>>): Promise<App> {
  return startServer(db, new Map(Object.entries(routes)), UNKNOWN);
}

function press(db: Database, session: string): void {
  recordJoinClick(db, visitorOf('ada@example.com', session), 1);
}

/** Collects what goes to the standard error. */
function catchErrors(t: TestContext): () => string {
  const { mock } = t.mock.method(console, 'error', () => undefined);
  return () => mock.calls.map(({ arguments: [text] }) => String(text)).join('\n');
}

/** Gets URLs on one connection at once, so that the requests are of one turn. */
async function getTogether(port: number, urls: readonly string[]): Promise<readonly string[]> {
  const starts = urls.map((url) => `GET ${url} HTTP/1.1\r\nHost: localhost\r\n`);
  const bytes = await sendBytes(port, `${starts.join('\r\n')}Connection: close\r\n\r\n`);
  return Array.from(bytes.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status = '']) => status);
}

const count = (db: Database, table: string): unknown =>
  readValue(db, `select count(*) from ${table}`);

test('a request that fails is undone, answered 500, and hurts none of its turn', async (t) => {
  const errors = catchErrors(t);
  const db = openTestStore();
  const { port } = await startRoutes(db, {
    'GET /good': writes(doing(() => press(db, 'good'))),
    'GET /bad': writes(() => {
      press(db, 'bad');
      throwBug();
    }),
    'GET /read': reads(() => DONE),
    'GET /bad-read': reads(throwBug),
  });
  const urls = ['/good', '/bad', '/read', '/bad-read', '/good', '/unknown', '/good'];
  const expected = ['200', '500', '200', '500', '200', '404', '200'];
  assert.deepEqual(await getTogether(port, urls), expected);
  const recorded = readValue(db, 'select group_concat(session_id) from project_joins');
  assert.equal(recorded, 'good,good,good');
  assert.match(errors(), /TypeError: a bug/);
});

test('a transaction that SQLite ends by itself is 503, and the server lives on', async (t) => {
  catchErrors(t);
  const db = openTestStore();
  const { port, get } = await startRoutes(db, {
    'GET /good': reads(() => DONE),
    'GET /rolled-back': reads(doing(() => db.exec('rollback'))),
  });
  assert.deepEqual(await getTogether(port, ['/rolled-back', '/good']), ['503', '503']);
  assert.equal((await get('/good')).status, 200);
});

test('a commit that fails lets only the request fail that made it fail', async (t) => {
  catchErrors(t);
  const db = openTestStore();
  db.exec(`pragma foreign_keys = on; create table parents (id primary key);
    create table children (id references parents deferrable initially deferred)`);
  const { port } = await startRoutes(db, {
    'GET /good': writes(doing(() => press(db, 'good'))),
    'GET /orphan': writes(doing(() => db.exec('insert into children values (1)'))),
  });
  const urls = ['/good', '/orphan', '/good', '/unknown'];
  assert.deepEqual(await getTogether(port, urls), ['200', '500', '200', '404']);
  assert.equal(count(db, 'project_joins'), 2);
});

test('a full disk is 503 without a cookie for who records, until there is room', async (t) => {
  const errors = catchErrors(t);
  const { db, get, post } = await startApp();
  const ada = enter(db, 'ada@example.com');
  const pages = readValue(db, 'pragma page_count');
  db.exec(`pragma max_page_count = ${pages}`);
  assert.throws(() => {
    for (;;) recordEvent(db, LOGIN);
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
});

test('a lock of another program delays who may write, for 5 s at most, and nobody else', async (t) => {
  const errors = catchErrors(t);
  const { db, get, post } = await startApp();
  const ada = enter(db, 'ada@example.com');
  const grace = enterAsAdmin(db, 'grace@example.com');
  const other = openDatabase(db.name);
  const invites = '/api/svcops/invites';
  const guest = { email: 'eve@example.com' };

  other.exec('begin immediate');
  const waiting = [
    get('/timeline', ada),
    post('/auth/logout', {}, ada),
    post(invites, guest, grace),
  ];
  assert.equal((await get('/auth/me', ada)).status, 200);
  assert.equal((await get('/')).status, 200);
  const unknown = await post('/unknown', guest, ada);
  const hidden = await post(invites, guest, ada);
  assert.equal(hidden.status, 404);
  assert.equal(hidden.text, unknown.text);
  other.exec('commit');
  const statuses = (await Promise.all(waiting)).map(({ status }) => status);
  assert.deepEqual(statuses, [200, 200, 201]);

  other.exec('begin immediate');
  const late = get('/timeline', grace);
  await get('/auth/me', grace);
  const now = performance.now.bind(performance);
  t.mock.method(performance, 'now', () => now() + 5001);
  assert.equal((await late).status, 503);
  assert.match(errors(), /^503 GET \/timeline: the store: SqliteError: database is locked$/);
  assert.equal(count(db, 'events'), 1);
});

/** Bodies that an administrator may send, and those that are refused. */
const BODIES = ['{"email":"ada@example.com"}', '{"email": no JSON at all  }'];

for (const body of BODIES)
  test(`an administrator demoted before ${body} arrives gets a plain 404`, async (t) => {
    const { db, port, get, post } = await startApp();
    const grace = enterAsAdmin(db, 'grace@example.com');
    const socket = net.connect(port, '127.0.0.1').setEncoding('latin1');
    t.after(() => socket.destroy());
    const json = 'Content-Type: application/json\r\nContent-Length: 27';
    const start = `POST /api/svcops/invites HTTP/1.1\r\nHost: x\r\nCookie: ${grace}\r\n${json}`;
    socket.write(`${start}\r\n\r\n${body.slice(0, 1)}`);
    await once(socket, 'ready');
    await get('/');
    db.exec('update invites set is_admin = 0');
    socket.write(body.slice(1));
    const [reply] = await once(socket, 'data');
    const [, text] = reply.split('\r\n\r\n');
    assert.equal(text, (await post('/unknown', {})).text);
    assert.equal(count(db, 'invites'), 1);
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
