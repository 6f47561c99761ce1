/** SIGHUP: the site is read again, whole or not at all, and nothing else changes. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { beforeEach, it } from 'node:test';
import { logIn, send } from '../support/client.ts';
import type { Server } from '../support/installation.ts';
import { lockStore } from '../support/lock.ts';
import { siteForEach } from '../support/site.ts';

const ADA = 'ada@example.com';
const DONE = 'the site was reloaded from data/site';

const site = siteForEach();
const folder = path.join(site.root, 'data', 'site');
const text = fs.readFileSync(path.join(site.root, 'pages/sample/content.json'), 'utf8');

beforeEach(() => {
  site.invite(ADA);
  site.tool('site', 'init');
  write('v0');
});

/** A site in which the tagline and the button at the end hold a word. */
function write(word: string, others = (content: string) => content): void {
  const content = JSON.parse(text);
  content.tagline = `A lamp, ${word}.`;
  content.join.button = `Count me in, ${word}`;
  const draft = path.join(folder, 'draft');
  fs.writeFileSync(draft, others(JSON.stringify(content)));
  fs.renameSync(draft, path.join(folder, 'content.json'));
}

const wordsOf = (html: string) => [...new Set(html.match(/\bv\d+\b/g))];

/** Resolves when the server has said so a number of times. */
async function reloads({ process, stdout }: Server, count: number): Promise<void> {
  while (stdout.filter((line) => line === DONE).length < count)
    await once(process.stdout ?? process, 'data');
}

async function reload(server: Server): Promise<void> {
  const before = server.stdout.filter((line) => line === DONE).length;
  server.process.kill('SIGHUP');
  await reloads(server, before + 1);
}

it('under load every request is answered by one whole site', async () => {
  const server = await site.start();
  const cookie = await logIn(server.origin, ADA);
  const seen = new Set<string>();
  let isOver = false;
  const visit = async () => {
    while (!isOver) {
      const page = await send(server.origin, 'GET /timeline?view=desktop', { cookie });
      const image = await send(server.origin, 'GET /images/01-window.svg', { cookie });
      assert.deepEqual([page.status, image.status], [200, 200]);
      assert.match(page.text, /<\/html>\s*$/);
      const [word = '', ...others] = wordsOf(page.text);
      assert.deepEqual(others, []);
      seen.add(word);
    }
  };
  const visitors = Promise.all(Array.from({ length: 6 }, visit));
  for (let i = 1; i <= 15; i++) {
    write(`v${i}`);
    await reload(server);
  }
  isOver = true;
  await visitors;
  assert.ok(seen.size > 3, [...seen].join());
  const { text: html } = await send(server.origin, 'GET /timeline', { cookie });
  assert.deepEqual(wordsOf(html), ['v15']);
});

it('a mistake leaves the former site, and its field is named', async () => {
  const server = await site.start();
  const cookie = await logIn(server.origin, ADA);
  const page = async () => (await send(server.origin, 'GET /timeline', { cookie })).text;
  const former = await page();
  write('v1', (content) => content.replace('2025-03-04', 'soon').replace('Halden', ' '));
  server.process.kill('SIGHUP');
  await server.reports(/title: .*\n.*soon|not a date/);
  await send(server.origin, 'GET /');
  assert.deepEqual(server.stderr, [
    'the site was not reloaded: data/site/content.json: title: missing or not a text',
    'the site was not reloaded: data/site/content.json: timeline[1].date: not a date (YYYY-MM-DD)',
  ]);
  assert.equal(await page(), former);
  write('v2');
  await reload(server);
  assert.deepEqual(wordsOf(await page()), ['v2']);
});

it('sessions and the counts of the login limit stay', async () => {
  const server = await site.start();
  const cookie = await logIn(server.origin, ADA);
  const attempt = async () =>
    (await send(server.origin, 'POST /auth/login', { json: { email: 'x' } })).status;
  for (let i = 0; i < 29; i++) assert.equal(await attempt(), 400);
  await reload(server);
  assert.deepEqual([await attempt(), await attempt()], [400, 429]);
  assert.equal((await send(server.origin, 'GET /auth/me', { cookie })).status, 200);
});

it('a request under way is answered by the site that it began with', async () => {
  const server = await site.start();
  const cookie = await logIn(server.origin, ADA);
  const unlock = lockStore(site.store);
  const waiting = send(server.origin, 'GET /timeline', { cookie });
  for (let i = 0; i < 3; i++) await send(server.origin, 'GET /auth/me', { cookie });
  write('v1');
  await reload(server);
  unlock();
  assert.deepEqual(wordsOf((await waiting).text), ['v0']);
  assert.deepEqual(wordsOf((await send(server.origin, 'GET /timeline', { cookie })).text), ['v1']);
});

it('a site that appears while the sample is shown takes its place', async () => {
  fs.renameSync(folder, `${folder}-away`);
  const server = await site.start();
  const cookie = await logIn(server.origin, ADA);
  fs.renameSync(`${folder}-away`, folder);
  await reload(server);
  assert.deepEqual(wordsOf((await send(server.origin, 'GET /timeline', { cookie })).text), ['v0']);
});

it('before the server listens, it starts all the same', async () => {
  const early = `import net from 'node:net';
    const { listen } = net.Server.prototype;
    net.Server.prototype.listen = function (...args) {
      process.kill(process.pid, 'SIGHUP');
      return listen.apply(this, args);
    };`;
  const preload = `--import=data:text/javascript,${encodeURIComponent(early)}`;
  const server = await site.start({ NODE_OPTIONS: preload });
  await reloads(server, 1);
  assert.equal((await send(server.origin, 'GET /')).status, 200);
});

it('many at once reload a few times, the last of them after all were sent', async () => {
  const server = await site.start();
  const cookie = await logIn(server.origin, ADA);
  for (let i = 1; i <= 300; i++) {
    if (i % 100 === 0) write(`v${i}`);
    server.process.kill('SIGHUP');
  }
  const page = async () => (await send(server.origin, 'GET /timeline', { cookie })).text;
  while (wordsOf(await page())[0] !== 'v300');
  assert.deepEqual(server.stderr, []);
  assert.ok(server.stdout.length < 300, `${server.stdout.length} lines`);
});

it('during a stop it does not keep the server from answering and ending', async () => {
  const server = await site.start();
  const body = '{"email":"ada@example.com"}';
  const socket = net.connect(server.port, '127.0.0.1');
  socket.write(
    `POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n{`,
  );
  await send(server.origin, 'GET /');
  server.process.kill('SIGTERM');
  while (await fetch(server.origin).catch(() => undefined));
  await reload(server);
  socket.write(body.slice(1));
  const [answer] = await once(socket, 'data');
  assert.match(String(answer), /^HTTP\/1\.1 200 OK/);
  assert.equal(await server.exited, 0);
});
