/** Slow, many, rude or broken clients: no crash, no 500, no leak, and others are served. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, it } from 'node:test';
import { logIn, send } from '../support/client.ts';
import { descriptors } from '../support/process.ts';
import { siteForAll } from '../support/site.ts';

const FILM = '/media/04-dusk.mp4';

const site = siteForAll();
fs.truncateSync(path.join(site.root, 'pages', 'sample', FILM), 300e6);
site.invite('ada@example.com');
site.setAdmin('ada@example.com');
const server = await site.start();
const cookie = await logIn(server.origin, 'ada@example.com');
const open = () => descriptors('', server.process.pid);

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\n\r\n`;
const EXPORT = '/api/svcops/events?format=csv';
const HEADER = 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ';
const post = (n: number) =>
  `POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Forwarded-For: 10.9.9.${n}\r\nTransfer-Encoding: chunked\r\n\r\n`;

function drip(socket: net.Socket, first: string, bytes: string): void {
  socket.write(first);
  const timer = setInterval(() => socket.write(bytes), 50);
  socket.once('close', () => clearInterval(timer));
}

/** What the clients of a crowd do, how many there are, and how each does it. */
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

describe('while others', () => {
  for (const [what, number, act] of CROWDS)
    it(`${what}, ${number} of them, visitors are served, and nothing leaks`, async () => {
      const files = open();
      const sockets: net.Socket[] = [];
      for (let n = 0; n < number; n += 1) {
        const socket = net.connect(server.port, '127.0.0.1').on('error', () => {});
        sockets.push(socket);
        // The backlog of the kernel has an end.
        if (n % 100 === 99) await once(socket, 'connect');
        act(socket, n);
      }
      for (let i = 0; i < 40; i += 1)
        for (const line of ['GET /', 'GET /timeline'])
          assert.equal((await send(server.origin, line, { cookie })).status, 200);
      for (const socket of sockets) socket.destroy();
      // With each round trip, the server notices more closed connections.
      while (open() > files + 5) await send(server.origin, 'GET /');
      assert.deepEqual(server.stderr, []);
    });
});
