/** Runs contenders in turn, A B C A B C …, so that other work affects all of them alike. */
import path from 'node:path';
import { type Contender, writeRequests } from './contenders.ts';
import { load } from './load.ts';
import { cpuTime, residentMemory } from './machine.ts';

/** One round of one contender. */
export type Round = {
  readonly count: number;
  /** Requests a second. */
  readonly rate: number;
  /** Latencies in µs. */
  readonly p50: number;
  readonly p99: number;
  /** CPU time of the server for a request, in µs. */
  readonly cpu: number;
  /** Resident memory at the end of the round, in MB. */
  readonly memory: number;
};

/** The requests of a round. */
export type Task = {
  /** `GET /timeline`: method and target. */
  readonly target: string;
  /** The invitees who send it, one by default. */
  readonly visitors?: number;
  readonly connections: number;
  readonly seconds: number;
  /** The folder for files of requests. */
  readonly folder: string;
};

/** Length of the warm-up before the first round of each contender, in s. */
const WARM_UP = 1;

/** @returns for each contender, in order, the median of its rounds */
export async function inTurn(
  contenders: readonly Contender[],
  rounds: number,
  task: Task,
): Promise<readonly Round[]> {
  for (const contender of contenders) await oneRound(contender, { ...task, seconds: WARM_UP });
  const measured = contenders.map((): Round[] => []);
  for (let i = 0; i < rounds; i++) {
    for (const [c, contender] of contenders.entries()) {
      measured[c]?.push(await oneRound(contender, task));
    }
  }
  return measured.map(medians);
}

/** @throws if a request failed or got no reply */
export async function oneRound(
  { name, port, pid, sessions }: Contender,
  { target, visitors = 1, connections, seconds, folder }: Task,
): Promise<Round> {
  const file = path.join(folder, 'requests.txt');
  const requests = writeRequests(file, target, sessions.slice(0, visitors));
  const before = cpuTime(pid);
  const {
    requests: count,
    duration,
    p50,
    p99,
    failed,
    refused,
  } = await load({ port, requests, connections, seconds });
  const cpu = (cpuTime(pid) - before) / count;
  if (failed + refused > 0) {
    throw new Error(`${name}: of ${count} requests ${failed} failed, ${refused} had no reply`);
  }
  const rate = count / (duration / 1e6);
  return { count, rate, p50, p99, cpu, memory: residentMemory(pid) };
}

function medians(rounds: readonly Round[]): Round {
  const of = (key: keyof Round) => median(rounds.map((round) => round[key]));
  return {
    count: of('count'),
    rate: of('rate'),
    p50: of('p50'),
    p99: of('p99'),
    cpu: of('cpu'),
    memory: of('memory'),
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}
