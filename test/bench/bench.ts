/**
 * `npm run bench`: Guestlist beside bare node:http, three frameworks and former releases, in one run
 * on this machine. The server has one core, the load the other. Rounds in turn, then medians. Needs
 * Linux, wrk and two idle cores.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../lib/config.ts';
import { logIn, send } from '../support/client.ts';
import * as servers from './servers.ts';

const { values } = parseArgs({
  options: {
    against: { type: 'string', multiple: true, default: [] },
    contenders: { type: 'string', default: 'floor,fastify,express,hono' },
    visitors: { type: 'string', default: '200' },
    events: { type: 'string', default: '0' },
  },
});
const visitors = Number(values.visitors);
const events = Number(values.events);

/** How often each kind of request is measured, for how long, in s, and how often each page is read. */
const [ROUNDS, SECONDS, RUNS] = [4, 1, 15];

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
// Keeps this process off the core of the servers.
servers.run(root, 'taskset', '-acp', '1', String(process.pid));
// First, because a store counts what is new in it when it is first asked.
await openPages();
for (const [target, senders] of KINDS) await compare(target, senders);
process.exit();

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;
}

async function compare(target: string, senders: number): Promise<void> {
  const measured = started.map((): servers.Round[] => []);
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const [i, server] of started.entries()) {
      const result = await servers.load(server, target, senders, SECONDS);
      if (round > 0) measured[i]?.push(result);
    }
  const of = (i: number, key: keyof servers.Round) =>
    median(measured[i]?.map((round) => round[key]) ?? []);
  const floor = started.findIndex(({ name }) => name === 'floor');
  const columns = ['requests/s', 'of the floor', 'CPU, µs', 'p50, µs', 'p99, µs', 'memory, MB'];
  printTable(
    [`${target}, visitors: ${senders}`, ...columns],
    started.map(({ name }, i) => [
      name,
      of(i, 'rate').toFixed(0),
      (of(i, 'rate') / of(floor, 'rate')).toFixed(2),
      of(i, 'cpu').toFixed(1),
      ...(['p50', 'p99', 'memory'] as const).map((key) => of(i, key).toFixed(0)),
    ]),
  );
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
      row.push(`${median(times).toFixed(1)} (first ${times[0]?.toFixed(1)})`);
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
