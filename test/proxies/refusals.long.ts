/** What Caddy and nginx refuse, survive and do not log, with the shipped configurations. */
import assert from 'node:assert/strict';
import type http2 from 'node:http2';
import net from 'node:net';
import { describe, it } from 'node:test';
import { send } from '../support/client.ts';
import { http2Connection, rawConnection, serviceBehind, untilClosed, visitor } from './behind.ts';
import {
  DOMAIN,
  IMPATIENT,
  missing,
  NOBODY,
  PROXY_NAMES,
  type RunningProxy,
  startProxy,
} from './proxy.ts';

/** Posts of each kind: two protocols, with and without `Expect`. */
const POSTS = { clients: 5, each: 50 };
const BODY = { email: 'x'.repeat(20_000) };

/** A public file, larger than the buffers of a proxy. */
const LARGE = '/fonts/newsreader.woff2';

const POST = `POST /auth/logout HTTP/1.1\r\nHost: ${DOMAIN}\r\nContent-Type: application/json\r\n`;

/** What each proxy logs of a crash. */
const CRASH = /exited on signal|panic:|fatal error:/;

/** Requests a large file on each stream, with a window of 0. Waits for a reply per connection. */
async function readNothing(proxy: RunningProxy, connections: number, streams: number) {
  const sessions: http2.ClientHttp2Session[] = [];
  const ended: Promise<unknown>[] = [];
  for (let i = 0; i < connections; i += 1) {
    const session = http2Connection(proxy, { initialWindowSize: 0 });
    sessions.push(session);
    const open = Array.from({ length: streams }, () => session.request({ ':path': LARGE }));
    ended.push(...open.map((stream) => endOf(stream)));
    await Promise.race([
      new Promise((resolve) => open[0]?.once('response', resolve)),
      ended.at(-1),
    ]);
  }
  return { ended: Promise.all(ended), close: () => sessions.map((session) => session.destroy()) };
}

const endOf = (stream: NodeJS.ReadableStream): Promise<unknown> =>
  new Promise((resolve) => stream.on('error', resolve).on('end', resolve).on('close', resolve));

for (const name of PROXY_NAMES) {
  describe(`${name}, with limits of a second,`, {
    skip: missing(name),
    timeout: 60_000,
  }, async () => {
    const { proxy, from } = await serviceBehind(name, IMPATIENT);

    it('refuses a body over 16 KiB', async () => {
      const { status } = await from('127.0.0.4')('POST /auth/logout', { json: BODY });
      // Caddy 2.6 reports this limit as a fault of the service.
      assert.ok([413, 502].includes(status), String(status));
    });

    it('refuses an endless chunked body', async () => {
      const socket = rawConnection(proxy);
      const closed = untilClosed(socket);
      socket.write(`${POST}Transfer-Encoding: chunked\r\n\r\n`);
      const chunk = `2000\r\n${' '.repeat(0x2000)}\r\n`;
      for (let sent = 0; sent < 200 && !socket.destroyed; sent += 1) {
        const drained = new Promise((resolve) => socket.once('drain', resolve));
        if (!socket.write(chunk)) await Promise.race([drained, closed]);
      }
      // A reset can overtake the reply.
      assert.match(await closed, /^(HTTP\/1\.1 (413|502) |$)/);
    });

    for (const scheme of ['http', 'https'] as const)
      it(`drops a client with slow headers on ${scheme}`, async () => {
        const { port, hostname } = new URL(proxy.insecure);
        const slow = () => net.connect(Number(port), hostname);
        const socket = scheme === 'https' ? rawConnection(proxy) : slow();
        const closed = untilClosed(socket);
        socket.write(`GET / HTTP/1.1\r\nHost: ${DOMAIN}\r\n`);
        const drip = setInterval(() => socket.writable && socket.write('X-Slow: 1\r\n'), 100);
        await closed;
        clearInterval(drip);
      });

    it('drops a client with a slow body', async () => {
      const socket = rawConnection(proxy);
      const closed = untilClosed(socket);
      socket.write(`${POST}Content-Length: 100\r\n\r\n{`);
      await closed;
    });

    // Caddy has no limit of time for these; its memory is limited by systemd.
    if (name === 'nginx')
      it('drops a client that does not read its replies', async () => {
        const unread = await readNothing(proxy, 4, 20);
        await unread.ended;
        unread.close();
      });
  });

  describe(`a flood behind ${name}`, { skip: missing(name), timeout: 120_000 }, async () => {
    const { proxy, from } = await serviceBehind(name);

    it('of a thousand large bodies crashes no process of the proxy', async () => {
      for (const headers of [{}, { expect: '100-continue' }])
        for (let client = 0; client < POSTS.clients; client += 1) {
          const ask = from('127.0.0.2');
          const session = http2Connection(proxy);
          const head = { ':method': 'POST', ':path': '/nothing', ...headers };
          // Each post may get a reply or a disconnect.
          for (let i = 0; i < POSTS.each; i += 1)
            await Promise.all([
              ask('POST /nothing', { headers, json: BODY }).catch(() => undefined),
              endOf(session.request(head).resume().end(JSON.stringify(BODY))),
            ]);
          session.destroy();
        }
      assert.equal((await from('127.0.0.3')('GET /')).status, 200);
    });

    it('of replies that one client does not read does not affect others', async () => {
      const unread = await readNothing(proxy, 16, 120);
      for (let i = 3; i < 40; i += 1)
        assert.equal((await from(`127.0.0.${i}`)('GET /')).status, 200);
      unread.close();
    });
  });

  it(`the logs of ${name} have no query, no referrer and no crash, also if the service is down`, {
    skip: missing(name),
    timeout: 60_000,
  }, async () => {
    // Caddy writes an access log only if its configuration says so.
    const changes =
      name === 'caddy' ? ([['encode zstd gzip', 'encode zstd gzip\n\tlog']] as const) : [];
    const proxy = await startProxy(name, NOBODY, { changes });
    const line = 'GET /api/svcops/person?email=grace%40example.com';
    const headers = { Host: DOMAIN, Referer: `https://${DOMAIN}/?email=grace%40example.com` };
    const json = { email: 'ada@example.com' };
    for (const [asked, options] of [
      [line, { headers }],
      ['POST /auth/login', { json }],
    ] as const)
      assert.equal((await visitor(proxy)(asked, options)).status, 502);
    const redirect = await send(proxy.insecure, line, { headers });
    assert.equal(redirect.status, 308);
    const logs = await proxy.stop();
    assert.match(logs, /\/api\/svcops\/person\W.*502/);
    assert.doesNotMatch(logs, /grace|email=/);
    assert.doesNotMatch(logs, CRASH);
  });
}

describe('a client of nginx', { skip: missing('nginx'), timeout: 60_000 }, async () => {
  const shown =
    'set_real_ip_from 127.0.0.0/8; real_ip_header X-Address; return 200 $guestlist_client;';
  const { from } = await serviceBehind('nginx', { changes: [['send_timeout 20s;', shown]] });

  for (const [address, client] of [
    ['192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:'],
    ['2001:db8:1:2::6', '2001:db8:1:2:'],
    ['2001:db8::6', '2001:db8::'],
    ['2001:db8::3:4:5:6', '2001:db8::'],
  ] as const)
    it(`at ${address} is ${client}`, async () => {
      const { text } = await from('127.0.0.2')('GET /', { headers: { 'X-Address': address } });
      assert.equal(text, client);
    });
});
