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

const isMissing = spawnSync('caddy', ['version']).error !== undefined;
const test = isMissing ? it.skip : it;

let service = await startService();
const servicePort = String(service.port);
const cookie = enter(service.db, 'ada@example.com');
/** The id of Ada's session, and another secret. */
const forged = cookie.replace(/\.[\w-]+$/, `.${'A'.repeat(43)}`);
const docs = path.join(temporaryFolder(), 'docs');
fs.mkdirSync(docs);
fs.writeFileSync(path.join(docs, 'plan.html'), SECRET);
const { get, send } = createClient(isMissing ? 0 : await startCaddy());

const VIEWS = "events where event_type = 'timeline_view'";
const count = (table: string) => Number(readValue(service.db, `select count(*) from ${table}`));

async function restart(): Promise<void> {
  service.child.kill('SIGTERM');
  assert.equal(await service.ended, 0);
  service = await startService(service.folder, { PORT: servicePort });
}

test('behind Caddy, a login counts for the client, whatever it sends as X-Forwarded-For', async () => {
  const type = { 'content-type': 'application/json' };
  for (let number = 1; number <= 31; number += 1) {
    const headers = { ...type, 'x-forwarded-for': `192.0.2.${number}` };
    const { status } = await send('POST', '/auth/login', headers, '{"email":"nobody"}');
    assert.equal(status, number <= 30 ? 400 : 429);
  }
});

test('behind Caddy, a restart loses no view and no join of guests who pause', async () => {
  assert.equal(await failedJoinsUnder(QUIET), 0);
});

test('behind Caddy, a restart under load loses no view, and records no join that failed', async () => {
  await failedJoinsUnder(BUSY);
});

/** Restarts the service under a load of what the pages send. @returns how many joins failed */
async function failedJoinsUnder({ busy, pausing, longestPause, replies }: Load): Promise<number> {
  const viewsBefore = count(VIEWS);
  const joinsBefore = count('project_joins');
  let wanted = 0;
  let sent = 0;
  let views = 0;
  let joins = 0;

  async function view(): Promise<void> {
    assert.equal((await get('/timeline', cookie)).status, 200);
    views += 1;
  }

  async function join(): Promise<void> {
    const { status } = await send('POST', '/api/project-join', { cookie });
    if (status === 200) joins += 1;
    else assert.equal(status, 502);
  }

  async function visit(pauses: boolean): Promise<void> {
    while (sent < wanted) {
      sent += 1;
      await (Math.random() < 0.5 ? view() : join());
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
  assert.equal(count(VIEWS) - viewsBefore, views);
  assert.equal(count('project_joins') - joinsBefore, joins);
  return sent - views - joins;
}

test('the gate lets in whoever is logged in, and nobody else', async () => {
  const { headers } = await get('/docs/plan.html', cookie);
  assert.equal(headers['cache-control'], 'private, no-cache');
  const cached = { 'if-none-match': headers.etag };
  /** What a guest sends, and the status of the reply. */
  const cases: readonly (readonly [string, string, http.OutgoingHttpHeaders, number])[] = [
    ['GET', '/docs/plan.html', {}, 200],
    ['HEAD', '/docs/plan.html', {}, 200],
    ['GET', '/docs/plan.html', { range: 'bytes=2-5' }, 206],
    ['GET', '/docs/plan.html', cached, 304],
    ['GET', '//docs/plan.html', {}, 200],
    ['GET', '/docs//plan.html', {}, 200],
    ['GET', '/docs/../docs/plan.html', {}, 200],
    ['GET', '/docs/%2e/plan.html', {}, 200],
    ['GET', '/%2e%2e/docs/plan.html', {}, 200],
    ['GET', '/%64ocs/plan.html', {}, 200],
  ];
  for (const [method, url, more, status] of cases) {
    assert.equal((await send(method, url, { cookie, ...more })).status, status, url);
    for (const other of ['', forged]) {
      const reply = await send(method, url, { cookie: other, ...more });
      assert.equal(reply.status, 302, url);
      assert.ok(!reply.text.includes('lamp'), url);
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

test('the gate waits while the service restarts', async () => {
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
