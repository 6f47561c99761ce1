/** The read transaction of a turn of the event loop. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { Readable } from 'node:stream';
import { after, beforeEach, it } from 'node:test';
import { auth } from '../../lib/routes/auth.ts';
import { findSession } from '../../lib/routes/guards.ts';
import { connect } from '../../lib/store/file/connect.ts';
import { openServerStore, openStore } from '../../lib/store/open.ts';
import { temporaryFolder } from '../support/site.ts';

const file = path.join(temporaryFolder(), 'guestlist.db');
const store = openServerStore(file);
const other = connect(file, 0);
after(async () => {
  other.close();
  await store.close();
});

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
/** Empties the WAL, which needs that nobody reads from it. @returns whether somebody does */
const isReading = () => other.pragma('wal_checkpoint(truncate)', { simple: true }) === 1;

function logIn(): string {
  const tool = openStore(file);
  const { token } = tool.transaction(({ sessions }) => sessions.begin('ada@example.com', 1));
  tool.close();
  return token;
}

const request = (cookie: string) => ({
  ...{ method: 'POST', path: '', query: '', peer: '', body: Readable.from([]) },
  headers: { cookie },
});

/** The session, as a request at `now` finds it. */
const find = (token: string, now: number) => {
  store.beginTurn(now);
  return store.sessions.find(token, now);
};

beforeEach(nextTurn);

it('ends with the turn: the next one sees what another program has changed', async () => {
  const token = logIn();
  assert.ok(find(token, 2));
  other.exec('delete from sessions');
  assert.ok(find(token, 2), 'one snapshot for the turn');
  await nextTurn();
  assert.equal(find(token, 2), undefined);
});

it('lasts one millisecond of a long turn', () => {
  const token = logIn();
  assert.ok(find(token, 2));
  other.exec('delete from sessions');
  assert.equal(find(token, 3), undefined);
});

it('is a new one for a login, which may just have been invited', async () => {
  assert.ok(find(logIn(), 2));
  other.exec(`insert into invites values ('new@example.com', null, 'cli', 1, 0)`);
  const { login } = auth(store, { port: 0, publicOrigin: '', production: false });
  const { status } = await login({ request: request(''), body: { email: 'new@example.com' } });
  assert.equal(status, 200);
});

it('lasts one millisecond, also if the time of day stands still', (t) => {
  t.mock.method(Date, 'now', () => 1);
  const cookie = `svc_session=${logIn()}`;
  assert.ok(findSession(store, request(cookie)));
  other.exec('delete from sessions');
  const begun = performance.now();
  while (performance.now() < begun + 1);
  assert.equal(findSession(store, request(cookie)), undefined);
});

it('does not keep a checkpoint of another program waiting', async () => {
  const token = logIn();
  for (const now of [2, 3]) find(token, now);
  assert.equal(isReading(), true);
  await nextTurn();
  assert.equal(isReading(), false);
});

it('ends before a commit, and after a failed read', async () => {
  const token = logIn();
  const written = store.write(({ sessions }) => {
    assert.ok(find(token, 3), 'does not end the transaction of the commit');
    return sessions.endAllFor('ada@example.com');
  });
  // The commit comes in the turn after this one, before the end of the transaction.
  await nextTurn();
  find(token, 2);
  assert.ok((await written) > 0);
  store.beginTurn(4);
  assert.throws(() => store.sessions.countFor(Symbol() as unknown as string, 4), TypeError);
  await nextTurn();
  assert.equal(isReading(), false);
});
