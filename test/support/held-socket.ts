/** Stands in for systemd with guestlist.socket: holds a listening socket, and starts the server again when it ends. */
import fs from 'node:fs';
import type { Installation, Server } from './installation.ts';

// spawnSync blocks the event loop, so the holder itself accepts no connection.
const HOLDER = `
const server = require('net').createServer().listen(0, '127.0.0.1', () => {
  const stdio = [0, 1, 2, server._handle.fd];
  const args = ['-c', 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$@"', 'sh', ...process.argv.slice(1)];
  while (require('child_process').spawnSync('sh', args, { stdio }).status === 0);
  process.exit();
})`;

export type HeldServer = Pick<Server, 'origin' | 'port' | 'stdout'> & {
  /** Ends the running server as systemd does, and waits until another one listens. */
  restart(): Promise<void>;
  /** Kills the server and closes the socket. */
  stop(): Promise<unknown>;
};

export async function startHeld(
  site: Installation,
  env?: Readonly<Record<string, string>>,
): Promise<HeldServer> {
  const server = await site.start(env, [process.execPath, '-e', HOLDER, '--']);
  const holder = server.process.pid;
  const kill = (signal: NodeJS.Signals) => {
    const [pid] = fs.readFileSync(`/proc/${holder}/task/${holder}/children`, 'utf8').split(' ');
    process.kill(Number(pid), signal);
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
      return server.exited;
    },
  };
}
