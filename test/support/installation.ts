/** An installation for a test: the built service in a temporary folder, run as a real process. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from '../../lib/config.ts';
import { openStore, type Store, type Writer } from '../../lib/store/open.ts';
import { INSTALLED } from '../../scripts/parts.ts';
import { type Running, startProcess } from './process.ts';

export type Result = {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

/** A running server. */
export type Server = Running & { readonly origin: string; readonly port: number };

/** A row as a tool prints it. */
export type Row = Readonly<Record<string, unknown>>;

export type Installation = {
  readonly root: string;
  /** The store's file. */
  readonly store: string;
  /**
   * Starts the server on a free port, and waits until it listens.
   *
   * @param under a command that runs it: `['strace', '-f']`
   */
  start(env?: Readonly<Record<string, string>>, under?: readonly string[]): Promise<Server>;
  /** Runs the server to its end: for starts that must fail. */
  run(env?: Readonly<Record<string, string>>, options?: { readonly uid?: number }): Result;
  /** Runs a tool to its end: `tool('invite', 'add', 'ada@example.com')`. */
  tool(name: string, ...args: readonly string[]): Result;
  /** Runs a tool with `--json`, which must succeed without errors. @returns its output, parsed */
  json<T = readonly Row[]>(name: string, ...args: readonly string[]): T;
  /** Runs a tool with a text on its standard input. */
  toolWithInput(input: string, name: string, ...args: readonly string[]): Result;
  /** Invites a person like `invite add`, without a process. */
  invite(email: string, firstName?: string | null): void;
  /** Makes a person an administrator like `invite admin add`, without a process. */
  setAdmin(email: string): void;
  /** The store, opened beside the server, for as long as `use` takes. */
  withStore<T>(use: (store: Store) => T): T;
  /** Writes to the store in one transaction, beside the server. */
  write<T>(job: (writer: Writer) => T): T;
  /** Stops its servers. */
  stop(): Promise<unknown>;
  /** Stops its servers, and removes `data/`. */
  clear(): Promise<void>;
  /** Stops its servers, and removes the folder. */
  remove(): Promise<void>;
};

/** How long a server may take to refuse its start, in ms. */
const SERVER_TIMEOUT = 60_000;

/** Not needed to run: the sources of SQLite and its object files. */
const isLoaded = (file: string): boolean =>
  !/better-sqlite3.(deps|src|build.Release.obj)/.test(file);

/** Copies the dependencies for other users, because the checkout may be closed to them. */
function copyDependencies(from: string, to: string): void {
  for (const name of ['better-sqlite3', 'bindings', 'file-uri-to-path', 'ua-parser-js']) {
    const source = path.join(from, name);
    if (fs.existsSync(source))
      fs.cpSync(source, path.join(to, name), { recursive: true, filter: isLoaded });
  }
}

/**
 * Copies the build into a new temporary folder. With `forEverybody`, other users can run it too.
 *
 * @param from the folder of the build
 */
export function install({ from = root, forEverybody = false } = {}): Installation {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-test-'));
  // Many tests install: cp takes a tenth of the time of fs.cpSync.
  const copied = spawnSync('cp', ['-R', ...INSTALLED.map((part) => path.join(from, part)), folder]);
  if (copied.status !== 0) throw new Error(String(copied.stderr));
  const dependencies = [
    path.join(root, 'node_modules'),
    path.join(folder, 'node_modules'),
  ] as const;
  if (forEverybody) {
    copyDependencies(...dependencies);
    // The checkout may be closed to others too.
    spawnSync('chmod', ['-R', 'a+rX', folder]);
  } else fs.symlinkSync(...dependencies);
  const store = path.join(folder, 'data', 'guestlist.db');
  const servers: Server[] = [];

  const stop = () => Promise.all(servers.map((server) => server.stop()));
  const environment = (env: Readonly<Record<string, string>> = {}) => {
    const { PUBLIC_ORIGIN, NODE_ENV, ...inherited } = process.env;
    return { ...inherited, PORT: '0', ...env };
  };
  const runScript = (script: string, args: readonly string[], options: object): Result =>
    // From another working folder, as operators do.
    spawnSync(process.execPath, [path.join(folder, script), ...args], {
      cwd: os.tmpdir(),
      encoding: 'utf8',
      ...options,
    });

  const withStore = <T>(use: (store: Store) => T): T => {
    const opened = openStore(store);
    try {
      return use(opened);
    } finally {
      opened.close();
    }
  };

  const tool: Installation['tool'] = (name, ...args) => runScript(`tools/${name}.js`, args, {});
  const write = <T>(job: (writer: Writer) => T): T =>
    withStore(({ transaction }) => transaction(job));

  return {
    root: folder,
    store,
    async start(env, under = []) {
      const command = [...under, process.execPath, path.join(folder, 'server.js')];
      const server = await startServer(command, environment(env));
      servers.push(server);
      return server;
    },
    run: (env, options) =>
      runScript('server.js', [], { env: environment(env), timeout: SERVER_TIMEOUT, ...options }),
    tool,
    json: (name, ...args) => {
      const { status, stdout, stderr } = tool(name, ...args, '--json');
      assert.equal(`${status} ${stderr}`, '0 ');
      return JSON.parse(stdout);
    },
    toolWithInput: (input, name, ...args) => runScript(`tools/${name}.js`, args, { input }),
    invite: (email, firstName = null) =>
      assert.ok(
        write(({ invites }) =>
          invites.add({ email, firstName, invitedBy: 'cli', invitedAt: Date.now() }),
        ),
      ),
    setAdmin: (email) => assert.ok(write(({ invites }) => invites.setAdmin(email, true))),
    withStore,
    write,
    stop,
    async clear() {
      await stop();
      fs.rmSync(path.dirname(store), { recursive: true, force: true });
    },
    async remove() {
      await stop();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startServer(command: readonly string[], env: NodeJS.ProcessEnv): Promise<Server> {
  const running = startProcess(command, { env });
  await running.prints(/^listening on /);
  const port = Number(
    /^listening on http:\/\/127\.0\.0\.1:(\d+)$/.exec(running.stdout[0] ?? '')?.[1],
  );
  return { ...running, port, origin: `http://127.0.0.1:${port}` };
}
