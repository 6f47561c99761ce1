/** A stop: what is in flight is answered, and nothing that is recorded goes unanswered. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import test from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { inspect } from 'node:util';
import { readValue } from '../lib/store/sqlite.ts';
import { enter, install, sendBytes, startService } from './service.ts';

const folder = install();
const media = path.join(folder, 'pages/sample/media');
fs.mkdirSync(media, { recursive: true });
fs.writeFileSync(path.join(media, 'long.mp4'), Buffer.alloc(20_000_000));

/** Waits until a port refuses connections. */
async function waitForClosed(port: number): Promise<void> {
  for (;;) {
    const socket = net.connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
    } catch {
      return;
    }
    socket.destroy();
    // Longer than the moment without a connection in which the port is closed.
    await setTimeout(200);
  }
}

test('a stop under load answers every request, and each answer is on disk', async () => {
  const { db, send, child, ended } = await startService(folder);
  const cookie = enter(db, 'ada@example.com');
  let answered = 0;

  /** Presses the button, on a connection for each press, until the port is closed. */
  async function press(): Promise<void> {
    for (;;) {
      try {
        assert.equal((await send('POST', '/api/project-join', { cookie })).status, 200);
      } catch (error) {
        // The code: Node calls a connection without a reply a socket hang up.
        assert.match(inspect(error), /ECONNREFUSED|ECONNRESET/);
        return;
      }
      answered += 1;
      if (answered === 300) child.kill();
    }
  }
  await Promise.all(Array.from({ length: 16 }, press));
  assert.equal(await ended, 0);
  assert.ok(answered >= 300);
  assert.equal(readValue(db, 'select count(*) from project_joins'), answered);
});

test('a stop answers every request that a client has pipelined', async () => {
  const { db, port, child, ended, get } = await startService(folder);
  const cookie = enter(db, 'ada@example.com');
  db.exec('begin immediate');
  const join = `POST /api/project-join HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\n\r\n`;
  const replies = sendBytes(port, join + join);
  // Once this is answered, the two wait for the lock.
  await get('/auth/me', cookie);
  child.kill();
  await waitForClosed(port);
  db.exec('commit');
  assert.equal((await replies).match(/HTTP\/1\.1 200/g)?.length, 2);
  assert.equal(await ended, 0);
});

test('a stop finishes a slow download', async () => {
  const { db, port, child, ended } = await startService(folder);
  const cookie = enter(db, 'ada@example.com');
  const headers = { cookie };
  const request = http.get({ port, host: '127.0.0.1', path: '/media/long.mp4', headers });
  const [response] = await once(request, 'response');
  child.kill();
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    await setTimeout(2);
  }
  assert.equal(bytes, 20_000_000);
  assert.equal(await ended, 0);
});

test('a silent connection does not delay a stop', async (t) => {
  const { port, child, ended, get } = await startService(folder);
  const silent = net.connect(port, '127.0.0.1').on('error', () => undefined);
  t.after(() => silent.destroy());
  await once(silent, 'connect');
  await get('/');
  const begin = performance.now();
  child.kill();
  assert.equal(await ended, 0);
  // Ten seconds close it in any case.
  assert.ok(performance.now() - begin < 5000);
});

test('a second signal ends it at once', async (t) => {
  const { port, child, ended, send } = await startService(folder);
  const stalled = net.connect(port, '127.0.0.1').on('error', () => undefined);
  t.after(() => stalled.destroy());
  stalled.write('POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{');
  assert.equal((await send('GET', '/')).status, 200);
  child.kill('SIGINT');
  await waitForClosed(port);
  assert.equal(child.exitCode, null);
  child.kill('SIGTERM');
  assert.equal(await ended, 1);
});
