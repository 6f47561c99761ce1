/** `npm run bench -- --profile`: where the time of a view goes, from V8's profiler in the server itself. */
import fs from 'node:fs';
import path from 'node:path';
import { startGuestlist } from './contenders.ts';
import { cpuTime, mainThreadTime } from './machine.ts';
import { type CpuProfile, functionCosts, partCosts } from './parts.ts';
import { heading, table } from './report.ts';
import { oneRound } from './rounds.ts';

const CONNECTIONS = 64;

/** Length of a measurement, and of the load before it, in s. */
const SECONDS = 5;
const WARM_UP = 2;

/** Time between two samples, in µs. */
const INTERVAL = 250;

/** The functions that are named. */
const NAMED = 15;

/** @param folder for the profile and the files of requests */
export async function profile(folder: string): Promise<void> {
  for (const visitors of [1, 200]) {
    const task = { target: 'GET /timeline', connections: CONNECTIONS, folder, visitors };
    const plain = await measure(task, []);
    const profiled = await measure(task, [
      'sh',
      '-c',
      `exec "$0" --cpu-prof --cpu-prof-dir='${folder}' --cpu-prof-interval=${INTERVAL} "$@"`,
    ]);
    const [file = ''] = fs.readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'));
    const recorded: CpuProfile = JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8'));
    fs.rmSync(path.join(folder, file));
    const { root, window, mainThread, otherThreads } = profiled;
    const costs = functionCosts(recorded, root, window);
    const micros = (share: number) => (share * mainThread).toFixed(1);
    const total = mainThread + otherThreads;
    const percent = (us: number) => `${((us / total) * 100).toFixed(0)} %`;
    const who = visitors === 1 ? 'one visitor' : `${visitors} visitors`;
    console.log(
      heading(`Where the time of a view goes: ${who}, ${CONNECTIONS} connections`) +
        table(
          ['', 'µs', 'share'],
          [
            ...partCosts(costs).map(([part, share]) => [
              part,
              micros(share),
              percent(share * mainThread),
            ]),
            [
              'other threads: the sync, helpers of the garbage collector',
              otherThreads.toFixed(1),
              percent(otherThreads),
            ],
            ['all', total.toFixed(1), '100 %'],
          ],
        ) +
        `\nWithout the profiler a view takes ${(plain.mainThread + plain.otherThreads).toFixed(1)} µs of processor time.\n` +
        heading(`The ${NAMED} most expensive functions: ${who}`) +
        table(
          ['', 'µs', 'part'],
          costs.slice(0, NAMED).map(({ name, part, share }) => [name, micros(share), part]),
        ),
    );
  }
}

type Measured = {
  /** The folder of the server's installation. */
  readonly root: string;
  /** Begin and end of the load, in µs of the monotonic clock, which V8 uses too. */
  readonly window: readonly [number, number];
  /** Processor time of a view, in µs. */
  readonly mainThread: number;
  readonly otherThreads: number;
};

async function measure(
  task: Omit<Parameters<typeof oneRound>[1], 'seconds'>,
  under: readonly string[],
): Promise<Measured> {
  const guestlist = await startGuestlist('guestlist', { under });
  try {
    const { pid, root } = guestlist;
    await oneRound(guestlist, { ...task, seconds: WARM_UP });
    const begin = { time: now(), main: mainThreadTime(pid), all: cpuTime(pid) };
    const { count } = await oneRound(guestlist, { ...task, seconds: SECONDS });
    const end = { time: now(), main: mainThreadTime(pid), all: cpuTime(pid) };
    const mainThread = (end.main - begin.main) / count;
    const otherThreads = (end.all - begin.all) / count - mainThread;
    // Node writes the profile at the end of the process.
    await guestlist.end();
    return { root, window: [begin.time, end.time], mainThread, otherThreads };
  } finally {
    await guestlist.stop();
  }
}

const now = (): number => Number(process.hrtime.bigint() / 1000n);
