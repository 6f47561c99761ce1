/** Checks and installs the programs that the bench needs. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { has } from './machine.ts';
import type { Part } from './options.ts';

/** A program is missing; the message names it and how to get it. */
export class MissingError extends Error {}

/**
 * Leaves out the slow disks if there is no compiler for them, and says so.
 *
 * @returns the parts that can run
 * @throws {MissingError} if a program is missing that all parts need
 */
export function partsThatRun(parts: readonly Part[]): readonly Part[] {
  if (process.platform !== 'linux')
    throw new MissingError('the bench needs Linux (/proc, taskset)');
  if (!has('wrk')) throw new MissingError('wrk is missing; install it: apt-get install wrk');
  if (!parts.includes('slow-disk') || has('gcc')) return parts;
  console.log(
    'skipped: slow-disk, because gcc is missing; install it: apt-get install gcc libc6-dev',
  );
  return parts.filter((part) => part !== 'slow-disk');
}

/** Installs the frameworks from their own lock file, in the folder of the bench. */
export function installContenders(): void {
  const cwd = fileURLToPath(new URL('.', import.meta.url));
  const changed = (file: string) =>
    fs.statSync(path.join(cwd, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (changed('node_modules/.package-lock.json') > changed('package-lock.json')) return;
  console.log('installing the contenders …');
  const { status, stderr } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd,
    encoding: 'utf8',
  });
  if (status !== 0) throw new MissingError(`npm ci in test/bench has failed:\n${stderr}`);
}
