/** The process: refused starts, the first lines, memory, and signals. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { SESSION_LIFETIME } from '../lib/store/sessions.ts';
import { logIn, send, sendRaw } from './support/client.ts';
import { preload, SHORT_MINUTES } from './support/clock.ts';
import { read } from './support/database.ts';
import { startHeld } from './support/held-socket.ts';
import type { Server } from './support/installation.ts';
import { siteForEach } from './support/site.ts';

const site = siteForEach();
const data = path.dirname(site.store);

const busy = net.createServer().listen(0, '127.0.0.1');
await once(busy, 'listening');
after(() => busy.close());
const { port } = busy.address() as net.AddressInfo;

describe('a start is refused with a status and one line on stderr', () => {
  /** A start with sockets that systemd hands over. */
  const handed = (sockets: number, script: string) => () => {
    const command = `LISTEN_PID=$$ LISTEN_FDS=${sockets} exec "$0" "$1" ${script}`;
    const args = ['-c', command, process.execPath, path.join(site.root, 'server.js')];
    return spawnSync('sh', args, { encoding: 'utf8', timeout: 60_000 });
  };
  const IN_USE = /^port \d+ is in use; set PORT to /;
  const SOCKETS = /^systemd hands over 2 sockets; guestlist\.socket /;
  const NO_SOCKET = /^file descriptor 3 is not a listening TCP/;
  const spoiled = () => fs.writeFileSync(data, '') ?? site.run();
  /** A start with a lock that it cannot open, as if another user owned it. */
  const locked = () => {
    site.invite('ada@example.com');
    fs.mkdirSync(`${site.store}.lock`);
    return site.run();
  };
  for (const [what, start, expected, line] of [
    ['a wrong PORT', () => site.run({ PORT: '1\n2' }), 2, /^PORT is ".*"; it must be /],
    ['a port in use', () => site.run({ PORT: `${port}` }), 1, IN_USE],
    ['two sockets of systemd', handed(2, ''), 1, SOCKETS],
    ['a file as its socket', handed(1, '3</dev/null'), 1, NO_SOCKET],
    ['a file in place of data/', spoiled, 1, /guestlist\.db cannot be opened/],
    ['a lock that it cannot open', locked, 1, /guestlist\.db\.lock cannot be opened \(/],
  ] as const)
    it(`for ${what}`, () => {
      const { status, stdout, stderr } = start();
      assert.deepEqual([status, stdout], [expected, ''], stderr);
      assert.match(stderr, line);
      assert.match(stderr, /^.*\n$/);
      if (expected === 2) assert.ok(!fs.existsSync(data), 'before there is a store');
    });
});

describe('a start', () => {
  it('prints the address, and how to add the first invite if there is none', async () => {
    const server = await site.start({ PUBLIC_ORIGIN: '', NODE_ENV: '' });
    await server.stop();
    const hint = 'Nobody is invited yet: node tools/invite.js add you@example.com';
    assert.deepEqual(server.stdout, [`listening on ${server.origin}`, hint]);
    site.invite('ada@example.com');
    // A socket of another process is ignored.
    const again = await site.start({ LISTEN_PID: '1', LISTEN_FDS: '1' });
    await again.stop();
    assert.deepEqual(again.stdout, [`listening on ${again.origin}`]);
    assert.deepEqual(again.stderr, []);
  });

  it('and a tool name the command guestlist if it has started them', async () => {
    const GUESTLIST_COMMAND = '1';
    const server = await site.start({ GUESTLIST_COMMAND });
    await server.stop();
    assert.match(server.stdout[1] ?? '', /: guestlist invite add you@example\.com$/);
    const args = [path.join(site.root, 'tools/invite.js'), 'admin', 'add', 'bo@example.com'];
    const env = { ...process.env, GUESTLIST_COMMAND };
    const { stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
    assert.match(stderr, /: guestlist invite add bo@/);
  });

  it('of a second server is refused in one line, until the first one ends, also by kill -9', async () => {
    const first = await site.start();
    const { status, stdout, stderr } = site.run();
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(
      stderr,
      /^a server or a restore is running on .*guestlist\.db; stop it first: systemctl stop guestlist\.socket guestlist, or docker compose stop, and run the tool by docker compose run --rm guestlist …\n$/,
    );
    await first.stop('SIGKILL');
    await (await site.start()).stop();
  });

  it('warns in production if PUBLIC_ORIGIN is not set', async () => {
    const server = await site.start({ NODE_ENV: 'production' });
    await server.stop();
    assert.deepEqual(server.stderr, [
      `PUBLIC_ORIGIN is not set, so letters link to http://localhost:${server.port}; set it, and restart`,
    ]);
  });

  it('on any free port has that port in letters and in the preview of links', async () => {
    site.invite('ada@example.com');
    site.setAdmin('ada@example.com');
    const server = await site.start({ PUBLIC_ORIGIN: '' });
    const cookie = await logIn(server.origin, 'ada@example.com');
    const page = (path: string) => send(server.origin, `GET ${path}`, { cookie });
    const address = `http://localhost:${server.port}`;
    const read = async () => {
      const [entry, svcops] = [await page('/'), await page('/svcops')];
      assert.ok(entry.text.includes(`property="og:url" content="${address}/"`), entry.text);
      assert.ok(svcops.text.includes(`data-site="${address}"`), svcops.text);
    };
    await read();
    server.process.kill('SIGHUP');
    await server.prints(/^the site was reloaded/m);
    await read();
  });

  it('says in production that guests see the sample, and so does a reload', async () => {
    const env = { NODE_ENV: 'production', PUBLIC_ORIGIN: 'https://preview.example.com' };
    const own = path.join(data, 'site');
    const lost = `guests see the sample: there is no ${fs.realpathSync(site.root)}/data/site`;
    const said = async (change: Record<string, string>, visit = async (_: Server) => {}) => {
      const server = await site.start(change);
      await visit(server);
      await server.stop();
      return server.stderr
        .filter((line) => line.startsWith('guests see'))
        .map((line) => line.split(';')[0]);
    };
    site.invite('ada@example.com');
    site.setAdmin('ada@example.com');
    assert.deepEqual(await said(env), [], 'only the administrator is invited');
    site.invite('grace@example.com');
    assert.deepEqual(await said({}), [], 'in development');
    const lines = await said(env, async (server) => {
      fs.cpSync(path.join(site.root, 'pages', 'sample'), own, { recursive: true });
      server.process.kill('SIGHUP');
      await server.prints(/reloaded from data\/site$/);
      fs.rmSync(own, { recursive: true });
      server.process.kill('SIGHUP');
      await server.prints(/reloaded from pages\/sample$/);
    });
    assert.deepEqual(lines, [lost, lost], 'at the start, and when the site is gone');
  });

  it('listens on the loopback interface only, with a store that only its owner can read', async () => {
    const server = await site.start();
    const tables = ['tcp', 'tcp6'].map((name) => fs.readFileSync(`/proc/net/${name}`, 'utf8'));
    const port = server.port.toString(16).toUpperCase().padStart(4, '0');
    const listening = tables.join('').match(new RegExp(`\\w+(?=:${port} \\w+:0000 0A)`, 'g'));
    assert.deepEqual(listening, ['0100007F']);
    const mode = (file: string) => fs.statSync(file).mode & 0o777;
    assert.equal(mode(data), 0o700);
    for (const file of fs.readdirSync(data)) assert.equal(mode(path.join(data, file)), 0o600, file);
  });

  it('deletes sessions that have expired, once a minute', async () => {
    site.invite('ada@example.com');
    const begin = (now: number) =>
      site.write(({ sessions }) => sessions.begin('ada@example.com', now).id);
    const expired = begin(Date.now() - SESSION_LIFETIME);
    const open = begin(Date.now());
    const server = await site.start(SHORT_MINUTES);
    const left = () =>
      read(site.store, (db) => db.prepare('select id from sessions').pluck().all());
    while (left().includes(expired)) await setTimeout(20);
    assert.deepEqual(left(), [open]);
    await server.stop();
  });
});

/** Prints the limits of the server, and gives it some that are over at once. */
const IMPATIENT = `import http from 'node:http';
  const { createServer } = http;
  http.createServer = (limits) => {
    console.error(JSON.stringify(limits));
    const timeouts = { headersTimeout: 1, requestTimeout: 1, connectionsCheckingInterval: 1 };
    return createServer({ ...limits, ...timeouts });
  };`;

it('headers may take 10 s and a request 15 s, else it gets 408; a connection may be idle for 65 s', async () => {
  const { port, reports, stderr } = await site.start(preload(IMPATIENT));
  await reports(/headersTimeout/);
  const { headersTimeout, requestTimeout, keepAliveTimeout } = JSON.parse(stderr[0] ?? '');
  assert.deepEqual([headersTimeout, requestTimeout, keepAliveTimeout], [10_000, 15_000, 65_000]);
  const head = 'POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
  for (const bytes of [head, `${head}Content-Length: 100\r\n\r\n{`])
    assert.match(await sendRaw(port, bytes), /^HTTP\/1\.1 408 /);
});

describe('a stop', { timeout: 60_000 }, () => {
  it('on a socket that systemd hands over, in place of PORT, refuses no connection', async () => {
    const server = await startHeld(site, { PORT: '1' });
    try {
      for (let restarts = 0; restarts < 3; restarts += 1) {
        const restarted = server.restart();
        const visits = Array.from({ length: 20 }, () => fetch(server.origin));
        for (const { status } of await Promise.all(visits)) assert.equal(status, 200);
        // A second signal to a server that is still stopping would end it at once.
        await restarted;
      }
    } finally {
      await server.stop();
    }
  });

  /** Begins a login, sends a signal, and waits until no connection is accepted. */
  async function stopAmidLogin(signal: NodeJS.Signals) {
    site.invite('ada@example.com');
    const server = await site.start();
    const cookie = await logIn(server.origin, 'ada@example.com');
    const body = '{"email":"ada@example.com"}';
    const socket = net.connect(server.port, '127.0.0.1');
    const length = `Content-Type: application/json\r\nContent-Length: ${body.length}`;
    socket.write(`POST /auth/login HTTP/1.1\r\nHost: x\r\n${length}\r\n\r\n{`);
    await send(server.origin, 'GET /auth/me', { cookie });
    server.process.kill(signal);
    while (await fetch(server.origin).catch(() => undefined));
    return { server, socket, rest: body.slice(1) };
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    it(`by ${signal} accepts no more, answers the requests in flight, and exits with 0`, async () => {
      const { server, socket, rest } = await stopAmidLogin(signal);
      socket.write(rest);
      const [answer] = await once(socket, 'data');
      assert.match(String(answer), /^HTTP\/1\.1 200 OK/);
      assert.equal(await server.exited, 0);
      assert.ok(!fs.existsSync(`${site.store}-wal`), 'the store is closed');
    });

  it('by a second signal is at once, with status 1', async () => {
    const { server, socket } = await stopAmidLogin('SIGTERM');
    assert.equal(await server.stop(), 1);
    socket.destroy();
  });
});
