/** The service behind Debian's Caddy, `deploy/Caddyfile` and the gate of `docs/own-site.md`. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import type http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { after, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../../lib/config.ts';
import { removeInvite } from '../../lib/store/invites.ts';
import { endSessions } from '../../lib/store/sessions.ts';
import { readValue } from '../../lib/store/sqlite.ts';
import { createClient, enter, listen, startService, temporaryFolder } from '../service.ts';

const RESTARTS = 4;

/** Clients, the longest pause of each between two requests in ms, and replies for each restart. */
type Load = {
  readonly busy: number;
  readonly pausing: number;
  readonly longestPause: number;
  readonly replies: number;
};

/** A connection every few ms, all the time. */
const BUSY: Load = { busy: 8, pausing: 8, longestPause: 300, replies: 400 };

/** Within a second, 50 ms pass without a connection many times. */
const QUIET: Load = { busy: 0, pausing: 8, longestPause: 1500, replies: 40 };

/** What the gate must never show to a stranger. */
const SECRET = 'A lamp that waits for you.';

const skip = spawnSync('caddy', ['version']).error ? 'no Caddy' : false;

let service = await startService();
const servicePort = String(service.port);
const cookie = enter(service.db, 'ada@example.com');
/** The id of Ada's session, and another secret. */
const forged = cookie.replace(/\.[\w-]+$/, `.${'A'.repeat(43)}`);
const docs = path.join(temporaryFolder(), 'docs');
fs.mkdirSync(docs);
fs.writeFileSync(path.join(docs, 'plan.html'), SECRET);
const { get, send } = createClient(skip ? 0 : await startCaddy());

const count = (table: string) => Number(readValue(service.db, `select count(*) from ${table}`));

async function restart(): Promise<void> {
  service.child.kill('SIGTERM');
  assert.equal(await service.ended, 0);
  service = await startService(service.folder, { PORT: servicePort });
}

it('behind Caddy, a login counts for the client, whatever it sends as X-Forwarded-For', {
  skip,
}, async () => {
  const tryLogin = async (number: number) => {
    const headers = {
      'x-forwarded-for': `192.0.2.${number}`,
      'content-type': 'application/json',
    };
    const { status } = await send('POST', '/auth/login', headers, '{"email":"nobody"}');
    return status;
  };
  for (let number = 1; number <= 30; number += 1) assert.equal(await tryLogin(number), 400);
  assert.equal(await tryLogin(31), 429);
});

/** The statuses of views and joins. */
type Replies = { readonly views: number[]; readonly joins: number[] };

/** Restarts the service under a load of what the pages send: a join has no body. */
async function restartUnder({ busy, pausing, longestPause, replies }: Load): Promise<Replies> {
  const statuses: Replies = { views: [], joins: [] };
  let sent = 0;
  let wanted = 0;

  async function visit(pauses: boolean): Promise<void> {
    while (sent < wanted) {
      sent += 1;
      if (Math.random() < 0.5) statuses.views.push((await get('/timeline', cookie)).status);
      else statuses.joins.push((await send('POST', '/api/project-join', { cookie })).status);
      if (pauses) await sleep(Math.random() * longestPause);
    }
  }

  for (let number = 1; number <= RESTARTS; number += 1) {
    wanted += replies;
    const visits = Array.from({ length: busy + pausing }, (_, client) => visit(client >= busy));
    await sleep(50);
    await restart();
    await Promise.all(visits);
  }
  return statuses;
}

it('behind Caddy, a restart loses no view and no join of guests who pause', { skip }, async () => {
  assert.equal(await failedJoinsUnder(QUIET), 0);
});

it('behind Caddy, a restart under load loses no view, and records no join that failed', {
  skip,
}, async () => {
  await failedJoinsUnder(BUSY);
});

/** Restarts under a load. Every view is there, and of the joins those that did not fail. */
async function failedJoinsUnder(load: Load): Promise<number> {
  const before = countRows();
  const { views, joins } = await restartUnder(load);
  const rows = countRows();
  for (const status of views) assert.equal(status, 200);
  assert.equal(rows.views - before.views, views.length);
  const failed = joins.filter((status) => status !== 200);
  for (const status of failed) assert.equal(status, 502);
  assert.equal(rows.joins - before.joins, joins.length - failed.length);
  return failed.length;
}

/** A method, a path, what is sent with it, and the statuses for a guest and for others. */
type GateCase = readonly [string, string, http.OutgoingHttpHeaders, number, number];

it('the gate lets in whoever is logged in, and nobody else', { skip }, async () => {
  const { headers } = await get('/docs/plan.html', cookie);
  assert.equal(headers['cache-control'], 'private, no-cache');
  const cached = { 'if-none-match': headers.etag };
  const cases: readonly GateCase[] = [
    ['GET', '/docs/plan.html', {}, 200, 302],
    ['HEAD', '/docs/plan.html', {}, 200, 302],
    ['GET', '/docs/plan.html', { range: 'bytes=2-5' }, 206, 302],
    ['GET', '/docs/plan.html', cached, 304, 302],
    ['GET', '//docs/plan.html', {}, 200, 302],
    ['GET', '/docs//plan.html', {}, 200, 302],
    ['GET', '/docs/../docs/plan.html', {}, 200, 302],
    ['GET', '/docs/%2e/plan.html', {}, 200, 302],
    ['GET', '/%2e%2e/docs/plan.html', {}, 200, 302],
    ['GET', '/%64ocs/plan.html', {}, 200, 302],
    ['GET', '/docs/../plan.html', {}, 404, 404],
  ];
  for (const [method, url, more, forGuest, forOthers] of cases) {
    const message = `${method} ${url} ${JSON.stringify(more)}`;
    const guest = await send(method, url, { cookie, ...more });
    assert.equal(guest.status, forGuest, message);
    for (const other of ['', forged]) {
      const reply = await send(method, url, { cookie: other, ...more });
      assert.equal(reply.status, forOthers, message);
      assert.ok(!reply.text.includes('lamp'), message);
    }
  }

  assert.equal((await send('POST', '/docs/plan.html')).status, 302);

  // As specified, a removed guest keeps her session. Once it has ended, the copy in her browser's
  // cache is no use either.
  removeInvite(service.db, 'ada@example.com');
  assert.equal((await get('/docs/plan.html', cookie)).text, SECRET);
  endSessions(service.db, 'ada@example.com');
  assert.equal((await send('GET', '/docs/plan.html', { cookie, ...cached })).status, 302);
});

it('the gate waits while the service restarts', { skip }, async () => {
  const eve = enter(service.db, 'eve@example.com');
  let isRestarting = true;
  async function readWhileRestarting(cookies: string): Promise<ReadonlySet<number>> {
    const statuses = new Set<number>();
    while (isRestarting) statuses.add((await get('/docs/plan.html', cookies)).status);
    return statuses;
  }
  const guest = readWhileRestarting(eve);
  const stranger = readWhileRestarting('');
  await restart();
  isRestarting = false;
  assert.deepEqual(await guest, new Set([200]));
  assert.deepEqual(await stranger, new Set([302]));
});

function countRows(): { readonly views: number; readonly joins: number } {
  return {
    views: count("events where event_type = 'timeline_view'"),
    joins: count('project_joins'),
  };
}

/** Starts Caddy with the files of `deploy` and `docs`, over plain http. @returns its port */
async function startCaddy(): Promise<number> {
  const folder = temporaryFolder();
  const free = net.createServer();
  const port = await listen(free);
  free.close();
  const file = path.join(folder, 'Caddyfile');
  const shipped = fs.readFileSync(path.join(root, 'deploy/Caddyfile'), 'utf8');
  const site = shipped
    .replace('{$DOMAIN:preview.example.com} {', `http://:${port} {\n\tbind 127.0.0.1`)
    .replace('\treverse_proxy', `${readGate()}\treverse_proxy`)
    .replace('/srv/site', path.dirname(docs))
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${servicePort}`);
  fs.writeFileSync(file, `{\n\tadmin off\n\tstorage file_system ${folder}\n}\n${site}`);
  const args = ['run', '--config', file, '--adapter', 'caddyfile'];
  const caddy = spawn('caddy', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  after(() => caddy.kill());
  let log = '';
  caddy.stderr.on('data', (text) => {
    log += text;
  });
  const ended = once(caddy, 'close').then(() => assert.fail(log));
  while (!log.includes('serving initial configuration'))
    await Promise.race([once(caddy.stderr, 'data'), ended]);
  ended.catch(() => {});
  return port;
}

/** The block as the document has it. */
function readGate(): string {
  const text = fs.readFileSync(path.join(root, 'docs/own-site.md'), 'utf8');
  const [, block] = /```caddyfile\n(.*?)```/s.exec(text) ?? [];
  assert.ok(block);
  return block;
}
