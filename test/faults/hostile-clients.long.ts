/** Slow, many, rude or broken clients: no crash, no 500, no leak, and others are served. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { describe, it } from 'node:test';
import { logIn, send, sendRaw } from '../support/client.ts';
import { FILM, putFilm } from '../support/film.ts';
import { siteForAll } from '../support/site.ts';
import { descriptorsOf, memoryOf, SMALL_HEAP } from './steadiness.ts';

const ADA = 'ada@example.com';
const LOGIN = 'POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

const site = siteForAll();
putFilm(site, 300e6);

site.write(({ invites }) => {
  for (const email of [ADA, 'root@example.com'])
    invites.add({ email, firstName: null, invitedBy: 'cli', invitedAt: 1 });
  invites.setAdmin('root@example.com', true);
});
const server = await site.start(SMALL_HEAP);
const cookie = await logIn(server.origin, ADA);
const administrator = await logIn(server.origin, 'root@example.com');

const get = (path: string, cookie: string) =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\n\r\n`;

/** Opens a connection that may fail later. */
async function connect(): Promise<net.Socket> {
  const socket = net.connect(server.port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** Asserts that another visitor is served meanwhile. */
async function assertOthersServed(): Promise<void> {
  for (let i = 0; i < 40; i += 1) {
    const line = i % 2 === 0 ? 'GET /' : 'GET /timeline';
    assert.equal((await send(server.origin, line, { cookie })).status, 200);
  }
}

describe('while there are', () => {
  const crowds: Record<string, () => Promise<net.Socket[]>> = {
    '200 clients that send a byte of their headers now and then': async () =>
      Promise.all(
        Array.from({ length: 200 }, async () => {
          const socket = await connect();
          const bytes = [...'GET / HTTP/1.1\r\nX-Slow: '];
          const drip = setInterval(() => socket.write(bytes.shift() ?? 'x'), 50);
          socket.once('close', () => clearInterval(drip));
          return socket;
        }),
      ),
    '200 clients whose body never ends': async () =>
      Promise.all(
        Array.from({ length: 200 }, async (_, n) => {
          const socket = await connect();
          socket.write(
            `${LOGIN}X-Forwarded-For: 10.9.9.${n}\r\nTransfer-Encoding: chunked\r\n\r\n`,
          );
          const drip = setInterval(() => socket.write('1\r\nx\r\n'), 50);
          socket.once('close', () => clearInterval(drip));
          return socket;
        }),
      ),
    '100 clients that ask for 200 pages each and read none': async () =>
      Promise.all(
        Array.from({ length: 100 }, async () => {
          const socket = await connect();
          socket.pause();
          socket.write(`GET / HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(200));
          return socket;
        }),
      ),
    '20 clients that ask for 1,000 videos or exports each and read none': async () =>
      Promise.all(
        Array.from({ length: 20 }, async (_, n) => {
          const socket = await connect();
          socket.pause();
          const path = n % 2 === 0 ? FILM : '/api/svcops/events?format=csv';
          socket.write(get(path, administrator).repeat(1000));
          return socket;
        }),
      ),
    '2,000 idle connections': async () => {
      const sockets: net.Socket[] = [];
      for (let i = 0; i < 20; i += 1)
        sockets.push(...(await Promise.all(Array.from({ length: 100 }, connect))));
      return sockets;
    },
    '500 half-closed connections': async () =>
      Promise.all(
        Array.from({ length: 500 }, async (_, n) => {
          const socket = await connect();
          socket.end(n % 2 === 0 ? '' : 'GET / HTTP/1.1\r\nHost');
          return socket;
        }),
      ),
  };
  for (const [what, gather] of Object.entries(crowds)) {
    it(`${what}, others are served, and nothing leaks`, async () => {
      const [files, megabytes] = [descriptorsOf(server), memoryOf(server)];
      const sockets = await gather();
      await assertOthersServed();
      for (const socket of sockets) socket.destroy();
      // With each round trip, the server notices more closed connections.
      while (descriptorsOf(server) > files + 5) await send(server.origin, 'GET /');
      assert.ok(
        memoryOf(server) < megabytes + 60,
        `${megabytes} MB before, ${memoryOf(server)} MB after`,
      );
      assert.deepEqual(server.stderr, []);
    });
  }
});

describe('pipelining', () => {
  it('is answered in order, with one row for each press', async () => {
    const request = (line: string) => `${line} HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\n`;
    const before = site.withStore(({ totals }) => totals.counts());
    const answer = await sendRaw(
      server.port,
      `${`${request('POST /api/project-join')}\r\n${request('GET /lost')}\r\n`.repeat(100)}${request('GET /auth/me')}Connection: close\r\n\r\n`,
    );
    const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    assert.deepEqual(statuses, [...Array(100).fill(['200', '404']).flat(), '200']);
    const now = site.withStore(({ totals }) => totals.counts());
    assert.equal(now.joinClicks, before.joinClicks + 100);
  });

  it('with garbage after the request of a list: the list is whole, and 400 follows', async () => {
    // More than the kernel takes for a client that reads nothing, so the list is not over before.
    const long = 'x'.repeat(200);
    const guests = Array.from({ length: 30_000 }, (_, n) => `${long}${n}@example.com`);
    assert.equal(site.toolWithInput(guests.join('\n'), 'invite', 'add', '--from', '-').status, 0);
    const socket = await connect();
    socket.write(get('/api/svcops/invites?format=csv', administrator));
    const chunks: Buffer[] = [];
    socket.once('data', () => socket.write('garbage\r\n\r\n'));
    socket.on('data', (chunk) => chunks.push(chunk));
    await once(socket, 'close');
    const text = Buffer.concat(chunks).toString();
    assert.match(text, /^HTTP\/1\.1 200 OK[\s\S]*\r\n0\r\n\r\nHTTP\/1\.1 400 Bad Request\r\n/);
    assert.equal(text.match(/HTTP\/1\.1/g)?.length, 2);
    assert.equal(text.match(/@example\.com/g)?.length, 30_002);
  });
});
