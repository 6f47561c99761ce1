/** Sessions: what proves one, for how long, and what the store keeps. */

import assert from 'node:assert/strict';
import test from 'node:test';
import { beginSession, findVisitor, SESSION_LIFETIME } from '../../lib/store/sessions.ts';
import { statement } from '../../lib/store/sqlite.ts';
import { invite, openTestStore } from '../service.ts';

const NOW = Date.UTC(2026, 10, 28);
const db = openTestStore();
invite(db, 'ada@example.com', 'Ada');

test('a token proves its session for 30 days, and not a millisecond longer', () => {
  const { id, token } = beginSession(db, 'ada@example.com', NOW);
  const visitor = { session: id, email: 'ada@example.com', firstName: 'Ada', isAdmin: false };
  assert.deepEqual(findVisitor(db, token, NOW), visitor);
  assert.equal(SESSION_LIFETIME, 30 * 24 * 3600 * 1000);
  assert.ok(findVisitor(db, token, NOW + SESSION_LIFETIME - 1));
  assert.equal(findVisitor(db, token, NOW + SESSION_LIFETIME), undefined);
});

test('the id alone, another secret, and anything else prove nothing', () => {
  const { id, token } = beginSession(db, 'ada@example.com', NOW);
  const other = beginSession(db, 'ada@example.com', NOW).token.split('.')[1];
  for (const forged of ['', id, `${id}.`, `${id}.${other}`, `${token}A`, ` ${token}`, '.'])
    assert.equal(findVisitor(db, forged, NOW), undefined, forged);
});

test('the store keeps no secret, and a login clears away what has expired', () => {
  const { token } = beginSession(db, 'ada@example.com', NOW + SESSION_LIFETIME);
  const [, secret = ''] = token.split('.');
  const rows = statement<[], Record<string, unknown>>(db, 'select * from sessions').all();
  assert.equal(rows.length, 1);
  for (const value of Object.values(rows[0] ?? {})) assert.ok(!String(value).includes(secret));
});
