/** A stop of the listener: what is answered, what is closed, and what is cut. */
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import net from 'node:net';
import { it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { stopGracefully } from '../../lib/http/graceful-stop.ts';
import { csvReply, statusOnly } from '../../lib/http/reply.ts';
import { holdClock } from '../support/clock.ts';
import { serve } from '../support/serve.ts';

/** More than the buffers of a loopback connection hold. */
const LARGE = Buffer.alloc(24 * 2 ** 20, 'a');
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const turns = new EventEmitter();

async function* lines() {
  yield 'first';
  await once(turns, 'go on');
  yield 'last';
}

/** A server, and connections to it that have begun to get a reply. */
async function begin(...requests: readonly string[]) {
  const { server, connections, port } = await serve(async ({ path }) => {
    if (path === '/large') return { status: 200, headers: [], body: LARGE };
    if (path === '/list') return csvReply('list.csv', lines());
    if (path === '/later') await once(turns, 'go on');
    return statusOnly(200);
  });
  const sockets = [];
  for (const request of requests) {
    const arrived = once(server, request === '' ? 'connection' : 'request');
    const socket = net.connect(port, '127.0.0.1');
    socket.write(request);
    await arrived;
    sockets.push(socket);
  }
  const stop = () => new Promise<void>((done) => stopGracefully(server, connections, done));
  return { sockets, stop };
}

const rest = async (socket: net.Socket | undefined) =>
  Buffer.concat((await socket?.toArray()) ?? []).toString('latin1');

it('answers all requests that have arrived, the last of a connection with Connection: close', async () => {
  const { sockets, stop } = await begin(get('/later') + get('/two') + get('/three'), get('/list'));
  const stopped = stop();
  const [pipelined, list] = sockets.map(rest);
  setTimeout(() => turns.emit('go on'), 0);
  const replies = (await pipelined)?.split(/(?=HTTP)/) ?? [];
  const closes = replies.map((reply) => reply.includes('Connection: close'));
  assert.deepEqual(closes, [false, false, true]);
  assert.match((await list) ?? '', /first[\s\S]*last/);
  await stopped;
});

it('sends a large reply whole to a slow client, and closes unused and idle connections', async () => {
  const { sockets, stop } = await begin(get('/large'), '', get('/idle'));
  const [large, unused, idle] = sockets;
  const closed = Promise.all([rest(unused), rest(idle)]);
  const stopped = stop();
  await closed;
  const received = await rest(large);
  assert.equal(received.slice(received.indexOf('\r\n\r\n') + 4).length, LARGE.length);
  await stopped;
});

it('answers a request that comes on an idle connection within 250 ms', async (t) => {
  const tick = holdClock(t);
  const { sockets, stop } = await begin(get('/idle'));
  const [idle] = sockets;
  assert.ok(idle);
  await once(idle, 'data');
  const stopped = stop();
  // In steps, because a tick does not run timers that begin in it.
  for (let passed = 0; passed < 240; passed += 20) tick(20);
  // Connections are closed in a turn of their own.
  await setImmediate();
  await setImmediate();
  idle.write(get('/late'));
  assert.match(await rest(idle), /^HTTP\/1\.1 200 OK\r\nConnection: close/);
  await stopped;
});

it('cuts a streamed reply after 5 s, and no other', async (t) => {
  const tick = holdClock(t);
  const { sockets, stop } = await begin(get('/list'), get('/later'));
  const stopped = stop();
  const [list, later] = sockets.map(rest);
  tick(5000);
  tick(20);
  assert.doesNotMatch((await list?.catch(() => '')) ?? '', /last/);
  turns.emit('go on');
  assert.match((await later) ?? '', /^HTTP\/1\.1 200 /);
  await stopped;
});
