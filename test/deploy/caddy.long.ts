/** The service behind Debian's Caddy and `deploy/Caddyfile`. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { after, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../../lib/config.ts';
import { readValue } from '../../lib/store/sqlite.ts';
import { enter, startService, temporaryFolder } from '../service.ts';

/** In seconds: around the 2 s after which Caddy lets a connection go, and the service's 65 s. */
const IDLE_TIMES = [1, 1.9, 1.99, 2, 2.01, 2.1, 3, 10, 30, 60, 64.9, 65, 65.1, 70];

const CLIENTS = 16;
const RESTARTS = 4;
const REPLIES_BETWEEN_RESTARTS = 400;

/** A method and a path. */
const VIEW = ['GET', '/timeline'] as const;
const JOIN = ['POST', '/api/project-join'] as const;

type Send = (method: string, url: string, headers?: object, body?: string) => Promise<number>;

const skip = spawnSync('caddy', ['version']).error ? 'no Caddy' : false;

let service = await startService();
const servicePort = String(service.port);
const cookie = enter(service.db, 'ada@example.com');
const proxyPort = skip ? 0 : await startCaddy();

/** A client with one connection. @returns what sends a request, and gives the reply's status */
function createClient(): Send {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  after(() => agent.destroy());
  return async (method, path, headers = {}, body = '') => {
    const options = { host: '127.0.0.1', port: proxyPort, agent, method, path };
    const request = http.request({ ...options, headers: { cookie, ...headers } }).end(body);
    const [response] = await once(request, 'response');
    response.resume();
    await once(response, 'end');
    return response.statusCode;
  };
}

const count = (table: string) => Number(readValue(service.db, `select count(*) from ${table}`));

it('behind Caddy, a login counts for the client, whatever it sends as X-Forwarded-For', {
  skip,
}, async () => {
  const send = createClient();
  const tryLogin = (number: number) => {
    const headers = {
      'x-forwarded-for': `192.0.2.${number}`,
      'content-type': 'application/json',
    };
    return send('POST', '/auth/login', headers, '{"email":"nobody"}');
  };
  for (let number = 1; number <= 30; number += 1) assert.equal(await tryLogin(number), 400);
  assert.equal(await tryLogin(31), 429);
});

it('behind Caddy, no POST is lost on a connection that was idle', { skip }, async () => {
  const before = count('project_joins');
  const clients = IDLE_TIMES.map(async (seconds) => {
    const send = createClient();
    const first = await send(...JOIN);
    await sleep(seconds * 1000);
    return [first, await send(...JOIN)];
  });
  for (const statuses of await Promise.all(clients)) assert.deepEqual(statuses, [200, 200]);
  assert.equal(count('project_joins') - before, 2 * IDLE_TIMES.length);
});

it('behind Caddy, no request is lost while the service restarts under load', { skip }, async () => {
  const rows = () => count('project_joins') + count("events where event_type = 'timeline_view'");
  const before = rows();
  const replies = new Map<number, number>();
  const total = () => Array.from(replies.values()).reduce((sum, number) => sum + number, 0);
  let wanted = 0;

  async function visit(client: number): Promise<void> {
    const send = createClient();
    while (total() < wanted) {
      const [method, url] = Math.random() < 0.5 ? VIEW : JOIN;
      const status = await send(method, url);
      replies.set(status, (replies.get(status) ?? 0) + 1);
      // Half of the clients pause, so that connections become idle.
      if (client % 2 === 0) await sleep(Math.random() * 300);
    }
  }

  const visits = async () => {
    wanted += REPLIES_BETWEEN_RESTARTS;
    await Promise.all(Array.from({ length: CLIENTS }, (_, client) => visit(client)));
  };
  for (let restart = 1; restart <= RESTARTS; restart += 1) {
    const visiting = visits();
    await sleep(50);
    service.child.kill('SIGTERM');
    assert.equal(await service.ended, 0);
    service = await startService(service.folder, { PORT: servicePort });
    await visiting;
  }
  assert.deepEqual(Array.from(replies.keys()), [200]);
  assert.equal(rows() - before, total());
});

/** Starts Caddy with the file of `deploy`, over plain http. @returns its port */
async function startCaddy(): Promise<number> {
  const folder = temporaryFolder();
  const port = await findFreePort();
  const file = path.join(folder, 'Caddyfile');
  const shipped = fs.readFileSync(path.join(root, 'deploy/Caddyfile'), 'utf8');
  const site = shipped
    .replace('preview.example.com {', `http://:${port} {\n\tbind 127.0.0.1`)
    .replace('127.0.0.1:3000', `127.0.0.1:${servicePort}`);
  fs.writeFileSync(file, `{\n\tadmin off\n\tstorage file_system ${folder}\n}\n${site}`);
  const args = ['run', '--config', file, '--adapter', 'caddyfile'];
  const caddy = spawn('caddy', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  after(() => caddy.kill());
  let log = '';
  caddy.stderr.on('data', (text) => {
    log += text;
  });
  while (!log.includes('serving initial configuration')) await once(caddy.stderr, 'data');
  return port;
}

async function findFreePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}
