/** The administrators' API. Its numbers are tested beside plain SQL in test/store. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { recordEvent } from '../../lib/store/events.ts';
import { recordJoinClick } from '../../lib/store/joins.ts';
import { findVisitor } from '../../lib/store/sessions.ts';
import { readValue } from '../../lib/store/sqlite.ts';
import { enter, enterAsAdmin, LOGIN, ORIGIN, startApp } from '../service.ts';
import { testCases } from './cases.ts';

const app = await startApp();
const { db, get, post } = app;
const grace = enterAsAdmin(db, 'grace@example.com');
const ada = enter(db, 'ada@example.com', 'Ada');
const visitor = findVisitor(db, ada.slice('svc_session='.length), Date.now()) ?? assert.fail();

const INVALID_QUERY = { error: 'invalid_query' };
const INVALID_EMAIL = { error: 'invalid_email' };
const ALREADY_INVITED = { error: 'already_invited' };
const TOO_LARGE = { error: 'body_too_large' };
const NOT_INVITED = { error: 'not_invited' };
const NO_NAME = { error: 'invalid_first_name' };
const invite = 'POST /api/svcops/invites';
const many = 'POST /api/svcops/invites/many';
const name = 'POST /api/svcops/invites/name';

testCases(app, { Grace: { cookie: grace } }, [
  ['GET /api/svcops/stats', 'Grace', 200, /^\{"days":90,/],
  ['GET /api/svcops/stats?days=3660', 'Grace', 200, /^\{"days":3660,/],
  ['GET /api/svcops/stats?days=all', 'Grace', 200, /^\{"days":1,/],
  ['GET /api/svcops/stats?days=3661', 'Grace', 400, INVALID_QUERY],
  ['GET /api/svcops/stats?days=0', 'Grace', 400, INVALID_QUERY],
  ['GET /api/svcops/stats?days=7&days=7', 'Grace', 400, INVALID_QUERY],
  ['GET /api/svcops/stats?from=1', 'Grace', 400, INVALID_QUERY],
  ['GET /api/svcops/invites?sort=email', 'Grace', 400, INVALID_QUERY],
  ['GET /api/svcops/joins?before=1e3', 'Grace', 400, INVALID_QUERY],
  ['GET /api/svcops/joins?type=login', 'Grace', 400, INVALID_QUERY],
  ['GET /api/svcops/joins?email=ada', 'Grace', 400, INVALID_QUERY],
  ['GET /api/svcops/joins?before=9', 'Grace', 200, { clicks: [], older: null }],
  ['GET /api/svcops/events?type=join', 'Grace', 400, INVALID_QUERY],
  ['GET /api/svcops/events?email=ADA%40example.com', 'Grace', 200, /"events":\[\]/],
  ['GET /api/svcops/events', 'Grace', 200, { events: [], older: null }],

  [`${invite} {"email":"bob@example"}`, 'Grace', 400, INVALID_EMAIL],
  [`${invite} {"email":"b(o)b@example.com"}`, 'Grace', 400, INVALID_EMAIL],
  [`${invite} {"email":"bob@example.com","firstName":"a\\tb"}`, 'Grace', 400, NO_NAME],
  [`${invite} {"email":"bob@example.com","firstName":["Bob"]}`, 'Grace', 400, NO_NAME],
  [`${invite} {"email":" Ada@Example.com "}`, 'Grace', 409, ALREADY_INVITED],
  [`${invite} [`, 'Grace', 400, { error: 'invalid_json' }],
  [`${invite} ${'x'.repeat(10_241)}`, 'Grace', 413, TOO_LARGE],
  [`${name} {"email":"ada@example.com"}`, 'Grace', 400, NO_NAME],
  [`${name} {"email":"ada@example.com","firstName":7}`, 'Grace', 400, NO_NAME],
  [`${name} {"email":"ada@example.com","firstName":"a\\tb"}`, 'Grace', 400, NO_NAME],
  [`${name} ${'x'.repeat(10_241)}`, 'Grace', 413, { error: 'body_too_large' }],
  [`${name} {"email":"ada","firstName":null}`, 'Grace', 400, INVALID_EMAIL],
  [`${name} {"email":"eve@example.com","firstName":""}`, 'Grace', 409, NOT_INVITED],
  [`${many} {}`, 'Grace', 400, { error: 'invalid_json' }],
  [`${many} ${'x'.repeat(2 ** 20 + 1)}`, 'Grace', 413, TOO_LARGE],
  [`${many} {"invites":[${'1,'.repeat(20_000)}1]}`, 'Grace', 413, TOO_LARGE],
]);

test('an invite is of the administrator who sent it, and makes no administrator', async () => {
  const asked = { email: 'BOB@bücher.example', firstName: ' Bob ', is_admin: 1, isAdmin: true };
  const { status, text } = await post('/api/svcops/invites', asked, grace);
  assert.equal(status, 201);
  const { invite, ...rest } = JSON.parse(text);
  assert.deepEqual(rest, { ok: true });
  const invited = {
    email: 'bob@xn--bcher-kva.example',
    firstName: 'Bob',
    isAdmin: false,
    invitedBy: 'grace@example.com',
    invitedAt: invite.invitedAt,
    link: `${ORIGIN}/#bob@xn--bcher-kva.example`,
  };
  assert.deepEqual(invite, invited);
  const list = JSON.parse((await get('/api/svcops/invites', grace)).text).invites;
  const numbers = { status: 'pending', logins: 0, timelineViews: 0, joinClicks: 0 };
  assert.deepEqual(list[0], { ...invited, ...numbers, lastSeenAt: null });
});

test('a first name is corrected or cleared, and nothing else changes', async () => {
  const row = `select json_array(first_name, is_admin, invited_by) from invites
    where email = 'ada@example.com'`;
  for (const [firstName, stored] of [
    [' Adele ', 'Adele'],
    ['', null],
    ['Adele', 'Adele'],
    [null, null],
    ['Ada', 'Ada'],
  ]) {
    const asked = { email: ' Ada@Example.com', firstName, is_admin: 1, invitedBy: 'eve' };
    const { status, text } = await post('/api/svcops/invites/name', asked, grace);
    assert.equal(status, 200);
    assert.deepEqual(JSON.parse(text), { ok: true });
    assert.equal(readValue(db, row), JSON.stringify([stored, 0, 'cli']));
  }
});

test('many invites: the new ones are added, and each wrong one is named', async () => {
  const invites = [
    { email: 'carol@example.com', firstName: 'Carol' },
    { email: 'Carol@example.com' },
    { email: 'ada@example.com', firstName: 'Other' },
    { email: 'carol' },
    { email: 'dave@example.com', firstName: 'x'.repeat(101) },
    { email: { toString: null } },
    null,
    { email: 'dave@example.com', firstName: 7 },
  ];
  const { text } = await post('/api/svcops/invites/many', { invites }, grace);
  assert.deepEqual(JSON.parse(text), {
    added: 1,
    invited: 2,
    refused: [
      { index: 3, reason: 'invalid_email' },
      { index: 4, reason: 'invalid_first_name' },
      { index: 5, reason: 'invalid_email' },
      { index: 6, reason: 'invalid_email' },
      { index: 7, reason: 'invalid_first_name' },
    ],
  });
  const name = "select first_name from invites where email = 'ada@example.com'";
  assert.equal(readValue(db, name), 'Ada');
});

test('20,000 invites are one request', async () => {
  const invites = Array.from({ length: 20_000 }, (_, i) => ({ email: `guest${i}@example.com` }));
  const { text } = await post('/api/svcops/invites/many', { invites }, grace);
  assert.deepEqual(JSON.parse(text), { added: 20_000, invited: 0, refused: [] });
  db.exec(`delete from invites where email like 'guest%'`);
});

test('a log comes 500 rows at a time, newest first', async () => {
  db.transaction(() => {
    for (let i = 1; i <= 1200; i += 1) {
      recordJoinClick(db, visitor, i);
      recordEvent(db, LOGIN);
    }
    recordEvent(db, { ...LOGIN, email: 'eve@example.com' });
  })();
  const expected = Array.from({ length: 1200 }, (_, i) => 1200 - i);
  for (const [log, rows] of [
    ['joins', 'clicks'],
    ['events', 'events'],
  ] as const) {
    const ids: number[] = [];
    const lengths: number[] = [];
    let before = '';
    do {
      const { text } = await get(`/api/svcops/${log}?email=ada@example.com${before}`, grace);
      const { [rows]: page, older, ...rest } = JSON.parse(text);
      assert.deepEqual(rest, {});
      lengths.push(page.length);
      for (const { id } of page) ids.push(id);
      before = older === null ? '' : `&before=${older}`;
    } while (before !== '');
    assert.deepEqual(lengths, [500, 500, 200]);
    assert.deepEqual(ids, expected);
  }
});

test('the log of joins begins with a summary', async () => {
  const { stats, summary, clicks } = JSON.parse((await get('/api/svcops/joins', grace)).text);
  assert.deepEqual(stats, { clicks: 1200, users: 1 });
  const ada = { email: 'ada@example.com', firstName: 'Ada' };
  assert.deepEqual(summary, [{ ...ada, clicks: 1200, firstAt: 1, lastAt: 1200 }]);
  const { session } = visitor;
  assert.deepEqual(clicks[0], { ...ada, id: 1200, session, clickedAt: 1200 });
});
