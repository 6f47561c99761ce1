/** A stand-in for systemd: runs the service of installed versions as its unit does. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** The least that `systemctl` of the tools needs: it asks the test. */
export const SYSTEMCTL = `
const socket = require('net').connect(process.argv[2]);
socket.write(process.argv.slice(3).join(' '));
socket.on('data', (answer) => {
  console.log(answer.toString().slice(1));
  process.exitCode = Number(answer.toString()[0]);
});`;

/**
 * Waits for requests of `systemctl`.
 *
 * @param base the folder of the versions
 * @param address path of a socket
 * @param env of the service
 */
export async function startSystemd(base: string, address: string, env: NodeJS.ProcessEnv) {
  const log: string[] = [];
  let service: ChildProcess | undefined;
  let version = '';
  let wanted = true;
  let starts = 0;
  let healed: Promise<unknown> = Promise.resolve();
  let job = Promise.resolve();

  const start = async () => {
    await once(spawn('flock', ['--shared', path.join(base, '.start.lock'), 'true']), 'exit');
    version = fs.readlinkSync(path.join(base, 'current'));
    const current = path.join(base, 'current');
    const command = [path.join(current, 'bin/node'), path.join(current, 'server.js')] as const;
    const child = spawn(command[0], [command[1]], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    text(child.stderr).then((errors) => log.push(errors));
    service = child;
    starts += 1;
    child.once('exit', () => {
      if (service !== child) return;
      service = undefined;
      log.push('crash');
      if (wanted) job = job.then(() => sleep(500)).then(() => (service ? undefined : start()));
      const former = path.join(base, '.former');
      let version: string;
      try {
        version = fs.readlinkSync(former);
      } catch {
        // A tool may remove it at any time.
        return;
      }
      const rollback = [path.join(former, 'tools/rollback.js'), version, '--if-unconfirmed'];
      const heals = spawn(process.execPath, rollback, { env, stdio: 'ignore' });
      const ended = once(heals, 'exit');
      healed = healed.then(() => ended);
    });
  };
  const stop = async () => {
    const child = service;
    service = undefined;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  const restart = () => {
    job = job.then(stop).then(start);
    return job;
  };
  const answer = async (request: string): Promise<string> => {
    if (request.startsWith('show '))
      return `0ActiveState=${service ? 'active' : 'activating'}\nInvocationID=${starts}`;
    if (request === 'restart guestlist') {
      log.push('restart');
      await restart();
    } else if (request === 'restart --no-block guestlist') restart();
    else if (request !== 'daemon-reload') return '1';
    return '0';
  };
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', async (request) => socket.end(await answer(request.toString())));
  });
  server.listen(address);
  await once(server, 'listening');
  return {
    log,
    restart,
    running: () => version,
    /** Waits for the ways back that failures of the service have begun. */
    healed: () => healed,
    async stop() {
      wanted = false;
      await job.then(stop);
      server.close();
    },
  };
}
