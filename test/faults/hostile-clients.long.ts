/** Slow, many, rude or broken clients cause no crash, no 500 and no leak, and others are served. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { logIn, send } from '../support/client.ts';
import type { Server } from '../support/installation.ts';
import { lacks, lacksProc } from '../support/lacks.ts';
import { until } from '../support/limit.ts';
import { descriptors } from '../support/process.ts';
import { installationForAll } from '../support/temporary.ts';

const LIMIT = 64;
const FILM = '/media/04-dusk.mp4';

const installation = installationForAll();
fs.truncateSync(path.join(installation.root, 'pages', 'sample', FILM), 300e6);
installation.invite('ada@example.com');
installation.setAdmin('ada@example.com');
let cookie = '';

const request = (line: string) => `${line} HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\n\r\n`;
const get = (path: string) => request(`GET ${path}`);
const EXPORT = '/api/svcops/events?format=csv';
const HEADER = 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ';
const post = (n: number) =>
  `POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Forwarded-For: 10.9.9.${n}\r\nTransfer-Encoding: chunked\r\n\r\n`;

function drip(socket: net.Socket, first: string, bytes: string): void {
  socket.write(first);
  const timer = setInterval(() => socket.write(bytes), 50);
  socket.once('close', () => clearInterval(timer));
}

/** The kinds of clients: what they do, how many there are, and the code. */
const CROWDS: readonly (readonly [string, number, (s: net.Socket, n: number) => unknown])[] = [
  ['send a byte of a header now and then', 200, (socket) => drip(socket, HEADER, 'x')],
  ['never end their body', 200, (socket, n) => drip(socket, post(n), '1\r\nx\r\n')],
  ['ask for 200 pages and read none', 100, (socket) => socket.pause().write(get('/').repeat(200))],
  ['ask for 1,000 videos', 10, (socket) => socket.pause().write(get(FILM).repeat(1000))],
  ['ask for 1,000 exports', 10, (socket) => socket.pause().write(get(EXPORT).repeat(1000))],
  ['watch a video and pause', 100, (socket) => socket.write(get(FILM), () => socket.pause())],
  ['are idle', 2000, () => undefined],
  ['are half-closed', 500, (socket, n) => socket.end(n % 2 ? '' : 'GET / HTTP/1.1\r\nHost')],
];

it('too many open files end no connection, and delay new ones', {
  skip: lacks('prlimit') || lacksProc,
}, async () => {
  const server = await installation.start({}, ['prlimit', `--nofile=${LIMIT}`]);
  // A connection that is open before the attack must still be served.
  cookie = await logIn(server.origin, 'ada@example.com');
  const regular = net.connect(server.port, '127.0.0.1');
  await once(regular, 'connect');
  const press = async () => {
    regular.write(request('POST /api/project-join'));
    return String((await once(regular, 'data'))[0]).split('\r\n')[0];
  };
  assert.equal(await press(), 'HTTP/1.1 200 OK');

  const crowd = Array.from({ length: 3 * LIMIT }, () => net.connect(server.port, '127.0.0.1'));
  // Refused connections are closed at once. The others stay open.
  await new Promise<void>((resolve) => {
    let refused = 0;
    for (const socket of crowd)
      socket
        .on('error', () => {})
        .on('close', () => ++refused === LIMIT && resolve())
        .resume();
  });
  assert.ok(descriptors('', server.process.pid) >= LIMIT - 1);
  assert.equal(await press(), 'HTTP/1.1 200 OK');

  for (const socket of crowd) socket.destroy();
  await until('a new connection', async () => {
    const answer = await send(server.origin, 'GET /').catch(() => undefined);
    return answer?.status === 200;
  });
  assert.equal(await press(), 'HTTP/1.1 200 OK');
  for (const line of server.stderr) assert.match(line, /^a connection was not accepted: /);
  regular.destroy();
  await server.stop();
});

describe('while others', { skip: lacksProc }, () => {
  let server: Server;
  const open = () => descriptors('', server.process.pid);
  before(async () => {
    server = await installation.start();
    cookie = await logIn(server.origin, 'ada@example.com');
  });

  for (const [what, number, act] of CROWDS)
    it(`${what}, ${number} of them, visitors are served, and nothing leaks`, async () => {
      const files = open();
      const sockets: net.Socket[] = [];
      for (let n = 0; n < number; n += 1) {
        const socket = net.connect(server.port, '127.0.0.1').on('error', () => {});
        sockets.push(socket);
        // The kernel queues few new connections, so wait until these are accepted.
        if (n % 100 === 99) await once(socket, 'connect');
        act(socket, n);
      }
      for (let i = 0; i < 40; i += 1)
        for (const line of ['GET /', 'GET /timeline'])
          assert.equal((await send(server.origin, line, { cookie })).status, 200);
      for (const socket of sockets) socket.destroy();
      // The server notices closed connections only while it runs, so keep it busy.
      await until('the server to close the connections', async () => {
        await send(server.origin, 'GET /');
        return open() <= files + 5;
      });
      assert.deepEqual(server.stderr, []);
    });
});
