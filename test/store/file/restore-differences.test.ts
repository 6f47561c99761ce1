/** The differences of a restore, printed before it acts, and sessions of removed people. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { before, beforeEach, test } from 'node:test';
import { logIn, send } from '../../support/client.ts';
import { queryOne } from '../../support/database.ts';
import { siteForEach } from '../../support/site.ts';

const [ADA, GRACE, ALAN] = ['ada@example.com', 'grace@example.com', 'alan@example.com'];

const site = siteForEach();
const data = path.dirname(site.store);
const kept = `${data}-kept`;
let snapshot: string;
/** Cookies of sessions in the snapshot. */
let cookies: Readonly<Record<'ada' | 'grace', string>>;

/** Snapshot: Ada and Grace, logged in. Store: without Grace, with Alan and his two clicks. */
before(async () => {
  site.invite(ADA, 'Ada');
  site.invite(GRACE, 'Grace');
  site.setAdmin(GRACE);
  const server = await site.start();
  cookies = { ada: await logIn(server.origin, ADA), grace: await logIn(server.origin, GRACE) };
  snapshot = site.json<{ file: string }>('backup', 'create').file;
  site.tool('invite', 'remove', GRACE, '--end-sessions');
  site.invite(ALAN);
  const cookie = await logIn(server.origin, ALAN);
  for (let i = 0; i < 2; i += 1) await send(server.origin, 'POST /api/project-join', { cookie });
  await server.stop();
  fs.renameSync(data, kept);
});
beforeEach(() => spawnSync('cp', ['-a', kept, data]));

const restore = (...args: readonly string[]) => site.tool('backup', 'restore', snapshot, ...args);

const DIFFERENCES = {
  returns: { invites: 1, administrators: 1 },
  loses: { events: 1, invites: 1, 'join clicks': 2, sessions: 1 },
};

test('without --yes nothing is changed, and the differences are printed as numbers', async () => {
  const before = fs.readFileSync(site.store);
  const server = await site.start();
  const { status, stdout, stderr } = restore();
  await server.stop();
  assert.equal(status, 1);
  assert.match(stdout, /^would restore .*: 2 invites, /);
  assert.match(stdout, /\nreturns: 1 administrator, 1 invite\n/);
  assert.match(stdout, /\nis lost: 1 event, 1 invite, 2 join clicks, 1 session\n$/);
  assert.match(stderr, /^nothing is changed; .* stop the server and add --yes\n$/);
  const { returns, loses } = JSON.parse(restore('--json').stdout);
  assert.deepEqual({ returns, loses }, DIFFERENCES);
  assert.deepEqual(fs.readFileSync(site.store), before);
});

test('--list prints the differences by name', () => {
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

test('with --yes the people return, but no session of removed people', async () => {
  const { status, stdout } = restore('--yes', '--json');
  assert.equal(status, 0);
  const { returns, loses, rows } = JSON.parse(stdout);
  assert.deepEqual({ returns, loses }, DIFFERENCES);
  assert.equal(rows.sessions, 1);
  const server = await site.start();
  const me = async (cookie: string) =>
    (await send(server.origin, 'GET /auth/me', { cookie })).status;
  assert.equal(await me(cookies.ada), 200);
  assert.equal(await me(cookies.grace), 401);
  await server.stop();
});

test('replacing an unreadable store ends all sessions, and says so', () => {
  fs.writeFileSync(site.store, 'scribbled over'.repeat(1000));
  const { status, stdout } = restore('--yes');
  assert.equal(status, 0);
  assert.match(stdout, /\nthe replaced store cannot be read, so .*; everybody is logged out\n/);
  assert.equal(queryOne(site.store, 'select count(*) from sessions'), 0);
});

test('without a store, as on a new machine, sessions stay valid', () => {
  fs.rmSync(site.store);
  const { status, stdout, stderr } = restore('--yes', '--json');
  assert.equal(status, 0, stderr);
  assert.equal(JSON.parse(stdout).rows.sessions, 2);
});

test('invite add --from-snapshot takes only the invites', async () => {
  const add = site.tool('invite', 'add', '--from-snapshot', snapshot);
  assert.equal(add.stdout, '1 invited; 1 already invited\n', add.stderr);
  const list = site.json('invite', 'list');
  assert.deepEqual(
    list.map(({ email, firstName, isAdmin }) => [email, firstName, isAdmin]).sort(),
    [
      [ADA, 'Ada', false],
      [ALAN, null, false],
      [GRACE, 'Grace', false],
    ],
  );
  const server = await site.start();
  assert.equal((await send(server.origin, 'GET /auth/me', { cookie: cookies.grace })).status, 401);
  await server.stop();
  assert.equal(site.json<{ clicks: number }>('joins', 'stats').clicks, 2);
  const missing = site.tool('invite', 'add', '--from-snapshot', 'nowhere.db');
  assert.equal(missing.status, 1);
  assert.match(missing.stderr, /there is no nowhere\.db/);
});
