/** Files that are sent from disk through the real listener, also while they change. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { after, before, beforeEach, describe, it, type TestContext } from 'node:test';
import { diskFile } from '../../lib/http/disk-file.ts';
import { securityHeaders } from '../../lib/http/security-headers.ts';
import { send } from '../support/client.ts';
import { lacksProc } from '../support/lacks.ts';
import { untilOpen } from '../support/process.ts';
import { serve } from '../support/serve.ts';
import { temporaryFolder } from '../support/temporary.ts';

const folder = temporaryFolder();
const media = path.join(folder, 'media');
const takes = path.join(media, 'takes');
const film = path.join(takes, 'film.mp4');
fs.mkdirSync(takes, { recursive: true });
const content = Buffer.from(Array.from({ length: 100 }, (_, i) => i));
const handle = diskFile('private, no-cache', folder)(film, 'video/mp4');
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
  // Several ranges, other units, and invalid ranges.
  200: `bytes=0-1,3-4 bytes=0-1, bytes=5-4 bytes=- bytes= bytes=a-b bytes=1 bytes=--1 bytes=1-2-3
    bytes=+1-2 bytes=0x1-2 bytes=1e1- items=0-1`,
};

describe('a file on disk', () => {
  beforeEach(() => fs.writeFileSync(film, content));

  it('is sent whole with the headers for a player, then as 304', async () => {
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
    const get = await ask('GET');
    const head = await ask('HEAD', { Range: 'bytes=0-1' });
    assert.deepEqual([head.status, head.text], [200, '']);
    for (const reply of [get, head]) reply.headers.delete('date');
    assert.deepEqual([...head.headers], [...get.headers]);
  });

  it('that has vanished or is a link now gets the plain 404', async (t) => {
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

/** Calls back after the search for the file, before it is opened. */
function beforeOpen(t: TestContext, change: (times: number) => void) {
  const { open } = fs.promises;
  const opens = t.mock.method(fs.promises, 'open', (...given: Parameters<typeof open>) => {
    change(opens.mock.callCount() + 1);
    return open(...given);
  });
  return opens;
}

describe('a path below the folder', { skip: lacksProc }, () => {
  const elsewhere = temporaryFolder();
  const secret = path.join(elsewhere, 'takes', 'film.mp4');
  fs.mkdirSync(path.dirname(secret));
  // It is as long as the content, so that only its bytes differ.
  fs.writeFileSync(secret, Buffer.alloc(content.length, 's'));
  fs.cpSync(path.dirname(secret), path.join(elsewhere, 'media', 'takes'), { recursive: true });
  /** Replaces a folder by a link to another with the same names in it. */
  const link = (component: string, target: string) => {
    fs.rmSync(component, { recursive: true });
    fs.symlinkSync(target, component);
  };
  const silence = (t: TestContext) => t.mock.method(console, 'error', () => undefined);
  beforeEach(() => {
    fs.rmSync(media, { recursive: true, force: true });
    fs.mkdirSync(takes, { recursive: true });
    fs.writeFileSync(film, content);
  });
  after(() => fs.rmSync(media, { recursive: true }));

  for (const [component, target] of [
    [media, path.join(elsewhere, 'media')],
    [takes, path.join(elsewhere, 'takes')],
    [film, secret],
  ] as const)
    it(`with a link at ${path.relative(folder, component)} is no file`, async (t) => {
      silence(t);
      link(component, target);
      for (const method of ['GET', 'HEAD']) assert.equal((await ask(method)).status, 404);
    });

  for (const kind of ['FIFO', 'folder'] as const)
    it(`with a ${kind} at its end is no file`, async (t) => {
      silence(t);
      fs.rmSync(film);
      if (kind === 'FIFO') spawnSync('mkfifo', [film]);
      else fs.mkdirSync(film);
      assert.equal((await ask('GET')).status, 404);
    });

  it('may have a link to the folder before it', async () => {
    const alias = path.join(temporaryFolder(), 'site');
    fs.symlinkSync(folder, alias);
    const file = path.join(alias, 'media', 'takes', 'film.mp4');
    const aliased = diskFile('no-cache', alias)(file, 'video/mp4');
    const { origin } = await serve((request) => aliased({ request }));
    assert.deepEqual((await send(origin, 'GET /')).body, content);
  });

  for (const [component, target] of [
    [media, path.join(elsewhere, 'media')],
    [takes, path.join(elsewhere, 'takes')],
    [film, secret],
  ] as const)
    it(`with ${path.relative(folder, component)} a link before the open is no file`, async (t) => {
      silence(t);
      const opens = beforeOpen(t, () => link(component, target));
      const reply = await ask('GET');
      assert.deepEqual([reply.status, reply.text], [404, 'Not Found\n']);
      assert.equal(opens.mock.callCount(), 1);
      await untilOpen(0, elsewhere);
    });

  it('that reaches the same file through a link is no file', async (t) => {
    silence(t);
    const other = path.join(temporaryFolder(), 'film.mp4');
    fs.linkSync(film, other);
    beforeOpen(t, () => link(takes, path.dirname(other)));
    assert.equal((await ask('GET')).status, 404);
  });

  it('with a link during the open alone sends nothing of its target', async (t) => {
    const { open } = fs.promises;
    t.mock.method(fs.promises, 'open', async (...given: Parameters<typeof open>) => {
      fs.renameSync(takes, `${takes}-kept`);
      fs.symlinkSync(path.dirname(secret), takes);
      const opened = await open(...given);
      fs.rmSync(takes);
      fs.renameSync(`${takes}-kept`, takes);
      return opened;
    });
    silence(t);
    await assert.rejects(ask('GET'), { code: 'ECONNRESET' });
    await untilOpen(0, elsewhere);
  });

  it('with a FIFO before the open is no file', async (t) => {
    silence(t);
    beforeOpen(t, () => {
      fs.rmSync(film);
      spawnSync('mkfifo', [film]);
    });
    assert.equal((await ask('GET')).status, 404);
    await untilOpen(0, folder);
  });

  it('renamed over before the open is sent as it is now', async (t) => {
    const opens = beforeOpen(t, (times) => {
      if (times > 1) return;
      fs.writeFileSync(`${film}.new`, 'another');
      fs.renameSync(`${film}.new`, film);
    });
    const { status, text, headers } = await ask('GET', { Range: 'bytes=1-' });
    assert.deepEqual([status, text], [206, 'nother']);
    assert.equal(headers.get('content-range'), 'bytes 1-6/7');
    assert.equal(opens.mock.callCount(), 2);
  });

  it('renamed over before each open ends the connection, and is closed', async (t) => {
    const log = silence(t);
    const opens = beforeOpen(t, () => {
      fs.writeFileSync(`${film}.new`, 'another');
      fs.renameSync(`${film}.new`, film);
    });
    await assert.rejects(ask('GET'), { code: 'ECONNRESET' });
    assert.equal(opens.mock.callCount(), 2);
    const line = `${film} was replaced again and again, and was not sent`;
    assert.deepEqual(log.mock.calls[0]?.arguments, [line]);
    await untilOpen(0, folder);
  });

  it('is opened by GET alone, not for 304, 416 or no bytes', async (t) => {
    const opens = beforeOpen(t, () => undefined);
    const etag = (await ask('HEAD')).headers.get('etag') ?? '';
    await ask('GET', { 'If-None-Match': etag });
    await ask('GET', { Range: 'bytes=100-' });
    fs.truncateSync(film);
    await ask('GET');
    assert.equal(opens.mock.callCount(), 0);
  });

  it('is not left open by clients that leave at once', async () => {
    for (let i = 0; i < 20; i += 1) {
      const clients = Array.from({ length: 50 }, () =>
        http.get(origin).on('error', () => undefined),
      );
      await Promise.all(clients.map((each) => once(each, 'finish')));
      for (const each of clients) each.destroy();
    }
    await ask('GET');
    await untilOpen(0, folder);
  });
});

describe('an SVG on disk', () => {
  const svg = path.join(folder, 'logo.svg');
  fs.writeFileSync(svg, '<svg/>');

  it('has a policy of its own, once, in every reply', async () => {
    const handle = diskFile('no-cache', folder)(svg, 'image/svg+xml');
    const { origin } = await serve((request) => handle({ request }), securityHeaders(false));
    const etag = (await send(origin, 'HEAD /')).headers.get('etag') ?? '';
    for (const [line, status, headers] of [
      ['HEAD /', 200, {}],
      ['GET /', 200, {}],
      ['GET /', 206, { Range: 'bytes=0-1' }],
      ['GET /', 416, { Range: 'bytes=9-' }],
      ['GET /', 304, { 'If-None-Match': etag }],
    ] as const) {
      const reply = await send(origin, line, { headers });
      assert.equal(reply.status, status);
      const policies = reply.rawHeaders.filter((_, i, all) => /policy$/i.test(all[i - 1] ?? ''));
      assert.deepEqual(
        policies.filter((each) => each.includes('default-src')),
        [
          "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; " +
            "base-uri 'none'; form-action 'none'; sandbox",
        ],
      );
      assert.equal(reply.headers.get('x-content-type-options'), 'nosniff');
    }
  });
});

describe('while a large file is sent', { skip: lacksProc }, () => {
  before(() => fs.mkdirSync(takes, { recursive: true }));
  // More than the buffers of a loopback connection hold.
  beforeEach(() => fs.writeFileSync(film, Buffer.alloc(24 * 2 ** 20, 'a')));

  /** Asks for the file, and stops reading at its beginning. */
  async function begin() {
    const [reply] = (await once(http.get(origin), 'response')) as [http.IncomingMessage];
    await once(reply, 'readable');
    return reply;
  }

  it('and it is truncated, the connection and the file are closed', async (t) => {
    const log = t.mock.method(console, 'error', () => undefined);
    const viewer = await begin();
    fs.truncateSync(film, 1000);
    await viewer.toArray().catch(() => undefined);
    assert.equal(viewer.complete, false);
    await untilOpen(0, folder);
    const lines = log.mock.calls.map((call) => call.arguments);
    assert.deepEqual(lines, [[`${film} became shorter while it was being sent`]]);
  });

  it('and it is replaced, the former file is sent on', async () => {
    const viewer = await begin();
    fs.writeFileSync(`${film}.new`, 'b');
    fs.renameSync(`${film}.new`, film);
    const sent = Buffer.concat(await viewer.toArray());
    assert.deepEqual([sent.length, sent.includes('b')], [24 * 2 ** 20, false]);
    await untilOpen(0, folder);
  });

  it('and its client disconnects or stops reading, the file is closed', async (t) => {
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
