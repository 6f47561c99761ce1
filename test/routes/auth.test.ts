/** Login, logout and the current visitor. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { readValue } from '../../lib/store/sqlite.ts';
import { enter, ORIGIN, startApp } from '../service.ts';
import { testCases } from './cases.ts';

const app = await startApp();
const { db, get, post, send } = app;

const ada = enter(db, 'ada@example.com', 'Ada');
const [sessionId = ''] = ada.slice('svc_session='.length).split('.');
const uninvited = enter(db, 'bob@example.com', 'Bob');
db.exec(`delete from invites where email = 'bob@example.com'`);

const callers = {
  nobody: {},
  'a visitor': { cookie: ada },
  'a visitor, as the second cookie': { cookie: `svc_session=x; ${ada}` },
  'a visitor who was removed': { cookie: uninvited },
  'a forger': { cookie: `svc_session=${sessionId}.${'A'.repeat(43)}` },
  'a stranger with junk': { cookie: `svc_session=' or 1=1; =; svc_session` },
  'another site': { 'sec-fetch-site': 'cross-site', origin: ORIGIN },
  'a sister site': { 'sec-fetch-site': 'same-site' },
  'another site in an old browser': { origin: 'https://evil.example.com' },
  'a sandboxed page': { origin: 'null' },
  'our page': { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example.com' },
  'our page in an old browser': { origin: ORIGIN },
  'our page at its own host': { origin: 'http://localhost:8080', host: 'localhost:8080' },
  'a form': { 'content-type': 'application/x-www-form-urlencoded' },
  'a client that names a charset': { 'content-type': 'Application/JSON; charset=utf-8' },
  'a client that compresses': { 'content-encoding': 'gzip' },
};

const CROSS_ORIGIN = { error: 'cross_origin' };
const INVALID_EMAIL = { error: 'invalid_email' };
const INVALID_JSON = { error: 'invalid_json' };
const WELCOME = { ok: true, firstName: 'Ada' };
const DEEP = '['.repeat(5000) + ']'.repeat(5000);
const login = 'POST /auth/login {"email":"ada@example.com"}';

testCases(app, callers, [
  [login, 'nobody', 200, WELCOME],
  [login, 'our page', 200, WELCOME],
  [login, 'our page in an old browser', 200, WELCOME],
  [login, 'our page at its own host', 200, WELCOME],
  [login, 'another site', 403, CROSS_ORIGIN],
  [login, 'a sister site', 403, CROSS_ORIGIN],
  [login, 'another site in an old browser', 403, CROSS_ORIGIN],
  [login, 'a sandboxed page', 403, CROSS_ORIGIN],
  ['POST /auth/login {"email":" ADA@Example.COM\\u200b "}', 'nobody', 200, WELCOME],
  ['POST /auth/login {"email":["ada@example.com"]}', 'nobody', 200, WELCOME],
  ['POST /auth/login {"email":"Ada <ada@example.com>"}', 'nobody', 400, INVALID_EMAIL],
  ['POST /auth/login {"email":"eve@example.com"}', 'nobody', 403, { error: 'not_invited' }],
  ['POST /auth/login {"email":{"toString":null}}', 'nobody', 400, INVALID_EMAIL],
  [`POST /auth/login {"email":${DEEP}}`, 'nobody', 400, INVALID_EMAIL],
  ['POST /auth/login {}', 'nobody', 400, INVALID_EMAIL],
  ['POST /auth/login', 'a form', 400, INVALID_EMAIL],
  [login, 'a form', 415, { error: 'unsupported_media_type' }],
  [login, 'a client that names a charset', 200, WELCOME],
  ['POST /auth/login \u001f\u008b\b', 'a client that compresses', 400, INVALID_JSON],
  ['POST /auth/login {"email":', 'nobody', 400, INVALID_JSON],
  ['POST /auth/login [1]', 'nobody', 400, INVALID_JSON],
  ['POST /auth/login null', 'nobody', 400, INVALID_JSON],
  [`POST /auth/login ${'x'.repeat(10_240)}`, 'nobody', 400, INVALID_JSON],
  [`POST /auth/login ${'x'.repeat(10_241)}`, 'nobody', 413, { error: 'body_too_large' }],

  ['GET /auth/me', 'a visitor', 200, { email: 'ada@example.com', firstName: 'Ada' }],
  ['GET /auth/me', 'a visitor who was removed', 200, { email: 'bob@example.com', firstName: null }],
  ['GET /auth/me', 'nobody', 401, ''],
  ['GET /auth/me', 'a forger', 401, ''],
  ['GET /auth/me', 'a visitor, as the second cookie', 401, ''],
  ['GET /auth/me', 'a stranger with junk', 401, ''],
  ['POST /auth/me', 'a visitor', 404, 'Not Found\n'],

  ['POST /auth/logout', 'another site', 403, CROSS_ORIGIN],
  ['POST /auth/logout', 'nobody', 200, { ok: true }],
  ['POST /auth/logout', 'a forger', 200, { ok: true }],
  ['GET /auth/me', 'a visitor', 200, { email: 'ada@example.com', firstName: 'Ada' }],
  ['POST /auth/logout', 'a visitor', 200, { ok: true }],
  ['GET /auth/me', 'a visitor', 401, ''],
]);

test('a body in another encoding than UTF-8 is invalid JSON', async () => {
  const bytes = Buffer.from('{"email":"\xff"}', 'latin1');
  const type = { 'content-type': 'application/json' };
  const { status, text } = await send('POST', '/auth/login', type, bytes);
  assert.equal(status, 400);
  assert.equal(text, '{"error":"invalid_json"}');
});

test('a login sets a cookie, and is one event of its session', async () => {
  const before = Date.now();
  const { headers } = await post('/auth/login', { email: 'ada@example.com' });
  const [cookie = ''] = headers['set-cookie'] ?? [];
  const PATTERN =
    /^svc_session=([\w-]{22})\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/;
  const [, id] = PATTERN.exec(cookie) ?? assert.fail(cookie);
  const row = `select json_array(event_type, email, session_id, device_type, os, browser, meta)
    from events order by id desc`;
  const expected = ['login', 'ada@example.com', id, 'unknown', '', '', null];
  assert.equal(readValue(db, row), JSON.stringify(expected));
  const occurredAt = Number(readValue(db, 'select max(occurred_at) from events'));
  assert.ok(before <= occurredAt && occurredAt <= Date.now());
});

test('a login ends the former session of the same browser, and no other one', async () => {
  const former = enter(db, 'ada@example.com');
  const other = enter(db, 'ada@example.com');
  assert.equal((await post('/auth/login', { email: 'ada@example.com' }, former)).status, 200);
  assert.equal((await get('/auth/me', former)).status, 401);
  assert.equal((await get('/auth/me', other)).status, 200);
});

test('a logout clears the cookie', async () => {
  const { headers } = await post('/auth/logout', {});
  const cleared = 'svc_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0';
  assert.deepEqual(headers['set-cookie'], [cleared]);
});

test('a session ends with its row, from the next request on', async () => {
  const cookie = enter(db, 'ada@example.com');
  assert.equal((await get('/auth/me', cookie)).status, 200);
  db.exec('delete from sessions');
  assert.equal((await get('/auth/me', cookie)).status, 401);
});

test('the 31st attempt of a client address is refused, whatever it says', async () => {
  const from = (address: string, site = 'same-origin') =>
    send('POST', '/auth/login', { 'x-forwarded-for': address, 'sec-fetch-site': site });
  for (let i = 0; i < 5; i += 1)
    assert.equal((await from('192.0.2.1, 203.0.113.9', 'cross-site')).status, 403);
  for (let i = 0; i < 30; i += 1)
    assert.equal((await from(`192.0.2.${i}, 203.0.113.9`)).status, 400);
  const { status, text, headers } = await from('203.0.113.9');
  assert.equal(status, 429);
  assert.equal(text, '{"error":"rate_limited"}');
  assert.match(headers['retry-after'] ?? '', /^3(600|59\d)$/);
  assert.equal((await from('203.0.113.10')).status, 400);
});
