/** Starts the servers of the bench, each in a process on one core, with the same visitors. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { root } from '../../lib/config.ts';
import { fill } from './fill.ts';

export type Server = {
  readonly name: string;
  readonly pid: number;
  readonly port: number;
  /** Has the cookie of a visitor in each line. */
  readonly cookieFile: string;
  /** The longest pause of the event loop since the last call, in ms. */
  longestPause(): Promise<number>;
  stop(): void;
};

export const USER_AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0';

export const ADMINISTRATOR = 'admin@example.com';

const PACKAGES =
  'fastify@5 @fastify/cookie@11 express@5 cookie-parser@1 hono@4 @hono/node-server@1'.split(' ');

/** Headers that node:http adds to every reply. */
const ADDED = /^(connection|content-length|date|keep-alive|transfer-encoding)$/;

/** Runs in each server. The timer of the histogram ticks each 10 ms, and pauses come on top. */
const PAUSES = `data:text/javascript,
  import { monitorEventLoopDelay } from 'node:perf_hooks';
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  process.on('SIGUSR2', () => { console.log('pause: ' + (delay.max / 1e6 - 10)); delay.reset(); });`;

const visitorOf = (i: number) => `visitor${i}@example.com`;

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

/** Starts a copy of Guestlist as built in a checkout. @param events in its store at the start */
export async function startGuestlist(
  name: string,
  checkout: string,
  visitors: number,
  work: string,
  events: number,
): Promise<Server> {
  const folder = path.join(work, name);
  fs.mkdirSync(folder, { recursive: true });
  const parts = ['package.json', 'server.js', 'lib', 'pages', 'sql', 'tools'];
  run(checkout, 'cp', '-R', ...parts, folder);
  fs.symlinkSync(path.join(checkout, 'node_modules'), path.join(folder, 'node_modules'));
  const emails = Array.from({ length: visitors }, (_, i) => visitorOf(i));
  const list = path.join(folder, 'list.csv');
  fs.writeFileSync(list, [...emails, ADMINISTRATOR].join('\n'));
  run(folder, process.execPath, 'tools/invite.js', 'add', '--from', list);
  run(folder, process.execPath, 'tools/invite.js', 'admin', 'add', ADMINISTRATOR);
  if (events > 0) fill(path.join(folder, 'data', 'guestlist.db'), events);
  const cookieFile = path.join(folder, 'cookies');
  const server = await start(name, cookieFile, [path.join(folder, 'server.js')]);
  for (const [i, email] of emails.entries())
    fs.appendFileSync(cookieFile, `${await logIn(server, email, i)}\n`);
  return server;
}

/** @param i another number for each login, because the limit is by address. @returns the cookie */
export async function logIn({ port }: Server, email: string, i: number): Promise<string> {
  const client = `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`;
  const reply = await fetch(`http://127.0.0.1:${port}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': client },
    body: JSON.stringify({ email }),
  });
  const [cookie] = reply.headers.get('set-cookie')?.split(';') ?? [];
  if (!cookie) throw new Error(`${email} cannot log in: ${reply.status}`);
  return cookie;
}

/** Installs the frameworks, and starts contenders with the visitors and replies of Guestlist. */
export async function startContenders(
  names: readonly string[],
  { port, cookieFile }: Server,
  work: string,
): Promise<readonly Server[]> {
  const folder = path.join(work, 'contenders');
  fs.mkdirSync(folder);
  run(folder, 'npm', 'install', '--no-audit', '--no-fund', '--prefix', folder, ...PACKAGES);
  // For what Guestlist uses too, found one folder up.
  fs.symlinkSync(path.join(root, 'node_modules'), path.join(work, 'node_modules'));
  const script = path.join(folder, 'contenders.mjs');
  fs.copyFileSync(fileURLToPath(import.meta.resolve('./contenders.mjs')), script);
  const cookies = fs.readFileSync(cookieFile, 'utf8').trim().split('\n');
  const tokens = cookies.map((cookie) => cookie.replace('svc_session=', ''));
  const replies = await takeReplies(port, cookies[0] ?? '');
  return Promise.all(
    names.map((name) => {
      const setup = path.join(folder, `${name}.json`);
      fs.writeFileSync(setup, JSON.stringify({ tokens, replies }));
      return start(name, cookieFile, [script, name, setup]);
    }),
  );
}

async function takeReplies(port: number, cookie: string) {
  const replies: Record<string, { headers: object; body: string }> = {};
  for (const target of ['GET /', 'GET /timeline', 'GET /auth/me', 'POST /api/project-join']) {
    const [method = '', url] = target.split(' ');
    const headers = { cookie, 'user-agent': USER_AGENT };
    const reply = await fetch(`http://127.0.0.1:${port}${url}`, { method, headers });
    const own = [...reply.headers].filter(([header]) => !ADDED.test(header));
    replies[target] = { headers: Object.fromEntries(own), body: await reply.text() };
  }
  return replies;
}

async function start(name: string, cookieFile: string, script: readonly string[]): Promise<Server> {
  const env = { PORT: '0', NODE_ENV: 'production', PUBLIC_ORIGIN: 'https://preview.example.com' };
  const child = spawn('taskset', ['-c', '0', process.execPath, '--import', PAUSES, ...script], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout);
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`${name} has ended`)));
  /** The number at the end of the next line. */
  const next = async () => {
    const [line] = await Promise.race([once(lines, 'line'), ended]);
    return Number(/[\d.]+$/.exec(line)?.[0]);
  };
  const longestPause = () => {
    child.kill('SIGUSR2');
    return next();
  };
  // At once: its folder is removed.
  const stop = () => void child.kill('SIGKILL');
  return { name, pid: child.pid ?? 0, port: await next(), cookieFile, longestPause, stop };
}
