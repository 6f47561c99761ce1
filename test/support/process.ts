/** A program that runs beside the test, and what it prints. */
import {
  type ChildProcess,
  type SpawnOptions,
  type SpawnSyncOptions,
  spawn,
  spawnSync,
} from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { hung, LIMIT, NOTES, until, within } from './limit.ts';

/** Runs a command as root without root's right to read and write every file. */
export const WITHOUT_FILE_RIGHTS = [
  'setpriv',
  '--bounding-set=-dac_override,-dac_read_search',
] as const;

export type Running = {
  readonly process: ChildProcess;
  /** Its output so far, by line. */
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
  /**
   * Waits until stdout matches.
   *
   * @param limit ms;
   * @throws after it, and if the program ends before
   */
  prints(pattern: RegExp, limit?: number): Promise<void>;
  /** The same of stderr. */
  reports(pattern: RegExp, limit?: number): Promise<void>;
  /** Waits for its end, at most for so many ms. @returns its exit status, null after a signal */
  ends(limit?: number): Promise<number | null>;
  /**
   * Sends a signal if it still runs, and waits for its end.
   *
   * @throws if it does not end within the limit, after SIGKILL
   */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
};

/** What a program has printed, by line, and the wait for a line. */
type Output = {
  readonly lines: readonly string[];
  matches(pattern: RegExp, limit?: number): Promise<void>;
};

/** Starts a program. The caller waits for what it prints. */
export function startProcess(
  command: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env' | 'detached'> = {},
): Running {
  const [program = '', ...args] = command;
  const name = nameOf(command);
  const child = spawn(program, args, {
    cwd: os.tmpdir(),
    ...options,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const exited = once(child, 'close').then(() => child.exitCode);
  if (options.detached) noteGroup(child);
  const stdout = follow('stdout', child.stdout);
  const stderr = follow('stderr', child.stderr);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const everything = () => [...stdout.lines, ...stderr.lines].join('\n');

  function follow(where: string, stream: NodeJS.ReadableStream): Output {
    const lines: string[] = [];
    const reader = createInterface(stream).on('line', (line) => lines.push(line));
    async function search(pattern: RegExp, signal: AbortSignal): Promise<void> {
      while (!pattern.test(lines.join('\n'))) {
        if (hasEnded()) throw new Error(`${program} has ended\n${everything()}`);
        await Promise.race([once(reader, 'line', { signal }), exited]);
      }
    }
    async function matches(pattern: RegExp, limit?: number): Promise<void> {
      const waiting = new AbortController();
      const found = search(pattern, waiting.signal);
      try {
        await within(`${pattern} on the ${where} of ${name}`, found, limit);
      } finally {
        waiting.abort();
      }
    }
    return { lines, matches };
  }

  return {
    process: child,
    stdout: stdout.lines,
    stderr: stderr.lines,
    prints: stdout.matches,
    reports: stderr.matches,
    ends: (limit) => within(`${name} to end`, exited, limit),
    async stop(signal = 'SIGTERM') {
      if (!hasEnded()) child.kill(signal);
      try {
        return await within(`${name} to end by ${signal}`, exited);
      } catch (error) {
        child.kill('SIGKILL');
        throw error;
      }
    },
  };
}

/** A command in a message: `node server.js`, without the folders, and without long scripts. */
const nameOf = (command: readonly string[]): string =>
  command.map((word) => path.basename(word).slice(0, 40)).join(' ');

/** Notes a process group of its own, which scripts/suites.mjs ends if the test does not. */
function noteGroup(leader: ChildProcess): void {
  if (!NOTES) return;
  const note = path.join(NOTES, `group-${leader.pid}`);
  fs.writeFileSync(note, '');
  leader.on('exit', () => fs.rmSync(note, { force: true }));
}

/** How a program that has ended did so. */
export type Result = {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

/** Runs a program to its end. @throws if it takes longer than the limit, after SIGKILL */
export function runToEnd(
  command: readonly string[],
  options: Pick<SpawnSyncOptions, 'cwd' | 'env' | 'input' | 'stdio'> = {},
): Result {
  const [program = '', ...args] = command;
  const limits = { timeout: LIMIT, killSignal: 'SIGKILL' } as const;
  const result = spawnSync(program, args, { ...options, ...limits, encoding: 'utf8' });
  const { error, status, stdout, stderr } = result;
  const isHung = error !== undefined && 'code' in error && error.code === 'ETIMEDOUT';
  if (isHung) throw hung(`${nameOf(command)} to end`, LIMIT);
  return { status, stdout, stderr };
}

/**
 * How many descriptors a process has open, of files whose path begins so, whatever they are called
 * now.
 */
export const descriptors = (start = '', pid: number | 'self' = 'self'): number =>
  fs.readdirSync(`/proc/${pid}/fd`).filter((fd) => {
    try {
      return fs.readlinkSync(`/proc/${pid}/fd/${fd}`).startsWith(start);
    } catch {
      // It has been closed in the meantime.
      return false;
    }
  }).length;

/** Waits until this process has so many files open whose path begins so. */
export const untilOpen = (number: number, start: string): Promise<void> =>
  until(`${number} open files in ${start}`, () => descriptors(start) === number);
