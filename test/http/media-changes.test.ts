/** Files sent from disk: what happens to a reply while the file, the client or the server changes. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, it } from 'node:test';
import { stopGracefully } from '../../lib/http/graceful-stop.ts';
import { mediaFile } from '../../lib/http/media.ts';
import { csvReply } from '../../lib/http/reply.ts';
import { descriptors, untilOpen } from '../support/process.ts';
import { serve } from '../support/serve.ts';
import { temporaryFolder } from '../support/site.ts';

const folder = temporaryFolder();
const film = path.join(folder, 'film.mp4');
const { server, origin } = await serve(mediaFile(film, 'video/mp4'));
const untilClosed = () => untilOpen(0, folder);

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

beforeEach(() => {
  fs.writeFileSync(film, OLD);
  fs.utimesSync(film, 1e9, 1e9);
});

for (const [what, replace] of [
  ['another replaces it', () => fs.renameSync(`${film}.new`, film)],
  ['it is removed', () => fs.rmSync(film)],
] as const)
  it(`${what} while it is sent: the old one is sent to its end`, async () => {
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
  it(`it ${what} while it is sent: the connection is cut, and nothing new was sent`, async (t) => {
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

it('is truncated as its client leaves: the log has the one line', async (t) => {
  const log = t.mock.method(console, 'error', () => undefined);
  const viewer = await begin();
  fs.truncateSync(film, 1000);
  // The part that finds the change is read at once.
  viewer.reply.once('data', () => viewer.reply.destroy());
  await untilClosed();
  for (const { arguments: parts } of log.mock.calls)
    assert.deepEqual(parts, [`${film} was changed while it was being sent`]);
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
  const at = stopping.origin;
  const list = await fetch(`${at}/list`);
  const connected = once(stopping.server, 'connection');
  const viewer = await begin(`${at}/film`);
  const [socket] = await connected;
  const stopped = new Promise<void>((done) =>
    stopGracefully(stopping.server, stopping.connections, done),
  );
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
