/** Checks and installs the programs that the bench needs. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { has } from './machine.ts';
import type { Part } from './options.ts';

/** A program is missing; the message names it and how to get it. */
export class MissingError extends Error {}

/** @throws {MissingError} if a program is missing that the parts need */
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

/** Installs the frameworks from their own lock file, in the folder of the bench. */
export function installContenders(): void {
  console.log('installing the contenders …');
  const cwd = fileURLToPath(new URL('.', import.meta.url));
  const { status, stderr } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd,
    encoding: 'utf8',
  });
  if (status !== 0) throw new MissingError(`npm ci in test/bench has failed:\n${stderr}`);
}
