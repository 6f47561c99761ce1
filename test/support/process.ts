/** A program that runs beside the test, and what it prints. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';

/** How long a test waits for a line, in ms. Only a program that hangs takes as long. */
const LIMIT = 900_000;

/** Runs a command as root without root's right to read and write every file. */
export const LIMITED = ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] as const;

export type Running = {
  readonly process: ChildProcess;
  /** Its output so far, by line. */
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
  /** Waits until stdout matches. @throws if the program ends before */
  prints(pattern: RegExp): Promise<void>;
  /** The same of stderr. */
  reports(pattern: RegExp): Promise<void>;
  /** Its exit status, once it has ended. */
  readonly exited: Promise<number | null>;
  /** Sends a signal if it still runs, and waits for its end. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
};

/** Starts a program. The caller waits for what it prints. */
export function startProcess(
  [program = '', ...args]: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env' | 'detached'> = {},
): Running {
  const child = spawn(program, args, {
    cwd: os.tmpdir(),
    ...options,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const exited = once(child, 'close').then(() => child.exitCode);
  const [stdout, prints] = follow(child.stdout);
  const [stderr, reports] = follow(child.stderr);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;

  function follow(stream: NodeJS.ReadableStream) {
    const lines: string[] = [];
    const reader = createInterface(stream).on('line', (line) => lines.push(line));
    const wait = async (pattern: RegExp) => {
      const signal = AbortSignal.timeout(LIMIT);
      while (!pattern.test(lines.join('\n'))) {
        if (hasEnded()) throw new Error([`${program} has ended`, ...stdout, ...stderr].join('\n'));
        await Promise.race([once(reader, 'line', { signal }), exited]);
      }
    };
    return [lines, wait] as const;
  }

  return {
    process: child,
    stdout,
    stderr,
    prints,
    reports,
    exited,
    stop(signal = 'SIGTERM') {
      if (!hasEnded()) child.kill(signal);
      return exited;
    },
  };
}

/** How many descriptors a process has open, of files whose path begins so, whatever they are called now. */
export const descriptors = (start = '', pid: number | 'self' = 'self'): number =>
  fs.readdirSync(`/proc/${pid}/fd`).filter((fd) => {
    try {
      return fs.readlinkSync(`/proc/${pid}/fd/${fd}`).startsWith(start);
    } catch {
      // It has been closed meanwhile.
      return false;
    }
  }).length;

/** Waits until this process has opened so many of them. */
export async function untilOpen(number: number, ...files: Parameters<typeof descriptors>) {
  while (descriptors(...files) !== number) await setTimeout(5);
}
