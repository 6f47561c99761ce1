/** Files of the pages and of the owner: types, versions, ranges, and files that change. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import test from 'node:test';
import { enter, startApp, TEST_SITE, temporaryFolder } from '../service.ts';

const folder = temporaryFolder();
const names = ['ten.txt', 'empty.txt', 'film.mp4', 'photo.jpg', 'logo.svg', 'page.html', 'run.js'];
for (const name of names) fs.writeFileSync(path.join(folder, name), '0123456789');
fs.writeFileSync(path.join(folder, 'empty.txt'), '');
fs.mkdirSync(path.join(folder, 'old'));
fs.writeFileSync(path.join(folder, 'old/a.txt'), 'a');
const urls = new Map(
  [...names, 'old/a.txt'].map((name) => [`/media/${name}`, path.join(folder, name)]),
);

const files = { public: new Map(), gated: urls };
const { db, port, send, get } = await startApp(undefined, { ...TEST_SITE, files });
const cookie = enter(db, 'ada@example.com');
const { headers: whole } = await get('/media/ten.txt', cookie);
const etag = whole.etag ?? assert.fail('there is no ETag');

/** The Range header, the status, Content-Range, and the body. */
const RANGES = [
  ['bytes=0-4', 206, 'bytes 0-4/10', '01234'],
  ['bytes=5-', 206, 'bytes 5-9/10', '56789'],
  ['bytes=9-9', 206, 'bytes 9-9/10', '9'],
  ['bytes=-3', 206, 'bytes 7-9/10', '789'],
  ['bytes=-99', 206, 'bytes 0-9/10', '0123456789'],
  ['bytes=8-99999999999999999999', 206, 'bytes 8-9/10', '89'],
  ['bytes=10-', 416, 'bytes */10', ''],
  ['bytes=-0', 416, 'bytes */10', ''],
  ['bytes=4-2', 200, undefined, '0123456789'],
  ['bytes=0-1,3-4', 200, undefined, '0123456789'],
  ['bytes=-', 200, undefined, '0123456789'],
  ['lines=0-1', 200, undefined, '0123456789'],
] as const;

for (const [range, status, contentRange, text] of RANGES)
  test(`${range} of ten bytes is ${status}`, async () => {
    const answer = await send('GET', '/media/ten.txt', { cookie, range });
    assert.equal(answer.status, status);
    assert.equal(answer.headers['content-range'], contentRange);
    assert.equal(answer.headers['content-length'], String(text.length));
    assert.equal(answer.headers['accept-ranges'], 'bytes');
    assert.equal(answer.text, text);
  });

const STALE = '"10-1"';

/** Headers, the status, and the body. */
const CONDITIONS = [
  [{ 'if-none-match': etag }, 304, ''],
  [{ 'if-none-match': `W/${etag}` }, 304, ''],
  [{ 'if-none-match': `${STALE}, ${etag}` }, 304, ''],
  [{ 'if-none-match': '*' }, 304, ''],
  [{ 'if-none-match': etag, range: 'bytes=0-1' }, 304, ''],
  [{ 'if-none-match': STALE }, 200, '0123456789'],
  [{ 'if-range': etag, range: 'bytes=0-1' }, 206, '01'],
  [{ 'if-range': STALE, range: 'bytes=0-1' }, 200, '0123456789'],
  [{ 'if-range': `W/${etag}`, range: 'bytes=0-1' }, 200, '0123456789'],
] as const;

for (const [headers, status, text] of CONDITIONS)
  test(`${Object.keys(headers).join(' and ')} is ${status}`, async () => {
    const answer = await send('GET', '/media/ten.txt', { cookie, ...headers });
    assert.equal(answer.status, status);
    assert.equal(answer.text, text);
    assert.equal(answer.headers.etag, etag);
  });

test('HEAD says the length, and takes no range', async () => {
  const answer = await send('HEAD', '/media/ten.txt', { cookie, range: 'bytes=0-1' });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers['content-length'], '10');
});

test('an empty file has no range', async () => {
  const { status, text } = await get('/media/empty.txt', cookie);
  assert.equal(status, 200);
  assert.equal(text, '');
  const range = await send('GET', '/media/empty.txt', { cookie, range: 'bytes=0-' });
  assert.equal(range.status, 416);
});

test("an owner's file is never run as a program", async () => {
  const types = {
    'film.mp4': 'video/mp4',
    'photo.jpg': 'image/jpeg',
    'logo.svg': 'image/svg+xml',
    'page.html': 'application/octet-stream',
    'run.js': 'application/octet-stream',
  };
  for (const [name, type] of Object.entries(types))
    assert.equal((await get(`/media/${name}`, cookie)).headers['content-type'], type);
  const { headers } = await get('/media/logo.svg', cookie);
  const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
  assert.equal(headers['content-security-policy'], policy);
});

test('our own files have an ETag of their content', async () => {
  const { headers } = await get('/robots.txt');
  const known = { 'if-none-match': headers.etag ?? '' };
  assert.equal((await send('GET', '/robots.txt', known)).status, 304);
});

test('a file may be replaced and removed while the service runs, but not by a link', async () => {
  const file = path.join(folder, 'photo.jpg');
  fs.writeFileSync(file, 'another');
  assert.equal((await get('/media/photo.jpg', cookie)).text, 'another');
  fs.rmSync(file);
  assert.equal((await get('/media/photo.jpg', cookie)).status, 404);
  fs.writeFileSync(path.join(folder, 'secret'), 'secret');
  fs.symlinkSync(path.join(folder, 'secret'), file);
  assert.equal((await get('/media/photo.jpg', cookie)).status, 404);
  assert.equal((await get('/media/old/a.txt', cookie)).text, 'a');
  fs.renameSync(path.join(folder, 'old'), path.join(folder, 'other'));
  fs.symlinkSync(path.join(folder, 'other'), path.join(folder, 'old'));
  assert.equal((await get('/media/old/a.txt', cookie)).status, 404);
});

/** A client that reads nothing more than the headers. */
async function askForFilm(): Promise<net.Socket> {
  fs.writeFileSync(path.join(folder, 'film.mp4'), Buffer.alloc(30_000_000));
  const socket = net.connect(port, '127.0.0.1');
  socket.write(`GET /media/film.mp4 HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}

test('a file that becomes shorter ends the connection, and nothing else', async () => {
  const socket = await askForFilm();
  fs.truncateSync(path.join(folder, 'film.mp4'), 6_000_000);
  let bytes = 0;
  for await (const chunk of socket) bytes += chunk.length;
  assert.ok(bytes < 30_000_000);
  assert.equal((await get('/media/ten.txt', cookie)).text, '0123456789');
});

test('a client that leaves a film leaves no open file', {
  skip: !fs.existsSync('/proc/self/fd'),
}, async () => {
  const film = path.join(folder, 'film.mp4');
  const socket = await askForFilm();
  const isOpen = (): boolean =>
    fs.readdirSync('/proc/self/fd').some((fd) => {
      const link = `/proc/self/fd/${fd}`;
      return fs.existsSync(link) && fs.readlinkSync(link) === film;
    });
  assert.ok(isOpen());
  socket.destroy();
  while (isOpen()) await get('/');
});
