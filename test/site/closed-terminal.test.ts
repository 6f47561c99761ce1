/**
 * SIGHUP in a terminal reloads the site. If the terminal was closed, it stops the server.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { lacks } from '../support/lacks.ts';
import { until } from '../support/limit.ts';
import { startProcess } from '../support/process.ts';
import { installationForEach } from '../support/temporary.ts';

const installation = installationForEach();

/** Starts the server in a terminal of its own. `script` is the window. */
async function startInTerminal(redirection = '') {
  const pidFile = path.join(installation.root, 'pid');
  const server = `"${process.execPath}" "${path.join(installation.root, 'server.js')}" ${redirection}`;
  const command = `echo $$ > "${pidFile}"; exec ${server}`;
  const env = { ...process.env, PORT: '0', SHELL: '/bin/sh' };
  const log = path.join(installation.root, 'log');
  for (const former of [pidFile, log]) fs.rmSync(former, { force: true });
  const terminal = startProcess(['script', '-q', '-f', '-c', command, log], { env });
  const printed = () =>
    [log, path.join(installation.root, 'output')]
      .filter((file) => fs.existsSync(file))
      .map((file) => fs.readFileSync(file, 'utf8'))
      .join('');
  await until('the server to listen', () => /listening on/.test(printed()));
  const pid = Number(fs.readFileSync(pidFile, 'utf8'));
  // An ended process stays as a zombie if no process waits for it.
  const runs = () =>
    fs.existsSync(`/proc/${pid}`) && !/\) Z /.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return { terminal, pid, printed, runs };
}

it('a signal reloads, and a closed window stops it', { skip: lacks('script') }, async () => {
  const { terminal, pid, printed, runs } = await startInTerminal();
  process.kill(pid, 'SIGHUP');
  await until('the site to be reloaded', () => /the site was reloaded/.test(printed()));
  terminal.process.kill('SIGKILL');
  await until('the server to end', () => !runs());
  const next = await installation.start();
  assert.equal(await next.stop(), 0);
});

it('a second start names the terminal of the first', {
  skip: lacks('script') || (!fs.existsSync('/proc/locks') && 'needs /proc/locks'),
}, async () => {
  const { terminal, pid, runs } = await startInTerminal();
  const { status, stderr } = installation.run();
  assert.equal(status, 1);
  const stop = `stop it first: Ctrl-C in its terminal, or kill ${pid}\n`;
  assert.ok(stderr.endsWith(stop) && stderr.startsWith(`process ${pid} (a server) is`), stderr);
  terminal.process.kill('SIGKILL');
  await until('the server to end', () => !runs());
});

it('closing the terminal stops a service whose stdout is a file', {
  skip: lacks('script'),
}, async () => {
  const { terminal, runs } = await startInTerminal(`> "${path.join(installation.root, 'output')}"`);
  terminal.process.kill('SIGKILL');
  await until('the server to end', () => !runs());
});
