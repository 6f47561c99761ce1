/** Clients that pipeline, stall, or send too much or malformed HTTP harm nobody else. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net, { type Socket } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { createServer } from '../../lib/http/server.ts';
import { readValue } from '../../lib/store/sqlite.ts';
import { enter, listen, sendBytes, startApp } from '../service.ts';

const { db, port, get } = await startApp();
const cookie = enter(db, 'ada@example.com');

const count = (text: string, part: string): number => text.split(part).length - 1;

function connect(): Socket {
  const socket = net.connect(port, '127.0.0.1');
  after(() => socket.destroy());
  return socket;
}

test('of 700 pipelined requests 500 are answered, in order', async () => {
  const request = (i: number) =>
    `GET /timeline?view=${i % 2 ? 'mobile' : 'desktop'} HTTP/1.1\r\n` +
    `Host: x\r\nCookie: ${cookie}\r\n\r\n`;
  const socket = connect();
  socket.setEncoding('latin1');
  for (let i = 0; i < 700; i += 1) socket.write(request(i));
  let bytes = '';
  while (count(bytes, 'HTTP/1.1 503') < 200) bytes += await once(socket, 'data');
  const pages = Array.from(bytes.matchAll(/\r\n\r\n(mobile|desktop)/g), ([, page]) => page);
  assert.equal(pages.join(), Array(250).fill('desktop,mobile').join());
  assert.equal(readValue(db, 'select count(*) from events'), 500);
});

/** Nothing, a half of the headers, and a half of the body. */
function startRequest(i: number): string {
  const login = `POST /auth/login HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.${i % 100}\r\n`;
  const starts = ['', login, `${login}Content-Length: 9\r\n\r\n{`];
  return starts[i % starts.length] ?? '';
}

/** @returns in ms, how long forty requests of one moment take */
async function measure(): Promise<number> {
  const start = performance.now();
  const replies = await Promise.all(Array.from({ length: 40 }, () => get('/auth/me', cookie)));
  assert.ok(replies.every(({ status }) => status === 200));
  return performance.now() - start;
}

test('three hundred clients that stall delay nobody', async () => {
  await measure();
  const alone = await measure();
  const sockets: Socket[] = [];
  for (let i = 0; i < 300; i += 1) {
    const socket = connect();
    socket.write(startRequest(i));
    sockets.push(socket);
  }
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const beside = await measure();
  assert.ok(sockets.every((socket) => !socket.closed));
  assert.ok(beside < alone + 4000, `${alone} ms alone, ${beside} ms beside them`);
});

/** What a client has sent when it stalls, and the limits that are a hundredth here. */
const SLOW = [
  ['GET / HTTP/1.1\r\nHost: x\r\n', ['headersTimeout']],
  [
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{',
    ['headersTimeout', 'requestTimeout'],
  ],
] as const;

for (const [start, limits] of SLOW)
  test(`a client that stalls is cut off by ${limits.join(' and ')}`, async () => {
    const { server } = createServer(() => undefined);
    for (const limit of limits) server[limit] /= 100;
    Object.assign(server, { connectionsCheckingInterval: 20 });
    const bound = await listen(server);
    const reply = await Promise.race([sendBytes(bound, start), setTimeout(8000, 'still open')]);
    server.closeAllConnections();
    server.close();
    assert.match(reply, /^HTTP\/1\.1 408 /);
  });

test('a body that becomes too large is refused before its end', async () => {
  const socket = connect();
  socket.setEncoding('latin1');
  socket.write('POST /auth/login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
  for (let i = 0; i < 3; i += 1) socket.write(`1000\r\n${'x'.repeat(4096)}\r\n`);
  const [reply] = await once(socket, 'data');
  assert.match(reply, /^HTTP\/1.1 413 .*\{"error":"body_too_large"\}$/s);
});

test('malformed HTTP is rejected', async () => {
  assert.match(await sendBytes(port, 'hello\r\n\r\n'), /^HTTP\/1.1 400 /);
  const header = `X: ${'x'.repeat(20_000)}\r\n\r\n`;
  assert.match(await sendBytes(port, `GET / HTTP/1.1\r\nHost: x\r\n${header}`), /^HTTP\/1.1 431 /);
  assert.equal((await get('/')).status, 200);
});
