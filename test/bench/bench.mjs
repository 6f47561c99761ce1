/**
 * Compares Guestlist with the same site on Fastify: rate, processor time and the 99th percentile
 * of a view, `/auth/me` and a join.
 *
 *     node test/bench/bench.mjs [--rounds 5] [--seconds 2] [name=<built checkout> …]
 *
 * Server and load have a core each. The servers take turns, so that all meet the same moods of the
 * machine, which should do nothing else.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import Database from 'better-sqlite3';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.join(here, '../..');
/** On the disk of the checkout: /tmp may be in memory, where a sync costs nothing. */
const work = path.join(here, 'data');

const VISITORS = 200;
const DESKTOP = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0';
const PHONE = 'Mozilla/5.0 (Android 15; Mobile; rv:144.0) Gecko/144.0 Firefox/144.0';
const KINDS = {
  'a view': 'GET /timeline',
  '`/auth/me`': 'GET /auth/me',
  'a join': 'POST /api/project-join',
};

const options = {
  rounds: { type: 'string', default: '5' },
  seconds: { type: 'string', default: '2' },
};
const children = [];
const { values, positionals } = parseArgs({ options, allowPositionals: true });

function requirePrograms() {
  const packages = { wrk: 'wrk', taskset: 'util-linux' };
  for (const [program, name] of Object.entries(packages))
    if (spawnSync(program, ['--version']).error)
      throw new Error(`${program} is missing; run: sudo apt install ${name}`);
  if (fs.existsSync(path.join(here, 'node_modules'))) return;
  const install = ['install', '--no-package-lock', '--prefix', here];
  console.log(`npm ${install.join(' ')}`);
  spawnSync('npm', install, { stdio: 'inherit' });
}

/** Starts a server on the first core. @returns its process and its URL */
async function start(args, cwd) {
  const env = { ...process.env, PORT: '0', NODE_ENV: 'production' };
  const stdio = ['ignore', 'pipe', 'inherit'];
  const child = spawn('taskset', ['-c', '0', process.execPath, ...args], { cwd, env, stdio });
  children.push(child);
  const [output] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  const [url] = /http:\S+/.exec(output) ?? [];
  if (!url) throw new Error(`${args.join(' ')} ended with ${output}`);
  return { child, url };
}

/** Installs a built checkout without its data, invites the visitors, and logs them in. */
async function startGuestlist(name, checkout) {
  const folder = path.join(work, name);
  const parts = ['server.js', 'package.json', 'lib', 'pages', 'sql', 'tools'];
  for (const each of parts)
    fs.cpSync(path.join(checkout, each), path.join(folder, each), { recursive: true });
  fs.symlinkSync(path.resolve(checkout, 'node_modules'), path.join(folder, 'node_modules'));
  const people = Array.from({ length: VISITORS }, (_, i) => `visitor${i}@example.com`);
  const list = path.join(folder, 'list.csv');
  fs.writeFileSync(list, `email\n${people.join('\n')}\n`);
  const add = [path.join(folder, 'tools/invite.js'), 'add', '--file', list];
  // The tool of former releases knows no --yes.
  if (spawnSync('node', [...add, '--yes']).status !== 0) spawnSync('node', add);

  const server = await start(['server.js'], folder);
  const cookies = [];
  for (const [i, email] of people.entries()) {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': `10.0.0.${i}` };
    const body = JSON.stringify({ email });
    const reply = await fetch(`${server.url}/auth/login`, { method: 'POST', headers, body });
    cookies.push(reply.headers.get('set-cookie').split(';')[0]);
  }
  return { name, ...server, cookies, store: path.join(folder, 'data/guestlist.db') };
}

/** Each starts with a copy of the store of Guestlist, and its replies. */
async function startContender(framework, form, guestlist, replies) {
  const name = `${framework} ${form}`.trim();
  const base = path.join(work, name.replace(/\W/g, '-'));
  const store = `${base}.db`;
  withStore(guestlist.store, (db) => db.prepare('vacuum into ?').run(store));
  withStore(store, (db) => db.exec('pragma journal_mode = wal'));
  fs.writeFileSync(`${base}.json`, JSON.stringify({ store, replies }));
  const args = [path.join(here, 'contender.mjs'), framework, form, `${base}.json`];
  return { name, ...(await start(args, here)), cookies: guestlist.cookies, store };
}

function withStore(file, job) {
  const db = new Database(file);
  const result = job(db);
  db.close();
  return result;
}

/** @returns status, headers and the text of a reply, without what the connection decides */
async function ask({ url }, target, cookie = '', userAgent = DESKTOP) {
  const [method, path] = target.split(' ');
  const headers = { cookie, 'user-agent': userAgent };
  const reply = await fetch(url + path, { method, headers, redirect: 'manual' });
  const found = Object.fromEntries(reply.headers);
  for (const each of ['date', 'connection', 'keep-alive']) delete found[each];
  return { status: reply.status, headers: found, text: await reply.text() };
}

/** The replies of Guestlist, as contenders send them: `headers` has names and values in turn. */
async function readReplies(guestlist) {
  const [cookie] = guestlist.cookies;
  const { 'a view': view, '`/auth/me`': me, 'a join': join } = KINDS;
  const asked = {
    desktop: await ask(guestlist, view, cookie),
    mobile: await ask(guestlist, view, cookie, PHONE),
    me: await ask(guestlist, me, cookie),
    joined: await ask(guestlist, join, cookie),
    toEntry: await ask(guestlist, view),
    notLoggedIn: await ask(guestlist, me),
    noSession: await ask(guestlist, join),
  };
  const { 'content-type': _type, 'content-length': _length, ...common } = asked.desktop.headers;
  // The address is another one in each reply.
  delete asked.me.headers['content-length'];
  const replies = { common };
  for (const [name, { status, headers, text }] of Object.entries(asked)) {
    const body = Buffer.from(text).toString('latin1');
    replies[name] = { status, headers: Object.entries(headers).flat(), body };
  }
  return replies;
}

/** @throws if a contender does less than Guestlist: another reply, or one without proof */
async function check(guestlist, contender) {
  const cookie = guestlist.cookies[1];
  for (const target of Object.values(KINDS)) {
    for (const userAgent of [DESKTOP, PHONE]) {
      const wanted = await ask(guestlist, target, cookie, userAgent);
      const found = await ask(contender, target, cookie, userAgent);
      // Express names a charset of JSON, and Hono writes one in capitals.
      for (const { headers } of [wanted, found])
        headers['content-type'] = headers['content-type'].split(';')[0];
      if (!isDeepStrictEqual(found, wanted)) {
        console.error(wanted, found);
        throw new Error(`${contender.name} answers ${target} in another way`);
      }
    }
    const forged = `${cookie.slice(0, -43)}${'A'.repeat(43)}`;
    for (const each of ['', forged]) {
      const [wanted, found] = [
        await ask(guestlist, target, each),
        await ask(contender, target, each),
      ];
      if (found.status !== wanted.status) throw new Error(`${contender.name} admits strangers`);
    }
  }
}

/** @returns requests a second, processor time a request in µs, and the 99th percentile in ms */
function load({ child, url, cookies, store, name }, target) {
  const file = path.join(work, 'cookies.txt');
  fs.writeFileSync(file, `${cookies.join('\n')}\n`);
  const script = [
    '-s',
    path.join(here, 'load.lua'),
    url,
    '--',
    ...target.split(' '),
    DESKTOP,
    file,
  ];
  const rowsBefore = countRows(store);
  const before = cpuTime(child.pid);
  const wrk = ['-c', '1', 'wrk', '-t1', '-c64', `-d${values.seconds}`, '--latency', ...script];
  const { stdout } = spawnSync('taskset', wrk, { encoding: 'utf8' });
  const used = cpuTime(child.pid) - before;
  const { count, duration, p99, failed } = JSON.parse(stdout.split('RESULT ')[1]);
  if (failed > 0) throw new Error(`${name}: ${failed} of ${count} requests failed: ${target}`);
  const rows = countRows(store) - rowsBefore;
  if (store && target !== KINDS['`/auth/me`'] && rows < count)
    throw new Error(`${name} answered ${count} requests and recorded ${rows}: ${target}`);
  return { rate: (count / duration) * 1e6, cpu: used / count, p99: p99 / 1000 };
}

function countRows(store) {
  const sql = 'select (select max(id) from events) + (select count(*) from project_joins)';
  return store ? withStore(store, (db) => db.prepare(sql).pluck().get()) : 0;
}

/** The processor time of a process in µs, from /proc, in ticks of 10 ms. */
function cpuTime(pid) {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(stat[11]) + Number(stat[12])) * 10_000;
}

function median(numbers) {
  return numbers.sort((a, b) => a - b)[numbers.length >> 1];
}

function print(kind, results) {
  console.log(`\n| ${kind} | requests a second | processor time | p99 |`);
  console.log('| --- | ---: | ---: | ---: |');
  for (const [name, rounds] of results) {
    const middle = (field) => median(rounds.map((each) => each[field]));
    const [rate, cpu] = [Math.round(middle('rate')), middle('cpu').toFixed(1)];
    console.log(
      `| ${name} | ${rate.toLocaleString('en')} | ${cpu} µs | ${middle('p99').toFixed(1)} ms |`,
    );
  }
}

async function startAll() {
  const guestlist = await startGuestlist('Guestlist', root);
  const servers = [guestlist];
  for (const each of positionals) servers.push(await startGuestlist(...each.split('=')));
  const replies = await readReplies(guestlist);
  for (const form of ['fastest', 'documented']) {
    const contender = await startContender('fastify', form, guestlist, replies);
    await check(guestlist, contender);
    servers.push(contender);
  }
  const ceiling = await startContender('node:http', '', guestlist, replies);
  return [...servers, { ...ceiling, store: undefined }];
}

async function bench() {
  requirePrograms();
  fs.rmSync(work, { recursive: true, force: true });
  fs.mkdirSync(work);
  const servers = await startAll();
  console.log(
    `${os.cpus()[0].model}, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`,
  );
  for (const [kind, target] of Object.entries(KINDS)) {
    const results = new Map(servers.map(({ name }) => [name, []]));
    for (let round = 0; round <= values.rounds; round += 1)
      for (const server of servers) {
        const measured = load(server, target);
        // The first round warms up.
        if (round > 0) results.get(server.name).push(measured);
      }
    print(kind, results);
  }
}

process.on('exit', () => {
  for (const child of children) child.kill();
  fs.rmSync(work, { recursive: true, force: true });
});
await bench();
process.exit();
