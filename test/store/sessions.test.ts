/** Sessions: each request reads the store, so its content holds from the next request on. */
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { Readable } from 'node:stream';
import { after, beforeEach, it } from 'node:test';
import Database from 'better-sqlite3';
import { NOT_FOUND } from '../../lib/http/reply.ts';
import { joinHandler } from '../../lib/routes/timeline.ts';
import { openServerStore } from '../../lib/store/open.ts';
import { SESSION_LIFETIME } from '../../lib/store/sessions.ts';
import { addInvite } from '../support/rows.ts';
import { newStoreFile } from '../support/temporary.ts';

const ADA = 'ada@example.com';
const file = newStoreFile();
const store = openServerStore(file);
const other = new Database(file);
let id: string;
let token: string;

after(async () => {
  other.close();
  await store.close();
});

const find = () => store.findVisitor(token);

beforeEach(async () => {
  other.exec('delete from sessions');
  other.exec(
    `replace into invites (email, first_name, invited_by, invited_at) values ('${ADA}', 'Ada', 'cli', 1)`,
  );
  ({ id, token } = await store.write(({ sessions }) => sessions.begin(ADA, Date.now())));
  assert.ok(find());
});

for (const [what, sql, expected] of [
  ['that the session is gone', 'delete from sessions', undefined],
  ['that the session has expired', 'update sessions set expires_at = 1', undefined],
  ['another secret', "update sessions set secret_hash = x'00'", undefined],
  ['another person', "update sessions set email = 'bo@example.com'", [null, false]],
  ['another first name', "update invites set first_name = 'Ida'", ['Ida', false]],
  ['the administrator flag', 'update invites set is_admin = 1', ['Ada', true]],
  ['that the invite is gone', 'delete from invites', [null, false]],
] as const)
  it(`knows ${what} in the next request, if another program has changed it`, async () => {
    other.exec(sql);
    const found = find();
    assert.deepEqual(found && [found.firstName, found.isAdmin], expected);
  });

it('finds a session that another program has restored', () => {
  other.exec('create temp table kept as select * from sessions; delete from sessions');
  assert.equal(find(), undefined);
  other.exec('insert into sessions select * from kept; drop table kept');
  assert.equal(find()?.id, id);
});

it('a session is valid until the millisecond of its end', (t) => {
  const expiresAt = other.prepare<[], number>('select expires_at from sessions').pluck().get();
  assert.ok(expiresAt);
  const now = t.mock.method(Date, 'now', () => expiresAt);
  assert.equal(find(), undefined);
  now.mock.mockImplementation(() => expiresAt - 1);
  assert.ok(find());
});

it('records nothing for a session that its commit has ended', async () => {
  const visitor = find();
  const body = Readable.from([]);
  const record = joinHandler(store);
  assert.ok(visitor);
  const request = { method: 'POST', path: '', query: '', headers: {}, peer: '', body };
  const press = async () =>
    (await record({ request, visitor, replyWithoutSession: () => NOT_FOUND })).status;
  const end = () => store.write(({ sessions }) => sessions.end(visitor));
  assert.deepEqual(await Promise.all([press(), end(), press()]), [200, undefined, 404]);
  assert.equal(find(), undefined);
});

it('keeps a session whose end is rolled back', async () => {
  const failing = store.write(({ sessions }) => {
    sessions.end({ id, email: ADA });
    assert.equal(find(), undefined, 'in the transaction');
    throw new Error('rolled back');
  });
  await assert.rejects(failing, /rolled back/);
  assert.ok(find());
  other.exec('delete from invites');
  assert.equal(find()?.firstName, null);
  await store.write((writer) => addInvite(writer, ADA, { firstName: 'Ada' }));
  assert.equal(find()?.firstName, 'Ada');
});

it('an expired session is deleted', async () => {
  const sweep = (now: number) => store.write(({ sessions }) => sessions.sweep(now, 100));
  assert.equal(await sweep(Date.now()), 0);
  assert.ok(find());
  assert.notEqual(await sweep(Date.now() + SESSION_LIFETIME), 0);
  assert.equal(find(), undefined);
});

it('a forged, an expired and a valid token cost one proof each', (t) => {
  const compare = t.mock.method(crypto, 'timingSafeEqual');
  syncBuiltinESMExports();
  const compared = (each: string) => {
    compare.mock.resetCalls();
    store.findVisitor(each);
    return compare.mock.calls.map(({ arguments: hashes }) =>
      hashes.map(({ byteLength }) => byteLength),
    );
  };
  const forged = token.replace(id, 'A'.repeat(22));
  for (const each of [token, forged]) assert.deepEqual(compared(each), [[64, 64]]);
  other.exec('update sessions set expires_at = 1');
  assert.deepEqual(compared(token), [[64, 64]]);
  compare.mock.restore();
  syncBuiltinESMExports();
});

it('refuses a wrong secret, one of another session, and no secret', async () => {
  const another = await store.write(({ sessions }) => sessions.begin(ADA, Date.now()));
  const [, secret = ''] = another.token.split('.');
  const forged = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
  const wrong = [forged, `${id}.${secret}`, id, `${id}.`, '', `${token}A`, ` ${token}`];
  for (const each of wrong) assert.equal(store.findVisitor(each), undefined, each);
});
