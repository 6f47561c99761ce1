/** The time of a stop under load, and the requests that it loses. */
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { startGuestlist } from './contenders.ts';
import type { Options } from './options.ts';
import { heading, number, type Report, table } from './report.ts';
import { median } from './rounds.ts';

/** Connections that view the timeline while the server is stopped. */
const CONNECTIONS = 64;

/** The time before the stop, in ms. */
const BEFORE_STOP = 1500;

export async function stop({ rounds }: Options): Promise<Report> {
  const stops: Stop[] = [];
  for (let i = 0; i < rounds; i++) stops.push(await stopUnderLoad());
  const stopTime = median(stops.map(({ time }) => time));
  const total = (key: keyof Stop) => stops.reduce((sum, stop) => sum + stop[key], 0);

  const text =
    heading('Stop') +
    table(
      ['', 'median'],
      [
        [
          `from SIGTERM to the end, ${CONNECTIONS} connections under load`,
          `${stopTime.toFixed(0)} ms`,
        ],
      ],
    ) +
    `\nIn ${stops.length} stops under load ${number(total('answered'))} requests were answered; ` +
    `${total('cutOff')} were cut off half-way, ${total('unrecorded')} answered views were not in the store, ` +
    `and ${total('closed')} met a connection that was just closing (a proxy sends those again).\n`;
  console.log(text);
  return { text, figures: {} };
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
