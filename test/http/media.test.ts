/** Files sent from disk, through the real listener: what is sent, and what happens while it is sent. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, describe, it } from 'node:test';
import { gracefulStop } from '../../lib/http/graceful-stop.ts';
import { mediaFile } from '../../lib/http/media.ts';
import { csvReply } from '../../lib/http/reply.ts';
import { send } from '../support/client.ts';
import { descriptors, untilOpen } from '../support/process.ts';
import { serve } from '../support/serve.ts';
import { temporaryFolder } from '../support/site.ts';

/** Not a multiple of the parts in which it is read. */
const SIZE = 1_000_003;

const folder = temporaryFolder();
const film = path.join(folder, 'film.mp4');
const content = Buffer.from(Array.from({ length: SIZE }, (_, i) => (i * i) >> 7));
const { server, origin } = await serve(mediaFile(film, 'video/mp4'));
beforeEach(() => fs.writeFileSync(film, content));

const get = (headers: Readonly<Record<string, string>> = {}) => send(origin, 'GET /', { headers });

const untilClosed = () => untilOpen(0, folder);

describe('a file on disk', () => {
  it('is sent whole, with what a player needs to know', async () => {
    const reply = await get();
    assert.equal(reply.status, 200);
    assert.deepEqual(reply.body, content);
    const { etag, date, ...headers } = Object.fromEntries(reply.headers);
    assert.match(etag ?? '', /^"[\w-]+"$/);
    assert.deepEqual(headers, {
      'content-type': 'video/mp4',
      'content-length': String(SIZE),
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      'last-modified': fs.statSync(film).mtime.toUTCString(),
      connection: 'keep-alive',
      'keep-alive': 'timeout=5',
    });
  });

  for (const [range, first, last] of [
    ['0-1', 0, 1],
    ['65535-65536', 65_535, 65_536],
    ['1-', 1, SIZE - 1],
    ['-70000', SIZE - 70_000, SIZE - 1],
  ] as const)
    it(`is sent in the range ${range}`, async () => {
      const reply = await get({ Range: `bytes=${range}` });
      assert.equal(reply.status, 206);
      assert.equal(reply.headers.get('content-range'), `bytes ${first}-${last}/${SIZE}`);
      assert.equal(reply.headers.get('content-length'), String(last - first + 1));
      assert.deepEqual(reply.body, content.subarray(first, last + 1));
    });

  it('gets 416 with its size for a range behind its end', async () => {
    const reply = await get({ Range: `bytes=${SIZE}-` });
    assert.equal(reply.status, 416);
    assert.equal(reply.headers.get('content-range'), `bytes */${SIZE}`);
    assert.equal(reply.body.length, 0);
  });

  it('is confirmed with 304, also to HEAD', async () => {
    const etag = (await send(origin, 'HEAD /')).headers.get('etag') ?? '';
    for (const method of ['GET', 'HEAD']) {
      const headers = { 'If-None-Match': etag, Range: 'bytes=0-1' };
      const { status, text, ...reply } = await send(origin, `${method} /`, { headers });
      assert.deepEqual([status, text, reply.headers.get('etag')], [304, '', etag]);
    }
  });

  it('answers HEAD like GET, without opening it', async () => {
    const get = await send(origin, 'GET /');
    const head = await send(origin, 'HEAD /');
    assert.deepEqual([head.status, head.text], [200, '']);
    for (const reply of [get, head]) reply.headers.delete('date');
    assert.deepEqual([...head.headers], [...get.headers]);
    assert.equal(descriptors(folder), 0);
  });

  it('has another ETag after a change of the same size within the same second', async () => {
    const tag = async () => (await send(origin, 'HEAD /')).headers.get('etag');
    const before = await tag();
    fs.writeFileSync(`${film}.new`, content);
    fs.renameSync(`${film}.new`, film);
    assert.notEqual(await tag(), before);
  });

  it('is not sent from the future', async () => {
    fs.utimesSync(film, 4e9, 4e9);
    const { headers } = await send(origin, 'HEAD /');
    assert.ok(Date.parse(headers.get('last-modified') ?? '') <= Date.now());
  });

  for (const [what, change] of [
    ['has vanished', () => fs.rmSync(film)],
    ['is a folder now', () => fs.mkdirSync(film)],
    ['is a link now', () => fs.symlinkSync('/etc/passwd', film)],
  ] as const)
    it(`gets the plain 404 and a line in the log if it ${what}`, async (t) => {
      fs.rmSync(film);
      if (what !== 'has vanished') change();
      t.after(() => fs.rmSync(film, { recursive: true, force: true }));
      const log = t.mock.method(console, 'error', () => undefined);
      const reply = await send(origin, 'GET /');
      assert.deepEqual([reply.status, reply.text], [404, 'Not Found\n']);
      const line = `${film} is no longer a file; put it back, or reload the site without it`;
      assert.deepEqual(log.mock.calls[0]?.arguments, [line]);
    });
});

/** More than the buffers of a loopback connection hold. */
const LARGE = 24 * 2 ** 20;
const OLD = Buffer.alloc(LARGE, 'a');

/** Asks for the file, and stops reading at its beginning. */
async function begin(url = origin) {
  const [reply] = (await once(http.get(url), 'response')) as [http.IncomingMessage];
  await once(reply, 'readable');
  return {
    reply,
    async rest(): Promise<Buffer> {
      const parts: Buffer[] = [];
      reply.on('data', (part) => parts.push(part));
      // A reset is the answer to a file that was changed.
      await once(reply, 'close').catch(() => undefined);
      return Buffer.concat(parts);
    },
  };
}

describe('while a file is sent', () => {
  beforeEach(() => {
    fs.writeFileSync(film, OLD);
    fs.utimesSync(film, 1e9, 1e9);
  });

  for (const [what, replace] of [
    ['another replaces it', () => fs.renameSync(`${film}.new`, film)],
    ['it is removed', () => fs.rmSync(film)],
  ] as const)
    it(`${what}: the old one is sent to its end`, async () => {
      const viewer = await begin();
      fs.writeFileSync(`${film}.new`, 'new');
      replace();
      assert.ok((await viewer.rest()).equals(OLD));
      assert.ok(viewer.reply.complete);
      await untilClosed();
    });

  const NEW = Buffer.alloc(LARGE, 'b');
  for (const [what, change] of [
    ['is overwritten', () => fs.writeFileSync(film, NEW, { flag: 'r+' })],
    ['is truncated', () => fs.truncateSync(film, 1000)],
    ['is emptied and written again', () => fs.writeFileSync(film, NEW)],
    ['grows', () => fs.appendFileSync(film, 'b')],
  ] as const)
    it(`it ${what}: the connection is cut, and nothing new was sent`, async (t) => {
      const log = t.mock.method(console, 'error', () => undefined);
      const viewer = await begin();
      change();
      const received = await viewer.rest();
      assert.equal(viewer.reply.complete, false);
      assert.ok(received.length < LARGE && received.equals(OLD.subarray(0, received.length)));
      await untilClosed();
      const lines = log.mock.calls.map(({ arguments: [line] }) => line);
      assert.deepEqual(lines, [`${film} was changed while it was being sent`]);
    });

  it('the client leaves: the file is closed', async () => {
    const viewers = await Promise.all(Array.from({ length: 20 }, begin));
    assert.equal(descriptors(folder), 20);
    for (const { reply } of viewers) reply.destroy();
    await untilClosed();
  });

  it('a pipe replaces it before it is opened: no thread waits for the pipe', async (t) => {
    const rest = { path: '/', query: '', headers: {}, peer: '', body: Readable.from([]) };
    const reply = await mediaFile(film, 'video/mp4')({ method: 'GET', ...rest });
    fs.rmSync(film);
    spawnSync('mkfifo', [film]);
    t.after(() => {
      // Ends the wait of a thread, without which this process could not end.
      fs.closeSync(fs.openSync(film, 'r+'));
      fs.rmSync(film);
    });
    assert.ok(typeof reply.body === 'object' && Symbol.asyncIterator in reply.body);
    await assert.rejects(reply.body[Symbol.asyncIterator]().next(), /ESPIPE/);
    assert.equal(descriptors(folder), 0);
  });

  it('the connection is silent for too long: it is cut, and the file is closed', async () => {
    const asked = once(server, 'request');
    const viewer = await begin();
    const [{ socket }] = await asked;
    socket.setTimeout(100);
    await untilClosed();
    const received = await viewer.rest();
    assert.ok(received.length > 0 && received.length < LARGE);
  });
});

it('a stop cuts a reply that the client can resume, and sends others to their end', async () => {
  // More than the connection buffers.
  fs.truncateSync(film, 64e6);
  const end = new EventEmitter();
  async function* lines() {
    yield 'first';
    await once(end, 'end');
    yield 'last';
  }
  const send = mediaFile(film, 'video/mp4');
  const stopping = await serve((request) =>
    request.path === '/film' ? send(request) : csvReply('x', lines()),
  );
  const stop = gracefulStop(stopping.server, stopping.connections);
  const at = stopping.origin;
  const list = await fetch(`${at}/list`);
  const connected = once(stopping.server, 'connection');
  const viewer = await begin(`${at}/film`);
  const [socket] = await connected;
  const stopped = new Promise<void>(stop);
  await once(socket, 'close');
  await viewer.rest();
  assert.equal(viewer.reply.complete, false);
  end.emit('end');
  assert.equal(await list.text(), 'firstlast');
  await stopped;
});

it('a hundred clients occupy two threads at most: the store needs the others', async (t) => {
  fs.truncateSync(film, 64e6);
  const handle = await fs.promises.open(film);
  let reading = 0;
  let most = 0;
  const { read } = handle;
  const counted = function (this: typeof handle, ...args: unknown[]) {
    reading += 1;
    most = Math.max(most, reading);
    return Reflect.apply(read, this, args).finally(() => {
      reading -= 1;
    });
  };
  t.mock.method(Object.getPrototypeOf(handle), 'read', counted);
  await handle.close();
  const viewers = await Promise.all(Array.from({ length: 100 }, () => begin()));
  assert.equal(descriptors(folder), 100);
  for (const { reply } of viewers) reply.destroy();
  await untilClosed();
  assert.ok(most >= 1 && most <= 2, `${most} at a time`);
});

it('a hundred ranges on one connection are answered, and leave nothing open', async () => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  for (let i = 0; i < 100; i += 1) {
    const headers = { Range: `bytes=${i}-${i}` };
    const { status, body } = await send(origin, 'GET /', { headers }, agent);
    assert.deepEqual([status, body[0]], [206, content[i]]);
  }
  agent.destroy();
  await untilClosed();
});
