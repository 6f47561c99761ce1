/** Starts the contenders, each in a process, with the same visitors and the same replies. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { root } from '../../lib/config.ts';
import type { Store, Writer } from '../../lib/store/open.ts';
import { install } from '../support/installation.ts';
import { SAMPLES, type Sample, type Setup } from './contenders/setup.ts';
import { pin, SERVER_CORE } from './machine.ts';
import { userAgents } from './user-agents.ts';

export type Contender = {
  readonly name: string;
  readonly port: number;
  readonly pid: number;
  /** The logged-in visitors. */
  readonly sessions: Setup['sessions'];
  stop(): Promise<unknown>;
};

export type Guestlist = Contender & {
  /** The store's file. */
  readonly store: string;
  /** The folder of its installation. */
  readonly root: string;
  withStore<T>(use: (store: Store) => T): T;
  write<T>(job: (writer: Writer) => T): T;
  /** Ends the server, and leaves its installation for a look at the store. */
  end(): Promise<unknown>;
};

/** Logged-in invitees, each with another browser. */
const VISITORS = 200;

export const FRAMEWORKS: readonly string[] = ['fastify', 'express', 'hono'];

/** The frameworks, and the floor under all. */
export const OTHERS: readonly string[] = ['floor', ...FRAMEWORKS];

const production = { NODE_ENV: 'production', PUBLIC_ORIGIN: 'https://preview.example.com' };

/**
 * Starts Guestlist as built, in an installation of its own, with its visitors logged in.
 *
 * @param checkout the folder of the build, by default this one
 * @param store a file to begin with, by default an empty store
 * @param under a command that runs the server
 */
export async function startGuestlist(
  name: string,
  {
    checkout = root,
    env = {},
    store: source,
    under = [],
  }: {
    readonly checkout?: string | undefined;
    readonly env?: Readonly<Record<string, string>>;
    readonly store?: string;
    readonly under?: readonly string[];
  } = {},
): Promise<Guestlist> {
  const installation = install({ from: checkout });
  if (source !== undefined) {
    fs.mkdirSync(path.dirname(installation.store));
    fs.copyFileSync(source, installation.store);
  }
  const server = await installation.start({ ...production, ...env }, under);
  const pid = server.process.pid ?? 0;
  pin(pid, SERVER_CORE);
  // Seeded while it runs: the store was made by its own migrations.
  const sessions = installation.write(logIn);
  const { port } = server;
  const { store, withStore, write } = installation;
  return {
    name,
    port,
    pid,
    sessions,
    store,
    root: installation.root,
    withStore,
    write,
    end: () => server.stop(),
    stop: () => installation.remove(),
  };
}

function logIn({ invites, sessions }: Writer): Setup['sessions'] {
  const now = Date.now();
  return Array.from({ length: VISITORS }, (_, i) => {
    const email = `visitor${i}@example.com`;
    const firstName = `Visitor ${i}`;
    invites.add({ email, firstName, invitedBy: 'cli', invitedAt: now });
    const { token } = sessions.begin(email, now);
    return { token, email, firstName };
  });
}

/** Starts a contender from `contenders/`. @param folder where it puts its store */
export async function startOther(
  name: string,
  setup: Omit<Setup, 'store'>,
  folder: string,
): Promise<Contender> {
  const file = path.join(folder, `${name}.json`);
  fs.writeFileSync(file, JSON.stringify({ ...setup, store: path.join(folder, `${name}.db`) }));
  const script = fileURLToPath(new URL(`contenders/${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script, file], {
    env: { ...process.env, ...production },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await listening(child);
  const pid = child.pid ?? 0;
  pin(pid, SERVER_CORE);
  const stop = async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  return { name, port, pid, sessions: setup.sessions, stop };
}

async function listening(child: ChildProcess & { stdout: NonNullable<ChildProcess['stdout']> }) {
  const [line = ''] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    once(child, 'exit').then(() => []),
  ]);
  const port = Number(/:(\d+)$/.exec(String(line))?.[1]);
  if (!port) throw new Error(`${child.spawnargs.at(-2)} did not start`);
  return port;
}

/** Headers that node:http adds to every reply. */
const ADDED = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding']);

/** Guestlist's replies, for the others to send. */
export async function takeSamples({
  port,
  sessions,
}: Pick<Guestlist, 'port' | 'sessions'>): Promise<Setup['samples']> {
  const cookie = `svc_session=${sessions[0]?.token}`;
  const take = async (target: string, agent = 'desktop'): Promise<Sample> => {
    const [method = '', where] = target.split(' ');
    const headers = { cookie, 'user-agent': userAgentOf(agent) };
    const reply = await fetch(`http://127.0.0.1:${port}${where}`, { method, headers });
    if (reply.status !== 200) throw new Error(`${target} answers ${reply.status}`);
    const own = [...reply.headers].filter(([name]) => !ADDED.has(name)).flat();
    return { headers: own, body: await reply.text() };
  };
  return {
    entry: await take('GET /'),
    desktop: await take('GET /timeline'),
    mobile: await take('GET /timeline', 'iPhone'),
    me: await take('GET /auth/me'),
    join: await take('POST /api/project-join'),
  };
}

const userAgentOf = (device: string): string =>
  userAgents().find((header) => header.includes(device === 'desktop' ? 'Windows' : device)) ?? '';

/** Fails if a contender replies differently from Guestlist: figures would not be comparable. */
export async function verify(
  { name, port }: Contender,
  { sessions, samples }: Omit<Setup, 'store'>,
) {
  const found = await takeSamples({ port, sessions });
  for (const sample of SAMPLES) {
    // The floor reads no User-Agent.
    if (name === 'floor' && sample === 'mobile') continue;
    const [is, should] = [found[sample], samples[sample]].map(({ headers, body }) =>
      // Fastify and Express always add the charset of JSON.
      JSON.stringify([...headers, body]).replace(
        'application/json; charset=utf-8',
        'application/json',
      ),
    );
    if (is !== should) throw new Error(`${name} answers ${sample} with ${is} instead of ${should}`);
  }
}

/** Writes the requests for `load.lua`: 200 browsers in turn, distributed over the visitors. */
export function writeRequests(file: string, target: string, sessions: Setup['sessions']): string {
  const [method, where] = target.split(' ');
  const lines = userAgents().map((agent, i) =>
    [method, where, `svc_session=${sessions[i % sessions.length]?.token}`, agent].join('\t'),
  );
  fs.writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}
