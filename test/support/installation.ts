/** An installation for a test: the built service in a temporary folder, run as a real process. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openStore, type Store } from '../../lib/store/open.ts';
import type { Readers, Writer } from '../../lib/store/tables.ts';
import { copyService } from '../../scripts/copy-service.ts';
import { type Result, type Running, runToEnd, startProcess } from './process.ts';

/** A running server. */
export type Server = Running & { readonly origin: string; readonly port: number };

/** A row as a tool prints it. */
export type Row = Readonly<Record<string, unknown>>;

export type Installation = ReturnType<typeof install>;

/** The store of a file, opened beside the server for as long as a call takes. */
export function storeAt(file: string) {
  function withStore<T>(use: (store: Store) => T): T {
    const store = openStore(file);
    try {
      return use(store);
    } finally {
      store.close();
    }
  }
  /** Writes in one transaction. */
  const write = <T>(job: (writer: Writer) => T): T =>
    withStore(({ transaction }) => transaction(job));
  return {
    withStore,
    write,
    /** Reads when all rows are counted. */
    read: <T>(job: (readers: Readers) => T): T => withStore(({ read }) => read(job)),
    /** Invites a person like `invite add`. */
    invite(email: string, firstName: string | null = null): void {
      const invite = { email, firstName, invitedBy: 'cli', invitedAt: Date.now() };
      assert.ok(write(({ invites }) => invites.add(invite)));
    },
    /** Makes a person an administrator like `invite admin add`. */
    setAdmin: (email: string) => assert.ok(write(({ invites }) => invites.setAdmin(email, true))),
  };
}

/** Copies the build into a new temporary folder. */
export function install() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-test-'));
  copyService(folder);
  const store = path.join(folder, 'data', 'guestlist.db');
  const servers: Server[] = [];

  const stop = () => Promise.all(servers.map((server) => server.stop()));
  const { PUBLIC_ORIGIN, NODE_ENV, ...toolEnvironment } = process.env;
  const environment = (env: Readonly<Record<string, string>> = {}) => ({
    ...toolEnvironment,
    PORT: '0',
    ...env,
  });
  const runScript = (script: string, args: readonly string[], env: NodeJS.ProcessEnv): Result => {
    // From another working folder, as operators do.
    return runToEnd([process.execPath, path.join(folder, script), ...args], {
      cwd: os.tmpdir(),
      env,
    });
  };
  return {
    root: folder,
    /** The store's file. */
    store,
    ...storeAt(store),
    /**
     * Starts the server on a free port, and waits until it listens.
     *
     * @param under a command that runs it: `['strace', '-f']`
     */
    async start(
      env?: Readonly<Record<string, string>>,
      under: readonly string[] = [],
    ): Promise<Server> {
      const command = [...under, process.execPath, path.join(folder, 'server.js')];
      const running = startProcess(command, { env: environment(env) });
      await running.prints(/^listening on /);
      const [, origin = ''] =
        /^listening on (http:\/\/127\.0\.0\.1:\d+)$/m.exec(running.stdout[0] ?? '') ?? [];
      const server = { ...running, origin, port: Number(new URL(origin).port) };
      servers.push(server);
      return server;
    },
    /** Runs the server to its end: for starts that must fail. */
    run: (env?: Readonly<Record<string, string>>): Result =>
      runScript('server.js', [], environment(env)),
    /** Runs a tool to its end: `tool('invite', 'add', 'ada@example.com')`. */
    tool: (name: string, ...args: readonly string[]): Result =>
      runScript(`tools/${name}.js`, args, toolEnvironment),
    /** Stops its servers. */
    stop,
    /** Stops its servers, and removes `data/`. */
    async clear(): Promise<void> {
      await stop();
      fs.rmSync(path.dirname(store), { recursive: true, force: true });
    },
    /** Stops its servers, and removes the folder. */
    async remove(): Promise<void> {
      await stop();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}
