/** Runs wrk against one server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { interrupted } from './interrupted.ts';
import { onLoadCore } from './machine.ts';

/** The result of wrk. Times in µs. */
export type Seen = {
  readonly requests: number;
  readonly duration: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** Replies with a status other than 2xx and 3xx. */
  readonly failed: number;
  /** Connections that were refused, broke, or had no reply within 10 s. */
  readonly refused: number;
};

export type Load = {
  readonly port: number;
  /** The file that `load.lua` reads. */
  readonly requests: string;
  readonly connections: number;
  readonly seconds: number;
  /** Pause of a connection before each request, in ms. */
  readonly pause?: number;
};

const script = fileURLToPath(new URL('load.lua', import.meta.url));

/** @throws if wrk fails, or if the bench is interrupted */
export async function load({ port, requests, connections, seconds, pause = 0 }: Load) {
  const [command, args] = onLoadCore('wrk', [
    ...['-t', '1', '-c', String(connections), '-d', `${seconds}s`, '--timeout', '10s'],
    ...['-s', script, `http://127.0.0.1:${port}`, '--', requests, String(pause)],
  ]);
  interrupted.throwIfAborted();
  const wrk = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    signal: interrupted,
  });
  const [output] = await Promise.all([text(wrk.stdout), once(wrk, 'exit')]);
  const result = /^RESULT (.*)$/m.exec(output)?.[1];
  if (result === undefined) throw new Error(`wrk has failed:\n${output}`);
  return JSON.parse(result) as Seen;
}
