/** Files sent from disk, through the real listener: what is sent, and what happens while it is sent. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { beforeEach, describe, it } from 'node:test';
import { diskFile } from '../../lib/http/files.ts';
import { send } from '../support/client.ts';
import { descriptors, untilOpen } from '../support/process.ts';
import { serve } from '../support/serve.ts';
import { temporaryFolder } from '../support/site.ts';

/** Not a multiple of the parts in which it is read. */
const SIZE = 1_000_003;

const folder = temporaryFolder();
const film = path.join(folder, 'film.mp4');
const content = Buffer.from(Array.from({ length: SIZE }, (_, i) => (i * i) >> 7));
const handle = diskFile('private, no-cache')(film, 'video/mp4');
const { origin, server } = await serve((request) => handle({ request }));
beforeEach(() => fs.writeFileSync(film, content));

const get = (headers: Readonly<Record<string, string>> = {}) => send(origin, 'GET /', { headers });

const untilClosed = () => untilOpen(0, folder);

describe('a file on disk', () => {
  it('is sent whole, with what a player needs to know', async () => {
    const reply = await get();
    assert.equal(reply.status, 200);
    assert.deepEqual(reply.body, content);
    const { etag, date, ...headers } = Object.fromEntries(reply.headers);
    assert.match(etag ?? '', /^"[\d.-]+"$/);
    assert.deepEqual(headers, {
      'content-type': 'video/mp4',
      'content-length': String(SIZE),
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      connection: 'keep-alive',
      'keep-alive': 'timeout=5',
    });
  });

  for (const [range, status, first, last] of [
    ['0-1', 206, 0, 1],
    ['65535-65536', 206, 65_535, 65_536],
    ['1-', 206, 1, SIZE - 1],
    ['-70000', 206, SIZE - 70_000, SIZE - 1],
    [`${SIZE}-`, 416, 0, -1],
  ] as const)
    it(`gets ${status} for the range ${range}`, async () => {
      const reply = await get({ Range: `bytes=${range}` });
      assert.equal(reply.status, status);
      const sent = status === 206 ? `${first}-${last}` : '*';
      assert.equal(reply.headers.get('content-range'), `bytes ${sent}/${SIZE}`);
      assert.equal(reply.headers.get('content-length'), String(last - first + 1));
      assert.deepEqual(reply.body, content.subarray(first, last + 1));
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

describe('while a large file is sent', () => {
  beforeEach(() => fs.writeFileSync(film, OLD));

  /** Asks for the file, and stops reading at its beginning. */
  async function begin() {
    const [reply] = (await once(http.get(origin), 'response')) as [http.IncomingMessage];
    await once(reply, 'readable');
    return {
      reply,
      async rest(): Promise<Buffer> {
        const parts: Buffer[] = [];
        reply.on('data', (part) => parts.push(part));
        await once(reply, 'close').catch(() => undefined);
        return Buffer.concat(parts);
      },
    };
  }

  for (const [what, change] of [
    ['another replaces it', () => fs.renameSync(`${film}.new`, film)],
    ['it is removed', () => fs.rmSync(film)],
    ['it grows', () => fs.appendFileSync(film, 'b')],
  ] as const)
    it(`and ${what}, the old one is sent to its end`, async () => {
      const viewer = await begin();
      fs.writeFileSync(`${film}.new`, 'new');
      change();
      assert.ok((await viewer.rest()).equals(OLD));
      assert.ok(viewer.reply.complete);
      await untilClosed();
    });

  it('and it is truncated, the connection ends, and the log says so', async (t) => {
    const log = t.mock.method(console, 'error', () => undefined);
    const viewer = await begin();
    fs.truncateSync(film, 1000);
    const received = await viewer.rest();
    assert.equal(viewer.reply.complete, false);
    assert.ok(received.length < LARGE);
    await untilClosed();
    assert.match(String(log.mock.calls[0]?.arguments), /film\.mp4 was cut while it was being sent/);
  });

  it('and its client leaves or is silent for too long, the file is closed', async (t) => {
    const log = t.mock.method(console, 'error', () => undefined);
    const leaving = await begin();
    leaving.reply.destroy();
    await untilClosed();
    const asked = once(server, 'request');
    const silent = await begin();
    const [{ socket }] = await asked;
    socket.setTimeout(100);
    await untilClosed();
    assert.ok((await silent.rest()).length < LARGE);
    assert.equal(log.mock.callCount(), 0);
  });

  it('to a hundred clients, they take one descriptor each', async () => {
    const viewers = await Promise.all(Array.from({ length: 100 }, begin));
    assert.equal(descriptors(folder), 100);
    for (const { reply } of viewers) reply.destroy();
    await untilClosed();
  });
});
