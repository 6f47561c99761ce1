/**
 * What tests need of a service: a store of their own, the server in this process, or the whole
 * program in a process and an installation of its own. All is gone when the test or file ends.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { createApp } from '../lib/app.ts';
import { root } from '../lib/config.ts';
import type { Route, Routes } from '../lib/http/router.ts';
import { createServer } from '../lib/http/server.ts';
import type { Site } from '../lib/site/site.ts';
import { addAdmin, addInvite } from '../lib/store/invites.ts';
import { openStoreFile } from '../lib/store/open.ts';
import { beginSession, type Visitor } from '../lib/store/sessions.ts';
import { type Database, openDatabase } from '../lib/store/sqlite.ts';
import { createTurns } from '../lib/turns.ts';

export const ORIGIN = 'https://preview.example.com';

type Answer = {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
};

/** Requests to one server, each on a connection of its own. */
export type Client = {
  readonly port: number;
  readonly send: (
    method: string,
    url: string,
    headers?: http.OutgoingHttpHeaders,
    body?: string | Buffer,
  ) => Promise<Answer>;
  readonly get: (url: string, cookie?: string) => Promise<Answer>;
  /** Posts JSON. */
  readonly post: (url: string, value: unknown, cookie?: string) => Promise<Answer>;
};

export function createClient(port: number): Client {
  const send: Client['send'] = async (method, url, headers = {}, body = undefined) => {
    const options = { host: '127.0.0.1', port, method, path: url, headers, agent: false };
    const request = http.request(options).end(body);
    const [response] = await once(request, 'response');
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    return { status: response.statusCode, headers: response.headers, text };
  };
  return {
    port,
    send,
    get: (url, cookie = '') => send('GET', url, { cookie }),
    post: (url, value, cookie = '') =>
      send('POST', url, { cookie, 'content-type': 'application/json' }, JSON.stringify(value)),
  };
}

/** Sends bytes, and waits until the server closes the connection. @returns what it sent */
export async function sendBytes(port: number, bytes: string): Promise<string> {
  const socket = net.connect(port, '127.0.0.1').setEncoding('latin1');
  socket.write(bytes, 'latin1');
  let received = '';
  socket.on('data', (text) => {
    received += text;
  });
  await once(socket, 'close');
  return received;
}

export function temporaryFolder(): string {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'guestlist-'));
  after(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function openTestStore(): Database {
  const db = openStoreFile(path.join(temporaryFolder(), 'guestlist.db'));
  after(() => db.close());
  return db;
}

export function invite(
  db: Database,
  email: string,
  firstName: string | null = null,
  invitedAt = Date.now(),
): void {
  addInvite(db, { email, firstName, invitedBy: 'cli', invitedAt });
}

/** Invites somebody and begins a session. @returns the Cookie header */
export function enter(db: Database, email: string, firstName: string | null = null): string {
  invite(db, email, firstName);
  return `svc_session=${beginSession(db, email, Date.now()).token}`;
}

export function enterAsAdmin(db: Database, email: string): string {
  const cookie = enter(db, email);
  addAdmin(db, email);
  return cookie;
}

/** Whose events are recorded. The session has no row. */
export function visitorOf(email: string, session = 's'): Visitor {
  return { session, email, firstName: null, isAdmin: false };
}

/** Events to record, each with what a test adds. */
export const LOGIN = {
  type: 'login',
  email: 'ada@example.com',
  occurredAt: 1,
  session: 's',
  deviceType: 'unknown',
  os: '',
  browser: '',
  meta: null,
} as const;
export const VIEW = {
  ...LOGIN,
  type: 'timeline_view',
  meta: { view: 'mobile', forced: false },
} as const;

/** The pages say who they are for. */
export const TEST_SITE: Site = {
  pages: {
    entry: 'entry<body>',
    desktop: 'desktop<body>',
    mobile: 'mobile<body>',
    svcops: 'svcops',
  },
  theme: 'a{}',
  files: { public: new Map(), gated: new Map() },
  warnings: [],
};

export type App = Client & { readonly db: Database };

/** The service in this process. @param db is used by nobody else */
export function startApp(db = openTestStore(), site = TEST_SITE): Promise<App> {
  const { routes, unknown } = createApp(db, site, ORIGIN);
  return startServer(db, routes, unknown);
}

export async function startServer(db: Database, routes: Routes, unknown: Route): Promise<App> {
  const take = createTurns(db, routes, unknown);
  const { server } = createServer(take);
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { ...createClient(await listen(server)), db };
}

/** @returns the port that was free */
export async function listen(server: net.Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

/** A copy of the built program, without `data/`, in a folder of its own. */
export function install(): string {
  const folder = temporaryFolder();
  for (const name of ['server.js', 'package.json', 'lib', 'pages', 'sql', 'tools'])
    if (fs.existsSync(path.join(root, name)))
      fs.cpSync(path.join(root, name), path.join(folder, name), {
        recursive: true,
        filter: (file) => !file.endsWith('.ts'),
      });
  const packages = path.join(folder, 'node_modules');
  fs.symlinkSync(path.join(root, 'node_modules'), packages);
  return folder;
}

/** An installation with a store that somebody filled. */
export function installWith(fill: (db: Database) => void): string {
  const folder = install();
  fs.mkdirSync(path.join(folder, 'data'), { mode: 0o700 });
  const db = openStoreFile(path.join(folder, 'data/guestlist.db'));
  db.transaction(fill)(db);
  db.close();
  return folder;
}

/** Gives an installation packages of its own, for a user who may not read ours. */
export function copyPackages(folder: string): void {
  const packages = path.join(folder, 'node_modules');
  const ours = fs.realpathSync(packages);
  fs.unlinkSync(packages);
  for (const name of ['better-sqlite3', 'bindings', 'file-uri-to-path', 'ua-parser-js'])
    fs.cpSync(path.join(ours, name), path.join(packages, name), {
      recursive: true,
      filter: (file) => !/better-sqlite3\/(deps|src|.*\/obj|.*\/obj\.target)$/.test(file),
    });
}

export type Program = {
  readonly child: ChildProcess;
  /** What it has written so far, on both. */
  readonly output: () => string;
  /** Its exit status, or the signal that ended it. */
  readonly ended: Promise<number | string>;
};

/** Runs a program of an installation: `server.js`, `tools/invite.js`. */
export function run(folder: string, args: readonly string[], settings = {}): Program {
  const { PATH } = process.env;
  const child = spawn(process.execPath, [path.join(folder, args[0] ?? ''), ...args.slice(1)], {
    env: { PATH, PORT: '0', ...settings },
    cwd: os.tmpdir(),
  });
  after(() => child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  const ended = once(child, 'close').then(([status, signal]) => status ?? signal);
  return { child, output: () => output, ended };
}

export type Service = Client &
  Program & {
    readonly folder: string;
    /** Another program's connection to its store. */
    readonly db: Database;
  };

/** Starts the service, and waits until it listens. */
export async function startService(folder = install(), settings = {}): Promise<Service> {
  const program = run(folder, ['server.js'], settings);
  const LISTENING = /listening on http:\/\/127\.0\.0\.1:(\d+)\n/;
  while (!LISTENING.test(program.output()))
    await Promise.race([
      once(program.child.stdout ?? program.child, 'data'),
      program.ended.then((status) => {
        throw new Error(`the service ended with ${status}: ${program.output()}`);
      }),
    ]);
  const [, port] = LISTENING.exec(program.output()) ?? [];
  const db = openDatabase(path.join(folder, 'data/guestlist.db'));
  after(() => db.close());
  return { ...createClient(Number(port)), ...program, folder, db };
}
