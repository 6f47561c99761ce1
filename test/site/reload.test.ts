/** SIGHUP reads the site again, either all of it or nothing. Nothing else changes. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { logIn, send } from '../support/client.ts';
import { preload } from '../support/clock.ts';
import { lockStore } from '../support/database.ts';
import { until } from '../support/limit.ts';
import { installationForAll } from '../support/temporary.ts';

/** Sends a signal before the server listens; without a listener it would end the process. */
const EARLY = `import net from 'node:net';
  const { listen } = net.Server.prototype;
  net.Server.prototype.listen = function (...args) {
    process.kill(process.pid, 'SIGHUP');
    return listen.apply(this, args);
  };`;

const installation = installationForAll();
const folder = path.join(installation.root, 'data', 'site');
installation.invite('ada@example.com');
fs.cpSync(path.join(installation.root, 'pages', 'sample'), folder, { recursive: true });
const content = path.join(folder, 'content.json');
const sample = fs.readFileSync(content, 'utf8');
const server = await installation.start(preload(EARLY));
const cookie = await logIn(server.origin, 'ada@example.com');

const reloads = () => server.stdout.filter((line) => line.startsWith('the site was reloaded'));

/** Writes a tagline, and waits for the reload. */
async function put(tagline: string): Promise<void> {
  fs.writeFileSync(content, JSON.stringify({ ...JSON.parse(sample), tagline }));
  const { length } = reloads();
  server.process.kill('SIGHUP');
  await until('the site to be reloaded', () => reloads().length > length);
}

const get = async (url: string) => (await send(server.origin, `GET ${url}`, { cookie })).text;
const taglineIn = (html: string) => /\bv\d\b/.exec(html)?.[0];

it('a mistake leaves the former site, and each field is named', async () => {
  await put('v0');
  fs.writeFileSync(content, sample.replace('2025-03-04', 'soon').replace('Halden', ' '));
  server.process.kill('SIGHUP');
  await server.reports(/not a date/);
  const mistakes = server.stderr.filter((line) => line.startsWith('the site was not reloaded'));
  assert.deepEqual(mistakes, [
    'the site was not reloaded: data/site/content.json: title: missing or not a text',
    'the site was not reloaded: data/site/content.json: timeline[1].date: "soon" is not a date; write it as YYYY-MM-DD, like 2025-01-21',
  ]);
  assert.equal(taglineIn(await get('/timeline')), 'v0');
});

it('the counts of the login limit stay, and so do sessions', async () => {
  const loginStatus = async () =>
    (await send(server.origin, 'POST /auth/login', { json: { email: 'x' } })).status;
  for (let i = 0; i < 29; i++) assert.equal(await loginStatus(), 400);
  await put('v1');
  assert.deepEqual([await loginStatus(), await loginStatus()], [400, 429]);
  assert.match(await get('/auth/me'), /"ada@example\.com"/);
});

it('a site that has vanished is not replaced by the sample', async () => {
  await put('v4');
  const data = path.dirname(folder);
  for (const vanishing of [folder, data]) {
    const { length } = server.stderr;
    fs.renameSync(vanishing, `${vanishing}-away`);
    server.process.kill('SIGHUP');
    await until('a line on stderr', () => server.stderr.length > length);
    fs.renameSync(`${vanishing}-away`, vanishing);
    assert.deepEqual(server.stderr.slice(length), [
      `the site was not reloaded: ${folder} is missing; put it back (a restart would show the sample)`,
    ]);
    assert.equal(taglineIn(await get('/timeline')), 'v4');
  }
  await put('v5');
  assert.equal(taglineIn(await get('/timeline')), 'v5');
});

it('a request keeps the site that it began with', async () => {
  await put('v2');
  const unlock = lockStore(installation.store);
  const waiting = get('/timeline');
  for (let i = 0; i < 3; i++) await get('/auth/me');
  await put('v3');
  unlock();
  assert.equal(taglineIn(await waiting), 'v2');
  assert.equal(taglineIn(await get('/timeline')), 'v3');
  assert.ok((await get('/')).includes(`="http://localhost:${server.port}/"`), 'of a free port');
});
