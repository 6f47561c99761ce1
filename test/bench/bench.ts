/**
 * `npm run bench`: Guestlist beside bare node:http, three frameworks and former releases, in one run
 * on this machine, and what it needs with more rows. The servers have one core, the load the other.
 * Rounds in turn, then medians. Needs Linux, wrk and two idle cores.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../lib/config.ts';
import { logIn, send } from '../support/client.ts';
import { type Bars, barChart } from './chart.ts';
import * as servers from './servers.ts';

const { values } = parseArgs({
  options: {
    against: { type: 'string', multiple: true, default: [] },
    contenders: { type: 'string', default: 'baseline,fastify,express,hono' },
    // Writes the charts of the documents.
    charts: { type: 'boolean', default: false },
  },
});

/** How often each kind of request is measured, for how long, in s, and how often each page is read. */
const [ROUNDS, SECONDS, RUNS] = [4, 1, 15];

const VISITORS = 200;

/** The kinds of requests, and the number of visitors who send them. */
const KINDS: readonly (readonly [target: string, visitors: number])[] = [
  ['GET /timeline', VISITORS],
  ['GET /timeline', 1],
  ['GET /auth/me', 1],
  ['POST /api/project-join', 1],
  ['GET /', 1],
];

/** What the stores have in them whose pages are read: a year of activity. */
const STORES = [
  { events: 10_000, people: 300 },
  { events: 1_000_000, people: 10_000 },
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

// Built before any server starts: one that idles for a minute is slower for the rest of its life.
const checkouts = values.against.map((ref) => [ref, servers.buildRelease(ref, work)] as const);
console.log(`Node ${process.version}, ${os.cpus()[0]?.model}, ${os.type()} ${os.release()}`);
const guestlist = await start('Guestlist');
for (const [name, checkout] of checkouts) await start(name, checkout);
const contenders = values.contenders.split(',').filter(Boolean);
if (contenders.length > 0)
  started.push(...(await servers.startContenders(contenders, guestlist, work)));
// Keeps this process off the core of the servers.
servers.run(root, 'taskset', '-acp', '1', String(process.pid));
const rates: (readonly number[])[] = [];
for (const [target, senders] of KINDS) rates.push(await compare(target, senders));
if (values.charts) {
  const bars = started.map(({ name }, i): Bars => {
    const [view = 0, , me = 0] = rates.map((each) => Math.round(each[i] ?? 0));
    return { label: name.replace(/^./, (letter) => letter.toUpperCase()), values: [view, me] };
  });
  bars.sort((a, b) => (b.values[0] ?? 0) - (a.values[0] ?? 0));
  save('peers', ['GET /timeline: requests/s', 'GET /auth/me: requests/s'], bars);
}
await openPages();
process.exit();

async function start(name: string, checkout = root, fill?: servers.Fill): Promise<servers.Server> {
  const server = await servers.startGuestlist(name, checkout, VISITORS, work, fill);
  started.push(server);
  return server;
}

function save(name: string, series: readonly string[], bars: readonly Bars[]): void {
  const file = path.join(root, `docs/images/${name}.svg`);
  fs.writeFileSync(file, barChart(series, bars, 'Guestlist'));
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;
}

/** @returns the rate of each server, in requests a second */
async function compare(target: string, senders: number): Promise<readonly number[]> {
  const measured = started.map((): servers.Round[] => []);
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const [i, server] of started.entries()) {
      const result = await servers.load(server, target, senders, SECONDS);
      if (round > 0) measured[i]?.push(result);
    }
  const of = (i: number, key: keyof servers.Round) =>
    median(measured[i]?.map((round) => round[key]) ?? []);
  const columns = ['requests/s', 'CPU, µs', 'p50, ms', 'p99, ms', 'memory, MB'];
  printTable(
    [`${target}, visitors: ${senders}`, ...columns],
    started.map(({ name }, i) => [
      name,
      of(i, 'rate').toFixed(0),
      of(i, 'cpu').toFixed(1),
      (of(i, 'p50') / 1000).toFixed(1),
      (of(i, 'p99') / 1000).toFixed(1),
      of(i, 'memory').toFixed(0),
    ]),
  );
  return started.map((_, i) => of(i, 'rate'));
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
      const runs: number[] = [];
      for (let run = 0; run <= RUNS; run += 1)
        runs.push(await timeOf(origin, `/api/svcops/${page}`, cookies[i]));
      // The first may count what is new.
      times.push(Number(median(runs.slice(1)).toFixed(1)));
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

/** The time until a reply is read, in ms. @throws if it is no success */
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
