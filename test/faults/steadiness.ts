/** Watches a server under mixed load, for growth. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { Installation, Server } from '../support/installation.ts';
import { assertKept, invitePeople, startLoad } from './load.ts';
import { assertSound } from './store-check.ts';

const CLIENTS = 16;

/** Time slices of a run. */
const SLICES = 12;

/** Memory and WAL in MB, times in ms. `work` is the processor time of the server, `own` that of its clients. */
export type Slice = {
  readonly requests: number;
  readonly work: number;
  readonly own: number;
  readonly median: number;
  readonly slow: number;
  readonly memory: number;
  readonly descriptors: number;
  readonly log: number;
};

const MEBI = 2 ** 20;

/**
 * The environment of a server whose memory is watched. V8 must collect its small heap soon, so that
 * growth within seconds is memory that is still in use.
 */
export const SMALL_HEAP = { NODE_OPTIONS: '--max-semi-space-size=1 --max-old-space-size=32' };

/** The resident memory of a server, in MB. */
export function memoryOf({ process: { pid } }: Server): number {
  const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** The processor time a server has used, in ms. The kernel counts it in hundredths of a second. */
function workOf({ process: { pid } }: Server): number {
  // The name in parentheses may contain spaces. After it come utime (14) and stime (15), proc(5).
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

const isRunning = ({ process: { exitCode, signalCode } }: Server): boolean =>
  exitCode === null && signalCode === null;

/** The number of open descriptors of a server. */
export const descriptorsOf = ({ process: { pid } }: Server): number =>
  fs.readdirSync(`/proc/${pid}/fd`).length;

/**
 * Loads a server, and checks that every acknowledged row is in the store.
 *
 * @param requests of each time slice at least, however long they take
 * @param pause between two requests of a client, in ms
 * @param report gets a line after each time slice
 */
export async function watch(
  site: Installation,
  server: Server,
  {
    minutes,
    requests = 0,
    pause,
    report,
  }: {
    readonly minutes: number;
    readonly requests?: number;
    readonly pause: number;
    readonly report: (slice: string) => void;
  },
): Promise<readonly Slice[]> {
  invitePeople(site, CLIENTS);
  const load = startLoad({ origin: server.origin, clients: CLIENTS, pause });
  const slices: Slice[] = [];
  let worked = workOf(server);
  let since = process.cpuUsage();
  try {
    while (slices.length < SLICES) {
      await setTimeout((minutes * 60_000) / SLICES);
      while (load.replies.length < requests && isRunning(server)) await setTimeout(20);
      const replies = load.replies.splice(0);
      const times = replies.map(({ ms }) => ms).sort((a, b) => a - b);
      const part = (share: number) => times[Math.floor(times.length * share)] ?? 0;
      const { user, system } = process.cpuUsage(since);
      const slice = {
        requests: replies.filter(({ status }) => status === 200).length,
        work: workOf(server) - worked,
        own: (user + system) / 1000,
        median: part(0.5),
        slow: part(0.99),
        memory: memoryOf(server),
        descriptors: descriptorsOf(server),
        log: fs.statSync(`${site.store}-wal`).size / MEBI,
      };
      worked += slice.work;
      since = process.cpuUsage();
      slices.push(slice);
      report(describeSlice(slice));
      assert.equal(replies.length, slice.requests, 'every reply is a success');
    }
  } finally {
    load.stop();
  }
  await load.ended;
  assertKept(site.store, load);
  assertSound(site.store);
  return slices;
}

/**
 * Asserts that the second half of a run was like the first: memory and descriptors flat, the log
 * bounded, and a request costs no more. Its cost is processor time in relation to that of the client,
 * because other work on the machine slows both.
 */
export function assertSteady(slices: readonly Slice[]): void {
  const half = slices.length / 2;
  // A process grows at first. The test is whether the growth ends.
  const [first, second] = [slices.slice(1, half), slices.slice(half)];
  const most = (part: readonly Slice[], what: keyof Slice) =>
    Math.max(...part.map((slice) => slice[what]));
  const sum = (part: readonly Slice[], what: keyof Slice) =>
    part.reduce((total, slice) => total + slice[what], 0);
  const cost = (part: readonly Slice[]) => sum(part, 'work') / sum(part, 'own');
  assert.ok(most(second, 'memory') < most(first, 'memory') * 1.1 + 25, 'memory is flat');
  assert.ok(most(second, 'memory') < 250, 'memory is bounded');
  assert.ok(most(second, 'descriptors') <= most(first, 'descriptors') + 5, 'descriptors are flat');
  assert.ok(cost(second) < cost(first) * 2, 'the cost of a request is steady');
  // 4,000 pages are 15.7 MB. The commit that reaches them may add some.
  assert.ok(most(slices, 'log') < 20, 'the log is bounded');
}

/** Asserts that latency was steady. It holds only on a machine that does nothing else. */
export function assertPrompt(slices: readonly Slice[]): void {
  const half = slices.length / 2;
  const middle = (part: readonly Slice[]) =>
    part.map(({ median }) => median).sort((a, b) => a - b)[Math.floor(part.length / 2)] ?? 0;
  const [first, second] = [slices.slice(1, half), slices.slice(half)];
  assert.ok(middle(second) < middle(first) * 3 + 20, 'latency is steady');
}

/** A slice as a line of text. */
const describeSlice = ({ requests, work, median, slow, memory, descriptors, log }: Slice) =>
  `${requests} requests, ${(work / requests).toFixed(2)} ms each, median ${median.toFixed(1)} ms, p99 ${slow.toFixed(1)} ms, ` +
  `${memory.toFixed(0)} MB, ${descriptors} descriptors, log ${log.toFixed(1)} MB`;
