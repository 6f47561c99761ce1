/** What a restore brings back and what it loses: said before it acts, and the sessions of people who were put out. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { afterEach, beforeEach, test } from 'node:test';
import Database from 'better-sqlite3';
import { logIn, send } from '../../support/client.ts';
import { type Installation, install } from '../../support/installation.ts';

const [ADA, GRACE, ALAN] = ['ada@example.com', 'grace@example.com', 'alan@example.com'];

let installation: Installation;
let snapshot: string;
/** Cookies of sessions that the snapshot holds. */
let cookies: Readonly<Record<'ada' | 'grace', string>>;

/** A snapshot with Ada and Grace, both logged in; then Grace is put out, and Alan invited, who presses the button twice. */
beforeEach(async () => {
  installation = install();
  installation.invite(ADA, 'Ada');
  installation.invite(GRACE, 'Grace');
  installation.setAdmin(GRACE);
  const server = await installation.start();
  cookies = { ada: await logIn(server.origin, ADA), grace: await logIn(server.origin, GRACE) };
  const created = installation.tool('backup', 'create', '--json');
  assert.equal(created.status, 0, created.stderr);
  snapshot = JSON.parse(created.stdout).file;
  installation.tool('invite', 'remove', GRACE, '--end-sessions');
  installation.invite(ALAN);
  const cookie = await logIn(server.origin, ALAN);
  for (let i = 0; i < 2; i += 1) await send(server.origin, 'POST /api/project-join', { cookie });
  await server.stop();
});
afterEach(() => installation.remove());

const restore = (...args: readonly string[]) =>
  installation.tool('backup', 'restore', snapshot, ...args);

const DIFFERENCES = {
  returns: { invites: 1, administrators: 1 },
  loses: { events: 1, invites: 1, 'join clicks': 2, sessions: 1 },
};

test('without --yes nothing is changed, and the numbers say what would be', async () => {
  const before = fs.readFileSync(installation.store);
  const server = await installation.start();
  const { status, stdout, stderr } = restore();
  await server.stop();
  assert.equal(status, 1);
  assert.match(stdout, /^would restore .*: 2 invites, /);
  assert.match(stdout, /\nreturns: 1 administrator, 1 invite\n/);
  assert.match(stdout, /\nis lost: 1 event, 1 invite, 2 join clicks, 1 session\n$/);
  assert.match(stderr, /^nothing is changed; .* stop the server and add --yes\n$/);
  const { returns, loses } = JSON.parse(restore('--json').stdout);
  assert.deepEqual({ returns, loses }, DIFFERENCES);
  assert.deepEqual(fs.readFileSync(installation.store), before);
});

test('--list says it by name', () => {
  const { people } = JSON.parse(restore('--list', '--json').stdout);
  assert.deepEqual(
    people.map(({ email, what, returns, loses }: Record<string, unknown>) =>
      [email, what, returns, loses].join(' '),
    ),
    [
      `${ALAN} events 0 1`,
      `${ALAN} invites 0 1`,
      `${ALAN} join clicks 0 2`,
      `${ALAN} sessions 0 1`,
      `${GRACE} administrators 1 0`,
      `${GRACE} invites 1 0`,
    ],
  );
  assert.match(
    restore('--list').stdout,
    /^email +what +returns +is lost\nalan@example\.com +events/,
  );
});

test('with --yes the people return, but no session of those who had been put out', async () => {
  const { status, stdout } = restore('--yes', '--json');
  assert.equal(status, 0);
  const { returns, loses, rows } = JSON.parse(stdout);
  assert.deepEqual({ returns, loses }, DIFFERENCES);
  assert.equal(rows.sessions, 1);
  const server = await installation.start();
  const me = async (cookie: string) =>
    (await send(server.origin, 'GET /auth/me', { cookie })).status;
  assert.equal(await me(cookies.ada), 200);
  assert.equal(await me(cookies.grace), 401);
  await server.stop();
});

test('in the place of a store that cannot be read nobody stays logged in, which is said', () => {
  fs.writeFileSync(installation.store, 'scribbled over'.repeat(1000));
  const { status, stdout } = restore('--yes');
  assert.equal(status, 0);
  assert.match(stdout, /\nthe store before it cannot be read, so .*; everybody is logged out\n/);
  const db = new Database(installation.store);
  assert.equal(db.prepare('select count(*) from sessions').pluck().get(), 0);
  db.close();
});

test('where there is no store, as on a new machine, those who are logged in stay so', () => {
  fs.rmSync(installation.store);
  const { status, stdout, stderr } = restore('--yes', '--json');
  assert.equal(status, 0, stderr);
  assert.equal(JSON.parse(stdout).rows.sessions, 2);
});

test('invite add --from-snapshot takes the invites alone', async () => {
  const add = installation.tool('invite', 'add', '--from-snapshot', snapshot);
  assert.equal(add.stdout, '1 invited; 1 had been already\n', add.stderr);
  const list = JSON.parse(installation.tool('invite', 'list', '--json').stdout);
  assert.deepEqual(
    list
      .map(({ email, firstName, isAdmin }: Record<string, unknown>) => [email, firstName, isAdmin])
      .sort(),
    [
      [ADA, 'Ada', false],
      [ALAN, null, false],
      [GRACE, 'Grace', false],
    ],
  );
  const server = await installation.start();
  assert.equal((await send(server.origin, 'GET /auth/me', { cookie: cookies.grace })).status, 401);
  await server.stop();
  assert.equal(JSON.parse(installation.tool('joins', 'stats', '--json').stdout).clicks, 2);
  const missing = installation.tool('invite', 'add', '--from-snapshot', 'nowhere.db');
  assert.equal(missing.status, 1);
  assert.match(missing.stderr, /there is no nowhere\.db/);
});
