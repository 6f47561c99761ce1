/**
 * The servers of the bench, each in a process on one core, with the same visitors; their load, by
 * wrk.
 */
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import Database from 'better-sqlite3';
import { root } from '../../lib/config.ts';
import { PARTS } from '../../scripts/copy-service.ts';
import { logIn, send } from '../support/client.ts';
import { type Running, startProcess } from '../support/process.ts';
import { fill } from './fill.ts';

export type Server = Running & {
  readonly name: string;
  readonly origin: string;
  /** Has the cookie of a visitor in each line. */
  readonly cookieFile: string;
};

export const USER_AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0';

export const ADMINISTRATOR = 'admin@example.com';

const PACKAGES = 'fastify@5 @fastify/cookie@11 express@5 cookie@1 hono@4 @hono/node-server@2'.split(
  ' ',
);

const TARGETS = ['GET /', 'GET /timeline', 'GET /auth/me', 'POST /api/project-join'];

/** Headers that node:http adds to every reply. */
const ADDED = /^(connection|date|keep-alive)$/;

/** Runs a command to its end. @throws if it fails */
export function run(cwd: string, command: string, ...args: readonly string[]): void {
  const { status } = spawnSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: exit status ${status}`);
}

/** Checks out and builds a former release. @returns its folder */
export function buildRelease(ref: string, work: string): string {
  console.error(`building ${ref}`);
  const folder = fs.mkdtempSync(path.join(work, 'checkout-'));
  run(root, 'sh', '-c', `git archive '${ref}' | tar -x -C '${folder}'`);
  run(folder, 'npm', 'ci', '--loglevel=error');
  run(folder, 'npm', 'run', 'build');
  return folder;
}

/** The content of a store at the start. */
export type Fill = Readonly<Record<'events' | 'people', number>>;

/** Starts a copy of Guestlist as built in a checkout. */
export async function startGuestlist(
  name: string,
  checkout: string,
  visitors: number,
  work: string,
  content?: Fill,
): Promise<Server> {
  const folder = fs.mkdtempSync(path.join(work, 'guestlist-'));
  run(checkout, 'cp', '-R', ...PARTS, folder);
  fs.symlinkSync(path.join(checkout, 'node_modules'), path.join(folder, 'node_modules'));
  const emails = Array.from({ length: visitors }, (_, i) => `visitor${i}@example.com`);
  const list = path.join(folder, 'list.csv');
  fs.writeFileSync(list, [...emails, ADMINISTRATOR].join('\n'));
  run(folder, process.execPath, 'tools/invite.js', 'add', '--file', list);
  run(folder, process.execPath, 'tools/invite.js', 'admin', 'add', ADMINISTRATOR);
  if (content) {
    fill(path.join(folder, 'data/guestlist.db'), content.events, content.people);
    const begin = performance.now();
    run(folder, process.execPath, 'tools/events.js', 'stats');
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    console.log(`\ncounting ${content.events} events from the beginning: ${seconds} s`);
  }
  const cookieFile = path.join(folder, 'cookies');
  const server = await start(name, cookieFile, [path.join(folder, 'server.js')]);
  for (const email of emails)
    fs.appendFileSync(cookieFile, `${await logIn(server.origin, email)}\n`);
  return server;
}

/** Installs the frameworks. @returns the folder */
export function installContenders(work: string): string {
  const folder = path.join(work, 'contenders');
  fs.mkdirSync(folder);
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  run(folder, 'npm', 'install', ...quiet, '--prefix', folder, ...PACKAGES);
  // For what Guestlist uses too, found one folder up.
  fs.symlinkSync(path.join(root, 'node_modules'), path.join(work, 'node_modules'));
  const source = fileURLToPath(import.meta.resolve('./contenders.mjs'));
  fs.copyFileSync(source, path.join(folder, 'contenders.mjs'));
  return folder;
}

/**
 * Starts contenders with the visitors and replies of Guestlist.
 *
 * @throws if a contender sends other bytes, or records nothing
 */
export async function startContenders(
  names: readonly string[],
  { origin, cookieFile }: Server,
  folder: string,
): Promise<readonly Server[]> {
  const cookies = fs.readFileSync(cookieFile, 'utf8').trim().split('\n');
  const tokens = cookies.map((cookie) => cookie.replace('svc_session=', ''));
  const replies = await takeReplies(origin, cookies[0]);
  const data = fs.mkdtempSync(path.join(folder, 'data-'));
  return Promise.all(
    names.map(async (name) => {
      const setup = path.join(data, `${name}.json`);
      fs.writeFileSync(setup, JSON.stringify({ tokens, replies }));
      const script = [path.join(folder, 'contenders.mjs'), name, setup];
      const server = await start(name, cookieFile, script);
      if (!isDeepStrictEqual(await takeReplies(server.origin, cookies[0]), replies))
        throw new Error(`${name} does not send what Guestlist sends`);
      if (name !== 'baseline') requireRows(`${setup}.db`);
      return server;
    }),
  );
}

/** @throws unless a view and a join are recorded */
function requireRows(file: string): void {
  const db = new Database(file);
  const sum = 'select (select count(*) from events) * 10 + (select count(*) from joins)';
  if (db.prepare(sum).pluck().get() !== 11) throw new Error(`${file} lacks rows`);
  db.close();
}

async function takeReplies(origin: string, cookie: string | undefined) {
  const replies: Record<string, { headers: object; body: string }> = {};
  for (const target of TARGETS) {
    const reply = await send(origin, target, { cookie, headers: { 'user-agent': USER_AGENT } });
    const own = [...reply.headers].filter(([header]) => !ADDED.test(header));
    replies[target] = { headers: Object.fromEntries(own), body: reply.body.toString('base64') };
  }
  return replies;
}

async function start(name: string, cookieFile: string, script: readonly string[]): Promise<Server> {
  const env = { PORT: '0', NODE_ENV: 'production', PUBLIC_ORIGIN: 'https://preview.example.com' };
  const command = ['taskset', '-c', '0', process.execPath, ...script];
  const running = startProcess(command, { env: { ...process.env, ...env } });
  running.process.stderr?.pipe(process.stderr);
  await running.prints(/^listening on /);
  const origin = running.stdout[0]?.replace('listening on ', '') ?? '';
  return { ...running, name, origin, cookieFile };
}

/** One round of one server. Times in µs, memory in MB, the rate in requests a second. */
export type Round = Readonly<Record<'rate' | 'cpu' | 'p50' | 'p99' | 'memory', number>>;

const SCRIPT = fileURLToPath(import.meta.resolve('./load.lua'));

/**
 * @param target method and path
 * @param visitors how many of its visitors send the requests
 * @throws if a request fails
 */
export async function load(
  { name, process: { pid }, origin, cookieFile }: Server,
  target: string,
  visitors: number,
  seconds: number,
): Promise<Round> {
  const before = cpuTime(pid);
  const options = ['-t1', '-c64', '--timeout', '15s', `-d${seconds}s`, '-s', SCRIPT, origin, '--'];
  const args = [...options, ...target.split(' '), USER_AGENT, cookieFile, String(visitors)];
  const wrk = spawn('taskset', ['-c', '1', 'wrk', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = await text(wrk.stdout);
  const used = cpuTime(pid) - before;
  const result = JSON.parse(/^RESULT (.*)$/m.exec(output)?.[1] ?? '{}');
  if (result.failed !== 0) throw new Error(`${name}, ${target}:\n${output}`);
  const { count, duration, p50, p99 } = result;
  const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
  const memory = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
  return { rate: count / (duration / 1e6), cpu: used / count, p50, p99, memory };
}

/** Processor time that a process has used, in µs. Linux counts it in hundredths of a second. */
function cpuTime(pid: number | undefined): number {
  // The name, in parentheses, may contain spaces.
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}
