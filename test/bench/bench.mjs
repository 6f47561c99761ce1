/**
 * Compares Guestlist with the same site on Fastify. Prints, for a view, `/auth/me` and a join,
 * requests a second, the processor time of one, and the 99th percentile of the time to its reply.
 *
 *     npm run bench [-- <rounds> <seconds>]
 *
 * Server and load have a core each. The servers take turns, so that all meet the same moods of the
 * machine, which should do nothing else.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { addInvite } from '../../lib/store/invites.js';
import { openStoreFile } from '../../lib/store/open.js';
import { beginSession } from '../../lib/store/sessions.js';
import { openDatabase, readValue } from '../../lib/store/sqlite.js';

const [rounds = '5', seconds = '2'] = process.argv.slice(2);

const SERVERS = {
  guestlist: 'Guestlist',
  fastest: 'Fastify, at its fastest',
  documented: 'Fastify, as documented',
  ceiling: 'node:http alone',
};
const TARGETS = ['GET /timeline', 'GET /auth/me', 'POST /api/project-join'];
const VISITORS = 200;
const DESKTOP = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0';
const PHONE = 'Mozilla/5.0 (Android 15; Mobile; rv:144.0) Gecko/144.0 Firefox/144.0';

const here = path.dirname(fileURLToPath(import.meta.url));
/** On the disk of the checkout: /tmp may be in memory, where a sync costs nothing. */
const work = path.join(here, 'data');
const template = path.join(work, 'template.db');

/** Makes the store that every server gets a copy of. @returns the cookies of the visitors */
function createStore() {
  fs.rmSync(work, { recursive: true, force: true });
  fs.mkdirSync(work);
  process.on('exit', () => fs.rmSync(work, { recursive: true }));
  const db = openStoreFile(template);
  const now = Date.now();
  const cookies = Array.from({ length: VISITORS }, (_, i) => {
    const email = `visitor${i}@example.com`;
    addInvite(db, { email, firstName: null, invitedBy: 'cli', invitedAt: now });
    return `svc_session=${beginSession(db, email, now).token}`;
  });
  db.close();
  return cookies;
}

/** Starts a server on the first core. */
async function start([way, name]) {
  const store = path.join(work, `${way}.db`);
  fs.copyFileSync(template, store);
  const args = ['-c', '0', process.execPath, path.join(here, 'server.mjs'), way, store];
  const env = { ...process.env, NODE_ENV: 'production' };
  const child = spawn('taskset', args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  process.on('exit', () => child.kill());
  const [port] = await once(child.stdout, 'data');
  return { way, name, store, pid: child.pid, url: `http://127.0.0.1:${Number(port)}` };
}

/** @throws if Fastify does less than Guestlist: sends another reply, or needs no proof */
async function check(guestlist, contender, [cookie]) {
  const forged = `${cookie.slice(0, -43)}${'A'.repeat(43)}`;
  for (const target of TARGETS)
    for (const each of [cookie, forged, ''])
      for (const userAgent of [DESKTOP, PHONE]) {
        const headers = { cookie: each, 'user-agent': userAgent };
        const wanted = await ask(guestlist, target, headers);
        assert.deepEqual(await ask(contender, target, headers), wanted, contender.name);
      }
}

/** @returns a reply, without what the connection decides; Fastify names a charset of JSON */
async function ask({ url }, target, headers) {
  const [method, path] = target.split(' ');
  const reply = await fetch(url + path, { method, headers, redirect: 'manual' });
  const found = Object.fromEntries(reply.headers);
  for (const name of ['date', 'connection', 'keep-alive', 'content-type']) delete found[name];
  return { status: reply.status, headers: found, text: await reply.text() };
}

/** @returns requests a second, processor time of one in µs, and the 99th percentile in ms */
function load({ way, name, store, pid, url }, target, cookies) {
  const script = path.join(here, 'load.lua');
  const wrk = ['wrk', '-t1', '-c64', `-d${seconds}`, '-s', script, url, '--'];
  const args = ['-c', '1', ...wrk, ...target.split(' '), DESKTOP, ...cookies];
  const rowsBefore = countRows(store);
  const timeBefore = processorTime(pid);
  const { stdout } = spawnSync('taskset', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const time = processorTime(pid) - timeBefore;
  const rows = countRows(store) - rowsBefore;
  const { count, duration, p99, failed } = JSON.parse(String(stdout).split('RESULT ')[1]);
  assert.equal(failed, 0, `${name}: ${target}`);
  const isRecorded = way !== 'ceiling' && target !== 'GET /auth/me';
  assert.ok(!isRecorded || rows >= count, `${name}: ${rows} rows of ${count} requests: ${target}`);
  return { rate: (count * 1e6) / duration, time: time / count, p99: p99 / 1000 };
}

function countRows(store) {
  const db = openDatabase(store, { readonly: true });
  const sql = 'select (select count(*) from events) + (select count(*) from project_joins)';
  const rows = Number(readValue(db, sql));
  db.close();
  return rows;
}

/** In µs; Linux counts in ticks of 10 ms. */
function processorTime(pid) {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(stat[11]) + Number(stat[12])) * 10_000;
}

/** The medians of the rounds. */
function describe(results) {
  const median = (field) =>
    results.map((each) => each[field]).sort((a, b) => a - b)[results.length >> 1];
  const rate = Math.round(median('rate')).toLocaleString('en');
  return `${rate} (${median('time').toFixed(0)} µs, ${median('p99').toFixed(1)} ms)`;
}

const cookies = createStore();
const servers = [];
for (const entry of Object.entries(SERVERS)) servers.push(await start(entry));
const [guestlist, fastest, documented] = servers;
await check(guestlist, fastest, cookies);
await check(guestlist, documented, cookies);

const rows = servers.map(({ name }) => [name]);
for (const target of TARGETS) {
  const results = servers.map(() => []);
  for (let round = 0; round <= Number(rounds); round += 1)
    for (const [i, server] of servers.entries()) results[i].push(load(server, target, cookies));
  // The first round warms up.
  for (const [i, row] of rows.entries()) row.push(describe(results[i].slice(1)));
}
console.log(`${os.cpus()[0].model}, Node ${process.version}, ${new Date().toISOString()}\n`);
console.log(`| | \`${TARGETS.join('` | `')}\` |\n| --- | ---: | ---: | ---: |`);
for (const row of rows) console.log(`| ${row.join(' | ')} |`);
process.exit();
