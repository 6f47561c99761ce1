/** How much an administrator's work delays visitors who keep the server fully busy. */
import { once } from 'node:events';
import http from 'node:http';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Guestlist, startGuestlist } from './contenders.ts';
import { ADMINISTRATOR, filledStore } from './filled-store.ts';
import { LOAD_CORE, pin } from './machine.ts';
import type { Options } from './options.ts';
import { heading, ms, number, type Report, table } from './report.ts';
import { median, oneRound } from './rounds.ts';
import { EXISTING } from './start.ts';

/** What the page reads at each refresh. */
const REFRESH = [
  'stats',
  'invites?limit=100',
  'changes?limit=100',
  'events?limit=100',
  'joins?of=summary&limit=100',
  'joins?of=clicks&limit=100',
];

const EXPORTS = ['invites?format=csv', 'joins?of=clicks&format=csv', 'events?format=csv'];

/** Between two refreshes, in ms: as if 300 administrators had the page open. */
const REFRESH_PAUSE = 100;

/** Targets of which each group is requested at the same time, again and again after a pause in ms. */
type Repeated = { readonly groups: readonly (readonly string[])[]; readonly pause: number };

const WORK: Readonly<Record<'none' | 'refresh' | 'exports', Repeated>> = {
  none: { groups: [], pause: 0 },
  refresh: { groups: [REFRESH], pause: REFRESH_PAUSE },
  exports: { groups: EXPORTS.map((each) => [each]), pause: 0 },
};

type Work = keyof typeof WORK;

/** @param folder for the files of requests */
export async function administrator({ rounds, seconds }: Options, folder: string): Promise<Report> {
  const store = path.join(filledStore(EXISTING), 'guestlist.db');
  const guestlist = await startGuestlist('guestlist', { store });
  // This process must not take time from the server.
  pin(process.pid, LOAD_CORE);
  const measured = { none: [], refresh: [], exports: [] } as Record<Work, Round[]>;
  try {
    const { token } = guestlist.write(({ sessions }) => sessions.begin(ADMINISTRATOR, Date.now()));
    const cookie = `svc_session=${token}`;
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      for (const work of ['none', 'refresh', 'exports'] as const) {
        const result = await beside(guestlist, cookie, WORK[work], seconds, folder);
        if (round > 0) measured[work].push(result);
      }
    }
  } finally {
    await guestlist.stop();
  }
  const of = (work: Work, key: keyof Round) => median(measured[work].map((each) => each[key]));
  const line = (work: Work, what: string) => [
    what,
    number(of(work, 'rate')),
    ms(of(work, 'p50')),
    ms(of(work, 'p99')),
    work === 'none' ? '' : ms(of(work, 'p99') - of('none', 'p99')),
    work === 'none' ? '' : `${number(of(work, 'bytes') / 1e6)} MB`,
  ];
  const text =
    heading('200 visitors, 64 connections, beside an administrator') +
    table(
      ['', 'requests/s', 'p50', 'p99', 'rise of p99', 'sent beside'],
      [
        line('none', 'nothing else'),
        line('refresh', 'ten refreshes of the page a second'),
        line('exports', 'three CSV exports at once, again and again'),
      ],
    ) +
    `\nThe store has ${number(EXISTING.events)} events of ${number(EXISTING.people)} people.\n`;
  console.log(text);
  const rise = (work: Work) => (of(work, 'p99') - of('none', 'p99')) / 1000;
  return { text, figures: { refresh: rise('refresh'), exports: rise('exports') } };
}

/** A round of the visitors, times in µs, and what was sent to the administrator meanwhile. */
type Round = Readonly<Record<'rate' | 'p50' | 'p99' | 'bytes', number>>;

async function beside(
  guestlist: Guestlist,
  cookie: string,
  { groups, pause }: Repeated,
  seconds: number,
  folder: string,
): Promise<Round> {
  const agent = new http.Agent({ keepAlive: true });
  const end = new AbortController();
  let bytes = 0;
  const repeat = async (group: readonly string[]) => {
    while (!end.signal.aborted) {
      await Promise.all(
        group.map((target) => {
          const url = `http://127.0.0.1:${guestlist.port}/api/svcops/${target}`;
          const options = { agent, headers: { cookie }, signal: end.signal };
          return read(url, options, (length) => {
            bytes += length;
          });
        }),
      );
      await setTimeout(pause, undefined, { signal: end.signal });
    }
  };
  const working = groups.map((group) =>
    repeat(group).catch((error) => {
      if (!end.signal.aborted) throw error;
    }),
  );
  const task = { target: 'GET /timeline', visitors: 200, connections: 64, seconds, folder };
  const round = oneRound(guestlist, task).finally(() => end.abort());
  const [{ rate, p50, p99 }] = await Promise.all([round, ...working]);
  agent.destroy();
  return { rate, p50, p99, bytes };
}

/** Reads a reply to its end. @throws if it is not a success */
async function read(
  url: string,
  options: http.RequestOptions,
  count: (length: number) => void,
): Promise<void> {
  const request = http.get(url, options);
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode}`);
  response.on('data', (chunk: Buffer) => count(chunk.length));
  await once(response, 'end');
}
