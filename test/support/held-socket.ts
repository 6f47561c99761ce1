/**
 * Stands in for systemd with guestlist.socket: holds a listening socket, and starts the server
 * again when it ends.
 */
import type { Installation, Server } from './installation.ts';

// spawnSync blocks the event loop, so the holder itself accepts no connection.
const HOLDER = `
const server = require('net').createServer().listen(0, '127.0.0.1', () => {
  const stdio = [0, 1, 2, server._handle.fd];
  const command = 'echo "server $$" >&2; LISTEN_PID=$$ LISTEN_FDS=1 exec "$@"';
  const args = ['-c', command, 'sh', ...process.argv.slice(1)];
  while (require('child_process').spawnSync('sh', args, { stdio }).status === 0);
  process.exit();
})`;

export type HeldServer = Pick<Server, 'origin' | 'port' | 'stdout'> & {
  /** Ends the running server as systemd does, and waits until another one listens. */
  restart(): Promise<void>;
  /** Kills the server and closes the socket. */
  stop(): Promise<unknown>;
};

export async function startOnHeldSocket(
  installation: Installation,
  env?: Readonly<Record<string, string>>,
): Promise<HeldServer> {
  const server = await installation.start(env, [process.execPath, '-e', HOLDER, '--']);
  /** Sends a signal to the server that runs now. */
  const kill = (signal: NodeJS.Signals) => {
    const last = server.stderr.findLast((line) => line.startsWith('server '));
    process.kill(Number(last?.replace('server ', '')), signal);
  };
  return {
    ...server,
    async restart() {
      const known = server.stdout.length;
      kill('SIGTERM');
      // After the lines until now.
      await server.prints(new RegExp(`^(.*\n){${known}}[^]*listening on `));
    },
    stop() {
      kill('SIGKILL');
      return server.ends();
    },
  };
}
