/** Programs that an upgrade runs, and work on `data/`, both with the rights of the owner of `data/`. */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Refusal } from '../../lib/cli/tool.ts';
import { root } from '../../lib/config.ts';
import { storeExists, storeFile } from '../../lib/store/open.ts';

let data: string | undefined;

/** Where the store lies, whatever links lead there. A way back removes the link that this code has. */
export function dataFolder(): string {
  data ??= fs.realpathSync(path.dirname(storeFile));
  return data;
}

/** For a child process: the owner of `data/` where this user is root, else this user. */
export function owner(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const { uid, gid } = fs.statSync(dataFolder());
  return { uid, gid };
}

/** Runs a job as the owner of `data/`, who could put a link in the way of root. */
export function asOwner<T>(job: () => T): T {
  const { uid, gid } = owner();
  if (uid === undefined || gid === undefined) return job();
  process.setegid?.(gid);
  process.seteuid?.(uid);
  try {
    return job();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
  }
}

/** The words before a command that make it end with this process, however that ends. */
export const ENDS_WITH_US = ['setpriv', '--pdeathsig=KILL'] as const;

/** Runs a program to its end. */
export function attempt(command: readonly string[], options = {}): SpawnSyncReturns<string> {
  const [program, ...args] = ENDS_WITH_US;
  const result = spawnSync(program, [...args, ...command], { encoding: 'utf8', ...options });
  if (result.error) throw result.error;
  return result;
}

/** The message of an exception, whose stack has more lines, or else the first line. */
export function firstError(stderr: string): string {
  const lines = stderr.trim().split('\n');
  return lines.find((line) => /^\w*Error\b/.test(line)) ?? lines[0] ?? '';
}

/** @returns the output of a program @throws {Refusal} with its first error, if it fails */
export function run(command: readonly string[], options = {}): string {
  const { status, signal, stdout, stderr } = attempt(command, options);
  if (status === 0) return stdout;
  throw new Refusal(
    firstError(stderr) || `${path.basename(command[0] ?? '')} ended with ${signal ?? status}`,
  );
}

/** Takes a snapshot of the store with this version. @returns its path; `undefined` without a store */
export function takeSnapshot(): string | undefined {
  if (!asOwner(storeExists)) return undefined;
  const tool = [process.execPath, path.join(root, 'tools/backup.js')];
  return JSON.parse(run([...tool, 'create', '--json'], owner())).file;
}
