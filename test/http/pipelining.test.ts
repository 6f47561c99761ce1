/** Pipelined requests: the order of their replies. */
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import net from 'node:net';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { readJsonBody } from '../../lib/http/json-body.ts';
import { csvReply, statusOnly } from '../../lib/http/reply.ts';
import type { Handler } from '../../lib/http/request.ts';
import { sendRaw } from '../support/client.ts';
import { serve } from '../support/serve.ts';

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const LAST = 'GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
const EXPECT = get('/').replace('\r\n', '\r\nExpect: wonders\r\n');

/** The paths that reached the handler, and the parts of `/list` that were asked for. */
const reached: string[] = [];
const turns = new EventEmitter();
let open = 0;

async function* list() {
  open += 1;
  try {
    yield 'first ';
    await once(turns, 'go on');
    // More than the buffers of a loopback connection hold.
    for (let i = 0; i < 300; i += 1) yield 'x'.repeat(65_536);
    yield ' last';
  } finally {
    open -= 1;
  }
}

const handler: Handler = (request) => {
  const { path } = request;
  reached.push(path);
  if (path === '/list') return csvReply('list.csv', list());
  // Two turns of the event loop, like a commit.
  if (path === '/slow') return setImmediate().then(() => setImmediate(statusOnly(201)));
  if (path === '/json') return readJsonBody(request, ({ a }) => statusOnly(a === 'b' ? 203 : 400));
  return statusOnly(path === '/last' ? 202 : 200);
};
const { port } = await serve(handler);

const statusesOf = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status).join(' ');

/** Sends the requests and reads nothing. Resolves when the first reply begins. */
async function begin(requests: string) {
  reached.length = 0;
  const socket = net.connect(port, '127.0.0.1').on('error', () => undefined);
  socket.write(requests);
  await once(socket, 'readable');
  return socket;
}

const readAll = async (socket: net.Socket) =>
  Buffer.concat(await socket.toArray()).toString('latin1');

describe('pipelined requests', () => {
  for (const [what, requests, statuses] of [
    ['at once and later', `${get('/slow')}${get('/')}`.repeat(49) + LAST, /^(201 200 ){49}202$/],
    ['behind one with an unknown Expect', get('/slow') + EXPECT + LAST, /^201 417 202$/],
  ] as const)
    it(`are answered in order: ${what}`, async () =>
      assert.match(statusesOf(await sendRaw(port, requests)), statuses));

  it('behind one in progress do not reach the handler', async () => {
    const socket = await begin(get('/list') + get('/slow') + LAST);
    assert.deepEqual(reached, ['/list']);
    turns.emit('go on');
    const text = await readAll(socket);
    assert.match(text, /^HTTP[\s\S]*first [\s\S]* last\r\n0\r\n\r\nHTTP[\s\S]*HTTP[\s\S]*$/);
    assert.equal(statusesOf(text), '200 201 202');
    assert.deepEqual(reached, ['/list', '/slow', '/last']);
  });

  it('are answered whose body arrives after the reply before', async () => {
    const type = 'Content-Type: application/json\r\nContent-Length: 9';
    const post = `POST /json HTTP/1.1\r\nHost: x\r\n${type}\r\n\r\n{"a"`;
    const socket = await begin(get('/slow') + post);
    socket.write(`:"b"}${LAST}`);
    assert.equal(statusesOf(await readAll(socket)), '201 203 202');
  });

  it('whose client leaves during or between streamed replies leave nothing open', async () => {
    for (let i = 0; i < 50; i += 1) {
      const socket = await begin(get('/list').repeat(5));
      if (i % 2 === 1) {
        turns.emit('go on');
        await once(socket, 'readable');
      }
      socket.destroy();
      turns.emit('go on');
    }
    while (open > 0) await setImmediate(turns.emit('go on'));
  });
});
