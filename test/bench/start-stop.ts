/** The time of a start with ten million events, their size on disk, and lost requests at a stop. */

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { install } from '../support/installation.ts';
import { startGuestlist } from './contenders.ts';
import { filledStore } from './filled-store.ts';
import type { Options } from './options.ts';
import { heading, number, table } from './report.ts';
import { median } from './rounds.ts';

const EVENTS = 10_000_000;

/** Connections that view the timeline while the server is stopped. */
const CONNECTIONS = 64;

/** The time before the stop, in ms. */
const BEFORE_STOP = 1500;

export async function startStop({ rounds }: Options): Promise<string> {
  const bare: number[] = [];
  const empty: number[] = [];
  const full: number[] = [];
  const folder = filledStore({ events: EVENTS, people: 10_000, clicks: 100_000 });
  const source = path.join(folder, 'guestlist.db');
  const installation = install();
  try {
    for (let i = 0; i < rounds; i++) {
      bare.push(bareNodeTime());
      empty.push(await startTime(installation));
    }
    fs.copyFileSync(source, installation.store);
    for (let i = 0; i < rounds; i++) full.push(await startTime(installation));
  } finally {
    await installation.remove();
  }
  const stops: Stop[] = [];
  for (let i = 0; i < rounds; i++) stops.push(await stopUnderLoad());
  const stopTime = median(stops.map(({ time }) => time));
  const total = (key: keyof Stop) => stops.reduce((sum, stop) => sum + stop[key], 0);

  const block =
    heading('Start and stop') +
    table(
      ['', 'median'],
      [
        ['a Node that does nothing, from the command to its end', `${median(bare).toFixed(0)} ms`],
        [
          'from the command to `listening`, empty store',
          `${median(empty).toFixed(0)} ms, ${(median(empty) / median(bare)).toFixed(1)} times that`,
        ],
        [`the same with ${number(EVENTS)} events`, `${median(full).toFixed(0)} ms`],
        [
          'disk for a million events, indexes and totals included',
          `${(fs.statSync(source).size / EVENTS).toFixed(0)} MB`,
        ],
        [
          `from SIGTERM to the end, ${CONNECTIONS} connections under load`,
          `${stopTime.toFixed(0)} ms`,
        ],
      ],
    ) +
    `\nIn ${stops.length} stops under load ${number(total('answered'))} requests were answered; ` +
    `${total('cutOff')} were cut off half-way, ${total('unrecorded')} answered views were not in the store, ` +
    `and ${total('closed')} met a connection that was just closing (a proxy sends those again).\n`;
  console.log(block);
  return block;
}

/** The time of a start of Node alone, in ms, to compare machines. */
function bareNodeTime(): number {
  const start = performance.now();
  spawnSync(process.execPath, ['--eval', '']);
  return performance.now() - start;
}

/** From the command to `listening`, in ms. */
async function startTime(installation: ReturnType<typeof install>): Promise<number> {
  const start = performance.now();
  const server = await installation.start();
  const time = performance.now() - start;
  await server.stop();
  return time;
}

type Stop = {
  /** From SIGTERM to the end of the process, in ms. */
  readonly time: number;
  readonly answered: number;
  /** Replies that broke off. */
  readonly cutOff: number;
  /** Requests sent on a connection that the server was closing: no byte of a reply came. */
  readonly closed: number;
  /** Answered views that are not in the store. */
  readonly unrecorded: number;
};

async function stopUnderLoad(): Promise<Stop> {
  const guestlist = await startGuestlist('guestlist');
  const seen = { answered: 0, cutOff: 0, closed: 0 };
  try {
    const cookie = `svc_session=${guestlist.sessions[0]?.token}`;
    const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
    const visitors = Array.from({ length: CONNECTIONS }, async () => {
      for (;;) {
        const end = await viewTimeline(guestlist.port, agent, cookie);
        if (end === 'refused') return;
        seen[end] += 1;
      }
    });
    await pause(BEFORE_STOP);
    const start = performance.now();
    await guestlist.end();
    const time = performance.now() - start;
    await Promise.all(visitors);
    agent.destroy();
    const recorded = guestlist.withStore((store) => store.totals.counts().timelineViews);
    return { time, ...seen, unrecorded: Math.max(0, seen.answered - recorded) };
  } finally {
    await guestlist.stop();
  }
}

function viewTimeline(
  port: number,
  agent: http.Agent,
  cookie: string,
): Promise<'answered' | 'cutOff' | 'closed' | 'refused'> {
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', port, agent, path: '/timeline', headers: { cookie } };
    const request = http.get(options, (response) => {
      response.on('error', () => resolve('cutOff'));
      response.on('end', () => resolve(response.complete ? 'answered' : 'cutOff'));
      response.resume();
    });
    request.on('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ECONNREFUSED' ? 'refused' : 'closed'),
    );
  });
}
