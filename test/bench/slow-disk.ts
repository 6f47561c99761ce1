/** Slow disks: the throughput with slow syncs, and the delay of pages that write nothing. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Guestlist, startGuestlist, writeRequests } from './contenders.ts';
import { load } from './load.ts';
import type { Options } from './options.ts';
import { heading, ms, number, type Report, table } from './report.ts';
import { median, oneRound } from './rounds.ts';

/** How much longer a sync takes, in ms. */
const DELAYS = [0, 5, 20];

/** With so many connections, requests share commits, which a slow disk needs. */
const MIN_CONNECTIONS = 64;

/** Pause of the visitor who asks for `GET /` meanwhile, in ms. */
const PROBE_PAUSE = 10;

type Slow = { readonly guestlist: Guestlist; readonly delay: number };

/** The result of one round: requests a second, and latencies in µs. */
type Figures = Readonly<Record<'rate' | 'p50' | 'p99' | 'entryP50' | 'entryP99', number>>;

/** Measures Guestlist and the other checkouts of the options. @param folder for compiled files */
export async function slowDisk(options: Options, folder: string): Promise<Report> {
  const shim = compile(folder);
  const checkouts = [undefined, ...options.against];
  const all: Slow[] = [];
  try {
    for (const checkout of checkouts) {
      for (const delay of DELAYS) {
        const name = `${checkout ? path.basename(checkout) : 'guestlist'}, ${delay === 0 ? 'as it is' : `+${delay} ms`}`;
        const env = { LD_PRELOAD: shim, SLOW_SYNC_US: String(delay * 1000) };
        all.push({ guestlist: await startGuestlist(name, { checkout, env }), delay });
      }
    }
    let text = '';
    for (const connections of options.connections) {
      if (connections >= MIN_CONNECTIONS) text += await compare(all, connections, options, folder);
    }
    return { text, figures: {} };
  } finally {
    await Promise.all(all.map(({ guestlist }) => guestlist.stop()));
  }
}

function compile(folder: string): string {
  const source = fileURLToPath(new URL('slow-sync.c', import.meta.url));
  const target = path.join(folder, 'slow-sync.so');
  execFileSync('gcc', ['-O2', '-shared', '-fPIC', '-o', target, source, '-ldl'], {
    stdio: 'inherit',
  });
  return target;
}

async function compare(
  all: readonly Slow[],
  connections: number,
  { rounds, seconds }: Options,
  folder: string,
): Promise<string> {
  const measured = all.map((): Figures[] => []);
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    for (const [i, { guestlist }] of all.entries()) {
      const figures = await withProbe(guestlist, connections, seconds, folder);
      if (round > 0) measured[i]?.push(figures);
    }
  }
  const medians = measured.map(
    (figures) => (key: keyof Figures) => median(figures.map((each) => each[key])),
  );
  let undelayed = 0;
  const lines = medians.map((of, i) => {
    if (all[i]?.delay === 0) undelayed = of('rate');
    const share = (of('rate') / undelayed).toFixed(2);
    const latencies = (['p50', 'p99', 'entryP50', 'entryP99'] as const).map((key) => ms(of(key)));
    return [all[i]?.guestlist.name ?? '', number(of('rate')), share, ...latencies];
  });
  const block =
    heading(`Slow disk: \`GET /timeline\`, ${connections} connections`) + table(COLUMNS, lines);
  console.log(block);
  return block;
}

const COLUMNS = [
  'every sync',
  'requests/s',
  'of undelayed',
  'p50',
  'p99',
  '`GET /` p50',
  '`GET /` p99',
] as const;

/** One round, with a visitor who asks for the entry page now and then. */
async function withProbe(
  guestlist: Guestlist,
  connections: number,
  seconds: number,
  folder: string,
): Promise<Figures> {
  const requests = writeRequests(path.join(folder, 'probe.txt'), 'GET /', guestlist.sessions);
  const { port } = guestlist;
  const probe = load({ port, requests, connections: 1, seconds, pause: PROBE_PAUSE });
  const task = { target: 'GET /timeline', connections, seconds, folder };
  const [{ rate, p50, p99 }, entry] = await Promise.all([oneRound(guestlist, task), probe]);
  return { rate, p50, p99, entryP50: entry.p50, entryP99: entry.p99 };
}
