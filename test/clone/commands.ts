/** Runs commands as a terminal does: each in a process group of its own, which Ctrl-C reaches. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A command that takes longer than this, in ms, is killed. */
const COMMAND_TIMEOUT = 20 * 60_000;

export type Place = { readonly cwd: string; readonly env: NodeJS.ProcessEnv };

export type Command = {
  /** Its output so far, of both streams. */
  output(): string;
  /** Waits for a text on stdout. @returns its group; rejects if the command ends */
  printed(pattern: RegExp): Promise<string>;
  /** Sends SIGINT to the whole group. */
  interrupt(): void;
  /** Its exit status. */
  readonly ended: Promise<number | null>;
};

/** Kills the process group of each command that still runs. */
const running = new Set<() => void>();

/** Starts a command, and does not wait for it. */
export function start([program = '', ...args]: readonly string[], place: Place): Command {
  const child = spawn(program, args, {
    ...place,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const signal = (name: NodeJS.Signals) => {
    if (child.pid !== undefined) process.kill(-child.pid, name);
  };
  const kill = () => signal('SIGKILL');
  running.add(kill);
  const timer = setTimeout(kill, COMMAND_TIMEOUT);
  const ended = once(child, 'close')
    .then(() => child.exitCode)
    .finally(() => {
      clearTimeout(timer);
      running.delete(kill);
    });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  return {
    output: () => output,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        child.stdout.on('data', () => {
          const found = pattern.exec(output)?.[1];
          if (found !== undefined) resolve(found);
        });
        ended.then((status) => reject(new Error(`exit status ${status}\n${output}`)), reject);
      }),
    interrupt: () => signal('SIGINT'),
    ended,
  };
}

/** Runs a command to its end. @returns its output; throws at another exit status */
export async function run(
  command: readonly string[],
  place: Place,
  expected: number = 0,
): Promise<string> {
  const { output, ended } = start(command, place);
  const status = await ended;
  if (status === expected) return output();
  throw new Error(`${command.join(' ')}: exit status ${status}\n${output()}`);
}

/** Kills all commands that still run. */
export function killAll(): void {
  for (const kill of running) kill();
}
