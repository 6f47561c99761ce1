/** Files sent from disk, through the real listener: what is sent, and what happens while it is sent. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { beforeEach, describe, it } from 'node:test';
import { diskFile } from '../../lib/http/files.ts';
import { send } from '../support/client.ts';
import { untilOpen } from '../support/process.ts';
import { serve } from '../support/serve.ts';
import { temporaryFolder } from '../support/site.ts';

const folder = temporaryFolder();
const film = path.join(folder, 'film.mp4');
const content = Buffer.from(Array.from({ length: 100 }, (_, i) => i));
const handle = diskFile('private, no-cache')(film, 'video/mp4');
const { origin, server } = await serve((request) => handle({ request }));
const ask = (method: string, headers: Readonly<Record<string, string>> = {}) =>
  send(origin, `${method} /`, { headers });

const RANGES: Readonly<Record<string, string>> = {
  '206 0-0': 'bytes=0-0',
  '206 10-19': 'bytes=10-19',
  '206 1-2': 'Bytes=1-2 bytes=001-002',
  '206 0-99': 'bytes=0- bytes=0-99 bytes=-100 bytes=-101',
  '206 90-99': 'bytes=90-100 bytes=90-99999999999999999999999999999999',
  '206 99-99': 'bytes=99- bytes=-1',
  416: `bytes=100- bytes=100-100 bytes=-0 bytes=${'9'.repeat(400)}-`,
  // Several ranges, other units, and what is no range.
  200: `bytes=0-1,3-4 bytes=0-1, bytes=5-4 bytes=- bytes= bytes=a-b bytes=1 bytes=--1 bytes=1-2-3
    bytes=+1-2 bytes=0x1-2 bytes=1e1- items=0-1`,
};

describe('a file on disk', () => {
  beforeEach(() => fs.writeFileSync(film, content));

  it('is sent whole, with what a player needs to know, and confirmed with 304', async () => {
    const { status, body, headers } = await ask('GET');
    assert.deepEqual([status, body], [200, content]);
    const { etag = '', date, ...others } = Object.fromEntries(headers);
    assert.match(etag, /^"[\d.-]+"$/);
    assert.deepEqual(others, {
      'content-type': 'video/mp4',
      'content-length': '100',
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      connection: 'keep-alive',
      'keep-alive': 'timeout=5',
    });
    for (const method of ['GET', 'HEAD']) {
      const again = await ask(method, { 'If-None-Match': etag, Range: 'bytes=0-1' });
      assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', etag]);
    }
  });

  for (const [expected, ranges] of Object.entries(RANGES))
    it(`gets ${expected} for a Range such as ${ranges.slice(0, 30)}`, async () => {
      for (const range of ranges.split(/\s+/)) {
        const { status, body, headers } = await ask('GET', { Range: range });
        const [first = 0, last = 99] = expected.split(/\D/).slice(1).map(Number);
        const sent = status === 416 ? '' : content.subarray(first, last + 1);
        assert.equal(status, Number(expected.slice(0, 3)), range);
        assert.deepEqual(body, Buffer.from(sent));
        assert.equal(headers.get('content-length'), String(sent.length));
        const where = status === 416 ? '*' : expected.slice(4);
        assert.equal(headers.get('content-range'), status === 200 ? null : `bytes ${where}/100`);
      }
    });

  it('is sent in part only if If-Range has its ETag', async () => {
    const etag = (await ask('HEAD')).headers.get('etag') ?? '';
    const status = async (tag: string) =>
      (await ask('GET', { Range: 'bytes=0-1', 'If-Range': tag })).status;
    assert.equal(await status(etag), 206);
    for (const tag of [`W/${etag}`, '"b"', 'Sun, 06 Nov 1994 08:49:37 GMT', '*'])
      assert.equal(await status(tag), 200, tag);
  });

  it('has no byte if it is empty', async () => {
    fs.truncateSync(film);
    assert.deepEqual([(await ask('GET')).status, (await ask('GET')).text], [200, '']);
    assert.equal((await ask('GET', { Range: 'bytes=0-' })).status, 416);
  });

  it('answers HEAD like GET, without a range', async () => {
    const [get, head] = [await ask('GET'), await ask('HEAD', { Range: 'bytes=0-1' })];
    assert.deepEqual([head.status, head.text], [200, '']);
    for (const reply of [get, head]) reply.headers.delete('date');
    assert.deepEqual([...head.headers], [...get.headers]);
  });

  it('gets the plain 404 and a line in the log if it has vanished, or is a link now', async (t) => {
    fs.rmSync(film);
    t.after(() => fs.rmSync(film));
    const log = t.mock.method(console, 'error', () => undefined);
    const line = `${film} is no longer a file; put it back, or reload the site without it`;
    for (const times of [1, 2]) {
      const reply = await ask('GET');
      assert.deepEqual([reply.status, reply.text], [404, 'Not Found\n']);
      assert.deepEqual(log.mock.calls[times - 1]?.arguments, [line]);
      if (times === 1) fs.symlinkSync('/etc/passwd', film);
    }
  });
});

describe('while a large file is sent', () => {
  // More than the buffers of a loopback connection hold.
  beforeEach(() => fs.writeFileSync(film, Buffer.alloc(24 * 2 ** 20, 'a')));

  /** Asks for the file, and stops reading at its beginning. */
  async function begin() {
    const [reply] = (await once(http.get(origin), 'response')) as [http.IncomingMessage];
    await once(reply, 'readable');
    return reply;
  }

  it('and it is truncated, the connection ends, the file is closed, and the log says so', async (t) => {
    const log = t.mock.method(console, 'error', () => undefined);
    const viewer = await begin();
    fs.truncateSync(film, 1000);
    await viewer.toArray().catch(() => undefined);
    assert.equal(viewer.complete, false);
    await untilOpen(0, folder);
    assert.match(String(log.mock.calls[0]?.arguments), /film\.mp4 was cut while it was being sent/);
  });

  it('and its client leaves or is silent for too long, the file is closed', async (t) => {
    const log = t.mock.method(console, 'error', () => undefined);
    (await begin()).destroy();
    await untilOpen(0, folder);
    const asked = once(server, 'request');
    await begin();
    const [{ socket }] = await asked;
    socket.setTimeout(100);
    await untilOpen(0, folder);
    assert.equal(log.mock.callCount(), 0);
  });
});
