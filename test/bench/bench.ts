/**
 * `npm run bench`: Guestlist beside bare node:http, three frameworks and former releases on this
 * machine, and what it needs with more rows. The servers have one core, the load the other. A
 * figure of a run is the median of rounds in turn. The tables have the median of three whole runs,
 * each with new processes, and in parentheses the least and the most. Needs Linux, wrk and two idle
 * cores.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../lib/config.ts';
import { logIn, send } from '../support/client.ts';
import { type Bars, barChart } from './chart.ts';
import * as servers from './servers.ts';

const FRAMEWORKS = { fastify: 'Fastify', express: 'Express', hono: 'Hono' };

/** What a reply guarantees, and how rows are committed: contenders.mjs. */
const PROMISES = {
  'full-shared': 'FULL, shared commits',
  full: 'FULL',
  'normal-shared': 'NORMAL, shared commits',
  normal: 'NORMAL',
};

/** The name of each server in a table. */
const LABELS: Readonly<Record<string, string>> = {
  baseline: 'node:http, no store',
  ...Object.fromEntries(
    Object.entries(PROMISES).flatMap(([promise, words]) =>
      Object.entries(FRAMEWORKS).map(([name, label]) => [
        `${name}-${promise}`,
        `${label}, ${words}`,
      ]),
    ),
  ),
};

const CONTENDERS = Object.keys(LABELS);

const { values } = parseArgs({
  options: {
    against: { type: 'string', multiple: true, default: [] },
    contenders: { type: 'string', default: CONTENDERS.join() },
    // Processes are started several times, and everything is measured again.
    runs: { type: 'string', default: '3' },
    // Also writes the charts of the documents.
    charts: { type: 'boolean', default: false },
    // One short run, to see that everything works.
    quick: { type: 'boolean', default: false },
  },
});

/** How often each server is started, rounds of each kind of request, and their lengths in s. */
const RUNS = values.quick ? 1 : Number(values.runs);
const ROUNDS = values.quick ? 1 : 3;
const SECONDS = values.quick ? 1 : 2;
const WARM_UP = values.quick ? 1 : 2;

/** How often each page is read. */
const READS = 15;

const VISITORS = 200;

/** The kinds of requests, and the number of visitors who send them. */
const KINDS: readonly (readonly [target: string, visitors: number])[] = [
  ['GET /timeline', VISITORS],
  ['GET /auth/me', 1],
  ['POST /api/project-join', 1],
];

/** The content of the stores whose pages are read: a year of activity. */
const STORES = [
  { events: 10_000, people: 300 },
  ...(values.quick ? [] : [{ events: 1_000_000, people: 10_000 }]),
];

const day = (ago: number): string =>
  new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);

/** What the administrator page reads. */
const PAGES = {
  stats: 'stats',
  '… of 30 days': `stats?from=${day(29)}&to=${day(0)}`,
  invites: 'invites?limit=100',
  '… by views': 'invites?limit=100&sort=timelineViews&order=desc',
  '… by first name': 'invites?limit=100&sort=firstName',
  '… a search': 'invites?limit=100&q=person7',
  joins: 'joins?limit=100',
  '… by person': 'joins?limit=100&of=summary',
  events: 'events?limit=100',
  '… of one person': 'events?limit=50&email=person77@example.com',
  person: 'person?email=person77@example.com',
};

const work = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-bench-'));
const started: servers.Server[] = [];
process.on('exit', () => {
  for (const server of started) server.stop('SIGKILL');
  fs.rmSync(work, { recursive: true, force: true, maxRetries: 5 });
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

console.log(`Node ${process.version}, ${os.cpus()[0]?.model}, ${os.type()} ${os.release()}`);
const checkouts = values.against.map((ref) => [ref, servers.buildRelease(ref, work)] as const);
const contenders = values.contenders.split(',').filter(Boolean);
const installed = contenders.length > 0 ? servers.installContenders(work) : '';
// Keeps this process away from the core of the servers.
servers.run(root, 'taskset', '-acp', '1', String(process.pid));

const names = ['Guestlist', ...checkouts.map(([ref]) => ref), ...contenders];
/** By run, kind of request and server. */
const runs: (readonly (readonly servers.Round[])[])[] = [];
for (let run = 1; run <= RUNS; run += 1) {
  console.error(`run ${run} of ${RUNS}`);
  runs.push(await measureAll());
}
const rates = KINDS.map(report);
if (values.charts) {
  // The views and who is logged in.
  const drawn = KINDS.slice(0, 2);
  const bars = names.flatMap((name, i): readonly Bars[] => {
    const own = drawn.map((_, kind) => Math.round(rates[kind]?.[i] ?? 0));
    return values.against.includes(name) ? [] : [{ label: LABELS[name] ?? name, values: own }];
  });
  bars.sort((a, b) => (b.values[0] ?? 0) - (a.values[0] ?? 0));
  save(
    'peers',
    drawn.map(([target]) => `${target}: requests/s`),
    bars,
  );
}
await openPages();
process.exit();

async function start(name: string, checkout = root, fill?: servers.Fill): Promise<servers.Server> {
  const server = await servers.startGuestlist(name, checkout, VISITORS, work, fill);
  started.push(server);
  return server;
}

/** A whole run: starts all servers, measures each kind of request, and stops them. */
async function measureAll(): Promise<readonly (readonly servers.Round[])[]> {
  const guestlist = await start('Guestlist');
  for (const [name, checkout] of checkouts) await start(name, checkout);
  if (contenders.length > 0)
    started.push(...(await servers.startContenders(contenders, guestlist, installed)));
  const measured = [];
  for (const [target, senders] of KINDS) measured.push(await compare(target, senders));
  await Promise.all(started.map((server) => server.stop()));
  started.length = 0;
  return measured;
}

/** @returns the median round of each server for each figure */
async function compare(target: string, senders: number): Promise<readonly servers.Round[]> {
  for (const server of started) await servers.load(server, target, senders, WARM_UP);
  const rounds = started.map((): servers.Round[] => []);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [i, server] of started.entries())
      rounds[i]?.push(await servers.load(server, target, senders, SECONDS));
  return rounds.map((own) => {
    const of = (key: keyof servers.Round) => median(own.map((round) => round[key]));
    return {
      rate: of('rate'),
      cpu: of('cpu'),
      p50: of('p50'),
      p99: of('p99'),
      memory: of('memory'),
    };
  });
}

/** Prints the table of a kind of request. @returns the rate of each server */
function report([target, senders]: (typeof KINDS)[number], kind: number): readonly number[] {
  /** A figure of a server in each run. */
  const figures = (i: number, key: keyof servers.Round) =>
    runs.map((run) => run[kind]?.[i]?.[key] ?? Number.NaN);
  const rows = names.map((name, i) => {
    const inMs = (key: 'p50' | 'p99') =>
      range(
        figures(i, key).map((time) => time / 1000),
        1,
      );
    const ownRates = figures(i, 'rate');
    const times = figures(0, 'rate').map((rate, run) => rate / (ownRates[run] ?? Number.NaN));
    const memory = range(figures(i, 'memory'), 0);
    const cpu = range(figures(i, 'cpu'), 1);
    return [
      LABELS[name] ?? name,
      range(ownRates, 0),
      i === 0 ? '' : range(times, 2),
      cpu,
      inMs('p50'),
      inMs('p99'),
      memory,
    ];
  });
  const columns = ['requests/s', 'Guestlist ÷ this', 'CPU, µs', 'p50, ms', 'p99, ms', 'memory, MB'];
  printTable([`${target}, visitors: ${senders}`, ...columns], rows);
  return names.map((_, i) => median(figures(i, 'rate')));
}

/** The median, and the least and the most if there are several. */
function range(values: readonly number[], digits: number): string {
  const [middle, least, most] = [median(values), Math.min(...values), Math.max(...values)].map(
    (value) => value.toFixed(digits),
  );
  return values.length > 1 ? `${middle} (${least}–${most})` : `${middle}`;
}

function save(name: string, series: readonly string[], bars: readonly Bars[]): void {
  const file = path.join(root, `docs/images/${name}.svg`);
  fs.writeFileSync(file, barChart(series, bars, 'Guestlist'));
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;
}

/** Reads the pages of stores of several sizes. */
async function openPages(): Promise<void> {
  const names = STORES.map(
    ({ events, people }) =>
      `${events.toLocaleString('en')} events, ${people.toLocaleString('en')} people`,
  );
  const grown: servers.Server[] = [];
  for (const [i, fill] of STORES.entries()) grown.push(await start(`store-${i}`, root, fill));
  const cookies = await Promise.all(grown.map((each) => logIn(each.origin, servers.ADMINISTRATOR)));
  const rows: Bars[] = [];
  for (const [label, page] of Object.entries(PAGES)) {
    const times: number[] = [];
    for (const [i, { origin }] of grown.entries()) {
      const reads: number[] = [];
      for (let read = 0; read <= READS; read += 1)
        reads.push(await timeOf(origin, `/api/svcops/${page}`, cookies[i]));
      // The first reply may have to count new rows.
      times.push(Number(median(reads.slice(1)).toFixed(1)));
    }
    rows.push({ label, values: times });
  }
  printTable(
    ['ms', ...names],
    rows.map(({ label, values }) => [label, ...values.map(String)]),
  );
  if (values.charts)
    save(
      'growth',
      names.map((name) => `${name}: ms`),
      rows,
    );
}

/** The time until a reply is read, in ms. @throws if the reply is not a success */
async function timeOf(origin: string, url: string, cookie = ''): Promise<number> {
  const begin = performance.now();
  const { status } = await send(origin, `GET ${url}`, { cookie });
  if (status !== 200) throw new Error(`${url}: ${status}`);
  return performance.now() - begin;
}

function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  console.log();
  for (const row of [head, head.map(() => '---'), ...rows]) console.log(`| ${row.join(' | ')} |`);
}
