/** Sessions that are remembered: the memory confirms, and what others change holds at once. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, beforeEach, it } from 'node:test';
import Database from 'better-sqlite3';
import { NOT_FOUND } from '../../lib/http/reply.ts';
import { joinHandler } from '../../lib/routes/timeline.ts';
import { openServerStore } from '../../lib/store/open.ts';
import { SESSION_LIFETIME } from '../../lib/store/sessions.ts';
import { addInvite } from '../support/rows.ts';
import { newStoreFile } from '../support/site.ts';

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
  other.exec(
    `replace into invites (email, first_name, invited_by, invited_at) values ('${ADA}', 'Ada', 'cli', 1)`,
  );
  ({ id, token } = await store.write(({ sessions }) => sessions.begin(ADA, Date.now())));
  assert.ok(find());
});

for (const [what, sql, expected] of [
  ['that the session is gone', 'delete from sessions', undefined],
  ['another first name', "update invites set first_name = 'Ida'", ['Ida', false]],
  ['the administrator flag', 'update invites set is_admin = 1', ['Ada', true]],
  ['that the invite is gone', 'delete from invites', [null, false]],
] as const)
  it(`knows ${what} in the next request, if another program has changed it`, async () => {
    other.exec(sql);
    const found = find();
    assert.deepEqual(found && [found.firstName, found.isAdmin], expected);
  });

it('records nothing for a session that a job of the same commit has ended', async () => {
  const [visitor, body, record] = [find(), Readable.from([]), joinHandler(store)];
  assert.ok(visitor);
  const request = { method: 'POST', path: '', query: '', headers: {}, peer: '', body };
  const press = async () => (await record({ request, visitor, refusal: NOT_FOUND })).status;
  const end = () => store.write(({ sessions }) => sessions.end(visitor));
  assert.deepEqual(await Promise.all([press(), end(), press()]), [200, undefined, 404]);
  assert.equal(find(), undefined);
});

it('keeps a session whose end is rolled back, and knows an invite that the server has added', async () => {
  const failing = store.write(({ sessions }) => {
    sessions.end({ id, email: ADA });
    throw new Error('rolled back');
  });
  await assert.rejects(failing, /rolled back/);
  assert.ok(find());
  other.exec('delete from invites');
  assert.equal(find()?.firstName, null);
  await store.write((writer) => addInvite(writer, ADA, { firstName: 'Ada' }));
  assert.equal(find()?.firstName, 'Ada');
});

it('forgets a session that was swept, also if the clock is set back', async () => {
  const sweep = (now: number) => store.write(({ sessions }) => sessions.sweep(now, 100));
  assert.equal(await sweep(Date.now()), 0);
  assert.ok(find());
  assert.notEqual(await sweep(Date.now() + SESSION_LIFETIME), 0);
  assert.equal(find(), undefined);
});

it('refuses a wrong secret, and remembers a bounded number of sessions', async () => {
  const forged = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
  for (const wrong of [forged, token.slice(0, 22), '', `${token}A`])
    assert.equal(store.findVisitor(wrong), undefined);
  const tokens = await store.write(({ sessions }) =>
    Array.from({ length: 20_010 }, () => sessions.begin(ADA, Date.now()).token),
  );
  for (const each of [...tokens, token]) assert.ok(store.findVisitor(each));
});
