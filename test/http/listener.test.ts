/** The listener: the order of replies, backpressure, and a stop. */
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import net from 'node:net';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { withBody } from '../../lib/http/json-body.ts';
import { CutReply, statusOnly } from '../../lib/http/reply.ts';
import { holdClock } from '../support/clock.ts';
import { until } from '../support/limit.ts';
import { serve } from '../support/serve.ts';

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
const LAST = get('/last', 'Connection: close\r\n');
/** More than the buffers of a loopback connection hold. */
const LARGE = Buffer.alloc(24 * 2 ** 20, 'a');

const turns = new EventEmitter();
/** The number of lists that are being read. */
let open = 0;

async function* list(parts: number) {
  open += 1;
  try {
    yield 'first ';
    await once(turns, 'go on');
    for (let i = 0; i < parts; i += 1) yield 'x'.repeat(2 ** 20);
    yield ' last';
  } finally {
    open -= 1;
  }
}

async function* cutList() {
  yield 'first ';
  await once(turns, 'go on');
  throw new CutReply('list.csv was cut: for a reason');
}

/** A server, and connections to it: each has sent its requests, and the first one has arrived. */
async function begin(...requests: readonly string[]) {
  /** The paths that reached the handler. */
  const reached: string[] = [];
  const { server, stop, port } = await serve(async (request) => {
    const { path } = request;
    reached.push(path);
    if (path === '/large') return { status: 200, headers: [], body: LARGE };
    if (path === '/list') return { status: 200, headers: [], body: list(0) };
    if (path === '/cut') return { status: 200, headers: [], body: cutList() };
    if (path === '/long') return { status: 200, headers: [], body: list(24) };
    if (path === '/later') await once(turns, 'go on');
    // Two turns of the event loop, like a commit.
    if (path === '/slow') await setImmediate().then(() => setImmediate());
    if (path === '/json')
      return withBody(({ body }) => statusOnly(body.a === 'b' ? 203 : 400))({ request });
    return statusOnly(path === '/slow' ? 201 : path === '/last' ? 202 : 200);
  });
  const sockets = [];
  for (const request of requests) {
    const arrived = once(server, request === '' ? 'connection' : 'request');
    const socket = net.connect(port, '127.0.0.1').on('error', () => undefined);
    socket.write(request);
    await arrived;
    sockets.push(socket);
  }
  const [socket = new net.Socket()] = sockets;
  const stopped = () => new Promise<void>(stop);
  return { reached, socket, sockets, stop: stopped };
}

const rest = async (socket: net.Socket) =>
  Buffer.concat(await socket.toArray().catch(() => [])).toString('latin1');
const statusesOf = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status).join(' ');

describe('pipelined requests', () => {
  it('wait for the one in progress, and are answered in order', async () => {
    const { reached, socket } = await begin(get('/list') + get('/slow') + LAST);
    await once(socket, 'readable');
    assert.deepEqual(reached, ['/list']);
    turns.emit('go on');
    const text = await rest(socket);
    assert.match(text, /first [\s\S]* last\r\n0\r\n\r\nHTTP/);
    assert.equal(statusesOf(text), '200 201 202');
  });

  it('are answered if a body arrives after the previous reply', async () => {
    const type = 'Content-Type: application/json\r\nContent-Length: 9\r\n';
    const { socket } = await begin(`${get('/slow')}POST${get('/json', type).slice(3)}{"a"`);
    await once(socket, 'readable');
    socket.write(`:"b"}${LAST}`);
    assert.equal(statusesOf(await rest(socket)), '201 203 202');
  });

  it('are answered up to 100, and more end the connection', async () => {
    const hundred = get('/slow').repeat(99) + LAST;
    const { socket } = await begin(hundred);
    assert.equal(statusesOf(await rest(socket)), `${'201 '.repeat(99)}202`);
    const { socket: flood } = await begin(get('/slow') + hundred);
    assert.equal(await rest(flood), '');
  });

  it('whose client disconnects during a stream leave nothing open', async () => {
    const { socket } = await begin(get('/long').repeat(5));
    await once(socket, 'readable');
    turns.emit('go on');
    await once(socket, 'readable');
    socket.destroy();
    await until('the lists to be closed', () => {
      turns.emit('go on');
      return open === 0;
    });
  });
});

describe('a stop', () => {
  it('answers all requests that have arrived, the last with Connection: close', async () => {
    const pipelined = get('/later') + get('/two') + get('/three');
    const { sockets, stop } = await begin(pipelined, get('/list'));
    const stopped = stop();
    const texts = Promise.all(sockets.map(rest));
    setTimeout(() => turns.emit('go on'), 0);
    const [replies = '', list = ''] = await texts;
    const closes = replies.split(/(?=HTTP)/).map((reply) => reply.includes('Connection: close'));
    assert.deepEqual(closes, [false, false, true]);
    assert.match(list, /first[\s\S]*last/);
    await stopped;
  });

  it('sends a large reply whole, and closes idle connections', async () => {
    const { socket, sockets, stop } = await begin(get('/large'), '', get('/idle'));
    const closed = Promise.all(sockets.slice(1).map(rest));
    const stopped = stop();
    await closed;
    const received = await rest(socket);
    assert.equal(received.slice(received.indexOf('\r\n\r\n') + 4).length, LARGE.length);
    await stopped;
  });

  it('answers a request that comes on an idle connection within 250 ms', async (t) => {
    const tick = holdClock(t);
    const { socket, stop } = await begin(get('/idle'));
    await once(socket, 'data');
    const stopped = stop();
    // In steps, because a tick does not run the timers that are started during it.
    for (let passed = 0; passed < 240; passed += 20) tick(20);
    // Node closes a connection in a later turn of the event loop.
    await setImmediate();
    await setImmediate();
    socket.write(get('/late'));
    assert.match(await rest(socket), /^HTTP\/1\.1 200 OK\r\nConnection: close/);
    await stopped;
  });

  it('cuts a streamed reply after 5 s, and no other', async (t) => {
    const tick = holdClock(t);
    const { sockets, stop } = await begin(get('/list'), get('/later'));
    const stopped = stop();
    const [list, later] = sockets.map(rest);
    tick(5000);
    tick(20);
    assert.doesNotMatch((await list) ?? '', /last/);
    turns.emit('go on');
    assert.match((await later) ?? '', /^HTTP\/1\.1 200 /);
    await stopped;
  });
});

it('a body that ends too early is one line in the log', async (t) => {
  const logged = t.mock.method(console, 'error', () => undefined);
  const { socket } = await begin(get('/cut'));
  const received: Buffer[] = [];
  socket.on('data', (part) => received.push(part));
  await once(socket, 'data');
  turns.emit('go on');
  await once(socket, 'close');
  const answer = Buffer.concat(received).toString();
  assert.match(answer, /^HTTP\/1\.1 200 .*first /s);
  assert.doesNotMatch(answer, /\r\n0\r\n\r\n$/);
  const lines = logged.mock.calls.map((call) => call.arguments);
  assert.deepEqual(lines, [['list.csv was cut: for a reason']]);
});
