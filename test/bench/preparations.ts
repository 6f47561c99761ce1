/** What must be there before anything is measured. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { has } from './machine.ts';
import type { Part } from './options.ts';

/** Something is missing on this machine; the message says what, and how to get it. */
export class MissingError extends Error {}

/** @throws {MissingError} where a program is missing that the parts need */
export function requirePrograms(parts: readonly Part[]): void {
  if (process.platform !== 'linux')
    throw new MissingError('the bench needs Linux (/proc, taskset)');
  if (!has('wrk')) throw new MissingError('wrk is missing; install it: apt-get install wrk');
  if (parts.includes('slow-disk') && !has('gcc')) {
    throw new MissingError(
      'gcc is missing, which the slow disks need; install it: apt-get install gcc libc6-dev',
    );
  }
}

/** Installs the frameworks from their own lock file, beside the bench, for nothing else to use. */
export function installContenders(): void {
  console.log('installing the contenders …');
  const cwd = fileURLToPath(new URL('.', import.meta.url));
  const { status, stderr } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd,
    encoding: 'utf8',
  });
  if (status !== 0) throw new MissingError(`npm ci in test/bench has failed:\n${stderr}`);
}
