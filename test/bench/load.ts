/** Loads a server with wrk, and reads what that costs its process. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type Server, USER_AGENT } from './servers.ts';

/** One round of one server. Times in µs, memory in MB, the rate in requests a second. */
export type Round = Readonly<Record<'rate' | 'cpu' | 'p50' | 'p99' | 'memory', number>>;

const WRK = [
  '-c',
  '1',
  'wrk',
  '-t1',
  '-c64',
  '-s',
  fileURLToPath(new URL('load.lua', import.meta.url)),
];

/**
 * @param target method and path
 * @param visitors how many of its visitors send the requests
 * @throws if a request fails
 */
export async function load(
  { name, process: { pid }, origin, cookieFile }: Server,
  target: string,
  visitors: number,
  seconds: number,
): Promise<Round> {
  const before = cpuTime(pid);
  const args = [origin, '--', ...target.split(' '), USER_AGENT, cookieFile, String(visitors)];
  const command = [...WRK, `-d${seconds}s`, ...args];
  const wrk = spawn('taskset', command, { stdio: ['ignore', 'pipe', 'inherit'] });
  const output = await text(wrk.stdout);
  const used = cpuTime(pid) - before;
  const result = JSON.parse(/^RESULT (.*)$/m.exec(output)?.[1] ?? '{}');
  if (result.failed !== 0) throw new Error(`${name}, ${target}:\n${output}`);
  const { count, duration, p50, p99 } = result;
  const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
  const memory = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
  return { rate: count / (duration / 1e6), cpu: used / count, p50, p99, memory };
}

/** Processor time that a process has used, in µs. Linux counts it in hundredths of a second. */
function cpuTime(pid: number | undefined): number {
  // The name, in parentheses, may contain spaces.
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN;
