/**
 * `npm run bench`: Guestlist beside bare node:http, three frameworks and former releases, in one run
 * on this machine. The server has one core, the load the other. Rounds in turn, then medians. Needs
 * Linux, wrk and two idle cores.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { root } from '../../lib/config.ts';
import { logIn, send } from '../support/client.ts';
import * as servers from './servers.ts';

const HELP = `npm run bench -- [options]
  --against <git ref>   also that former release; may be repeated
  --contenders <names>  of floor, fastify, express, hono: by default all, separated by commas
  --rounds <number>     of each kind of request and server: by default 4
  --visitors <number>   with a session each: by default 200
  --events <number>     in the store at the start: by default 0`;

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    against: { type: 'string', multiple: true, default: [] },
    contenders: { type: 'string', default: 'floor,fastify,express,hono' },
    rounds: { type: 'string', default: '4' },
    visitors: { type: 'string', default: '200' },
    events: { type: 'string', default: '0' },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit();
}
const rounds = Number(values.rounds);
const visitors = Number(values.visitors);
const events = Number(values.events);

/** The length of a round, in s, and how often each page is read. */
const [ROUND, RUNS] = [1, 15];

/** The kinds of requests, and the number of visitors who send them. */
const KINDS: readonly (readonly [target: string, visitors: number])[] = [
  ['GET /timeline', 1],
  ['GET /timeline', visitors],
  ['GET /auth/me', 1],
  ['POST /api/project-join', 1],
  ['GET /', 1],
];

/** What the administrator page reads. */
const PAGES = `stats invites?limit=100 invites?limit=100&sort=timelineViews&order=desc
  invites?limit=100&q=person7 joins?limit=100 joins?limit=100&of=summary events?limit=100
  events?limit=50&email=person77@example.com person?email=person77@example.com
  changes?limit=100`.split(/\s+/);

const work = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-bench-'));
const started: servers.Server[] = [];
process.on('exit', () => {
  for (const server of started) server.stop('SIGKILL');
  fs.rmSync(work, { recursive: true, force: true, maxRetries: 5 });
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

// Built before any server starts: one that idles for a minute is slower for the rest of its life.
const checkouts = values.against.map((ref) => [ref, servers.buildRelease(ref, work)] as const);
for (const [name, checkout] of [['Guestlist', root] as const, ...checkouts])
  started.push(await servers.startGuestlist(name, checkout, visitors, work, events));
const guestlists = [...started];
const [guestlist] = guestlists;
const contenders = values.contenders.split(',').filter(Boolean);
if (guestlist && contenders.length > 0)
  started.push(...(await servers.startContenders(contenders, guestlist, work)));

console.log(`Node ${process.version}, ${os.cpus()[0]?.model}, ${os.type()} ${os.release()}`);
// Keeps this process, which is the stranger, off the core of the servers.
servers.run(root, 'taskset', '-acp', '1', String(process.pid));
// First, because a store counts what is new in it when it is first asked.
await openPages();
for (const [target, senders] of KINDS) await compare(target, senders);
await lookBeside();
process.exit();

/** The value below which a share of the values is. */
function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN;
}

async function compare(target: string, senders: number): Promise<void> {
  const measured = started.map((): servers.Round[] => []);
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1)
    for (const [i, server] of started.entries()) {
      const result = await servers.load(server, target, senders, ROUND);
      if (round > 0) measured[i]?.push(result);
    }
  const median = (key: keyof servers.Round, of = 0) =>
    quantile(measured[of]?.map((round) => round[key]) ?? [], 0.5);
  const floor = started.findIndex(({ name }) => name === 'floor');
  const columns = ['requests/s', 'of the floor', 'CPU, µs', 'p50, µs', 'p99, µs', 'memory, MB'];
  printTable(
    [`${target}, visitors: ${senders}`, ...columns],
    started.map(({ name }, i) => [
      name,
      median('rate', i).toFixed(0),
      (median('rate', i) / median('rate', floor)).toFixed(2),
      median('cpu', i).toFixed(1),
      ...(['p50', 'p99', 'memory'] as const).map((key) => median(key, i).toFixed(0)),
    ]),
  );
}

/** What a stranger meets beside the load of all visitors, and the longest pause of the event loop. */
async function lookBeside(): Promise<void> {
  const rows: string[][] = [];
  for (const server of started) {
    const times: number[] = [];
    let over = false;
    await server.longestPause();
    const loaded = servers.load(server, 'GET /timeline', visitors, 3 * ROUND).finally(() => {
      over = true;
    });
    for (; !over; await sleep(10)) times.push(await timeOf(server.origin, '/'));
    await loaded;
    const pause = await server.longestPause();
    rows.push([server.name, quantile(times, 0.99).toFixed(1), pause.toFixed(1)]);
  }
  const columns = ['p99 of GET / by a stranger, ms', 'longest pause, ms'];
  printTable([`Beside GET /timeline, ${visitors} visitors`, ...columns], rows);
}

async function openPages(): Promise<void> {
  const cookies = await Promise.all(
    guestlists.map(({ origin }) => logIn(origin, servers.ADMINISTRATOR)),
  );
  const rows: string[][] = [];
  for (const page of PAGES) {
    const row = [page];
    for (const [i, { origin }] of guestlists.entries()) {
      const times: number[] = [];
      for (let run = 0; run < RUNS; run += 1)
        times.push(await timeOf(origin, `/api/svcops/${page}`, cookies[i]));
      row.push(`${quantile(times, 0.5).toFixed(1)} (first ${times[0]?.toFixed(1)})`);
    }
    rows.push(row);
  }
  printTable([`Page, ms, events: ${events}`, ...guestlists.map(({ name }) => name)], rows);
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
