/** SIGHUP: the site is read again, whole or not at all, and nothing else changes. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, it } from 'node:test';
import { logIn, send } from '../support/client.ts';
import { preload } from '../support/clock.ts';
import { lockStore } from '../support/database.ts';
import { siteForAll } from '../support/site.ts';

const site = siteForAll();
const sample = path.join(site.root, 'pages', 'sample');
const folder = path.join(site.root, 'data', 'site');
site.invite('ada@example.com');
fs.cpSync(sample, folder, { recursive: true });
const server = await site.start();
const cookie = await logIn(server.origin, 'ada@example.com');

const reloads = () => server.stdout.filter((line) => line.startsWith('the site was reloaded'));

async function reload(): Promise<void> {
  const { length } = reloads();
  server.process.kill('SIGHUP');
  while (reloads().length === length) await once(server.process.stdout ?? server.process, 'data');
}

/** Puts a site in place in which the tagline and the button at the end hold a word. */
function write(word: string, change = (content: string) => content): void {
  const content = JSON.parse(fs.readFileSync(path.join(sample, 'content.json'), 'utf8'));
  content.tagline = `A lamp, ${word}.`;
  content.join.button = `Count me in, ${word}`;
  fs.writeFileSync(path.join(folder, 'content.json'), change(JSON.stringify(content)));
}

function put(word: string): Promise<void> {
  write(word);
  return reload();
}

const get = (url: string) => send(server.origin, `GET ${url}`, { cookie });
const wordsOf = (html: string) => [...new Set(html.match(/\bv\d+\b/g))];

/** The words that the timeline shows now. */
const shown = async () => wordsOf((await get('/timeline?view=desktop')).text);

beforeEach(() => put('v0'));

it('before the server listens ends nothing', async () => {
  const EARLY = `import net from 'node:net';
    const { listen } = net.Server.prototype;
    net.Server.prototype.listen = function (...args) {
      process.kill(process.pid, 'SIGHUP');
      return listen.apply(this, args);
    };`;
  const { origin } = await siteForAll().start(preload(EARLY));
  assert.equal((await send(origin, 'GET /')).status, 200);
});

it('a mistake leaves the former site, and each field is named', async () => {
  write('v1', (content) => content.replace('2025-03-04', 'soon').replace('Halden', ' '));
  server.process.kill('SIGHUP');
  await server.reports(/not a date/);
  const mistakes = server.stderr.filter((line) => line.startsWith('the site was not reloaded'));
  assert.deepEqual(mistakes, [
    'the site was not reloaded: data/site/content.json: title: missing or not a text',
    'the site was not reloaded: data/site/content.json: timeline[1].date: not a date (YYYY-MM-DD)',
  ]);
  assert.deepEqual(await shown(), ['v0']);
  await put('v2');
  assert.deepEqual(await shown(), ['v2']);
});

it('the counts of the login limit stay, and so do sessions', async () => {
  const attempt = async () =>
    (await send(server.origin, 'POST /auth/login', { json: { email: 'x' } })).status;
  for (let i = 0; i < 29; i++) assert.equal(await attempt(), 400);
  await reload();
  assert.deepEqual([await attempt(), await attempt()], [400, 429]);
  assert.equal((await get('/auth/me')).status, 200);
});

it('a request under way is answered by the site that it began with', async () => {
  const unlock = lockStore(site.store);
  const waiting = get('/timeline');
  for (let i = 0; i < 3; i++) await get('/auth/me');
  await put('v1');
  unlock();
  assert.deepEqual(wordsOf((await waiting).text), ['v0']);
  assert.deepEqual(await shown(), ['v1']);
});
