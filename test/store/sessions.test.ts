/** Sessions: what proves one, and when it ends. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { addInvite, removeInvite, setAdmin } from '../../lib/store/invites.ts';
import {
  beginSession,
  countSessions,
  endSession,
  endSessions,
  findVisitor,
  isAdmin,
  SESSION_LIFETIME,
} from '../../lib/store/sessions.ts';
import { openTestStore } from '../service.ts';

const NOW = Date.UTC(2026, 10, 28);
const db = openTestStore();
addInvite(db, { email: 'ada@example.com', firstName: 'Ada', invitedBy: 'cli', invitedAt: NOW });

test('a token proves its session for 30 days, and not a millisecond longer', () => {
  const { id, token } = beginSession(db, 'ada@example.com', NOW);
  assert.deepEqual(findVisitor(db, token, NOW), {
    session: id,
    email: 'ada@example.com',
    firstName: 'Ada',
  });
  assert.ok(findVisitor(db, token, NOW + SESSION_LIFETIME - 1));
  assert.equal(findVisitor(db, token, NOW + SESSION_LIFETIME), undefined);
  assert.equal(SESSION_LIFETIME, 30 * 24 * 3600 * 1000);
});

test('the id alone, another secret, and anything else prove nothing', () => {
  const { id, token } = beginSession(db, 'ada@example.com', NOW);
  const other = beginSession(db, 'ada@example.com', NOW).token.split('.')[1];
  for (const forged of [
    '',
    id,
    `${id}.`,
    `${id}.${other}`,
    `${token}A`,
    ` ${token}`,
    '.',
    "' or 1",
  ])
    assert.equal(findVisitor(db, forged, NOW), undefined, forged);
});

test('the store keeps no secret', () => {
  const { token } = beginSession(db, 'ada@example.com', NOW);
  const [, secret = ''] = token.split('.');
  const rows = db.prepare<[], Record<string, unknown>>('select * from sessions').all();
  for (const row of rows)
    for (const value of Object.values(row)) assert.ok(!String(value).includes(secret));
});

test('a visitor is what the invite says now', () => {
  const { token } = beginSession(db, 'ada@example.com', NOW);
  const visitor = findVisitor(db, token, NOW);
  assert.ok(visitor);
  assert.equal(isAdmin(db, visitor), false);
  setAdmin(db, 'ada@example.com', true);
  assert.equal(isAdmin(db, visitor), true);
  removeInvite(db, 'ada@example.com');
  assert.equal(isAdmin(db, visitor), false);
  assert.equal(findVisitor(db, token, NOW)?.firstName, null);
});

test('a session ends alone, or with all of its person', () => {
  const [one, two, other] = ['bob', 'bob', 'carol'].map((name) =>
    beginSession(db, `${name}@example.com`, NOW),
  );
  endSession(db, one?.id ?? '');
  assert.equal(findVisitor(db, one?.token ?? '', NOW), undefined);
  assert.ok(findVisitor(db, two?.token ?? '', NOW));
  assert.equal(countSessions(db, 'bob@example.com', NOW), 1);
  assert.equal(endSessions(db, 'bob@example.com'), 1);
  assert.equal(findVisitor(db, two?.token ?? '', NOW), undefined);
  assert.ok(findVisitor(db, other?.token ?? '', NOW));
});

test('a login clears away the sessions that have expired', () => {
  beginSession(db, 'dave@example.com', NOW - SESSION_LIFETIME);
  beginSession(db, 'erin@example.com', NOW);
  assert.equal(countSessions(db, 'dave@example.com', NOW - 1), 0);
});
