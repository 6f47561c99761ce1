/** The requests that matter, measured against every contender. */
import type { Figures } from './aims.ts';
import { type Contender, FRAMEWORKS } from './contenders.ts';
import type { Options } from './options.ts';
import { heading, type Line, ms, number, type Report, table } from './report.ts';
import { inTurn, type Round } from './rounds.ts';

const SCENARIOS = {
  timeline: { target: 'GET /timeline', visitors: 1 },
  visitors: { target: 'GET /timeline', visitors: 200 },
  join: { target: 'POST /api/project-join', visitors: 1 },
  me: { target: 'GET /auth/me', visitors: 1 },
  entry: { target: 'GET /', visitors: 1 },
} as const;

type Scenario = keyof typeof SCENARIOS;

/** A contender's result, and its throughput as a share of the floor's. */
type Result = Round & { readonly name: string; readonly share: number };

/**
 * Measures the scenarios that the options ask for.
 *
 * @param folder for the files of requests
 * @returns also the table of the main scenario for README.md
 */
export async function scenarios(
  contenders: readonly Contender[],
  { parts, connections, crowd, rounds, seconds }: Options,
  folder: string,
): Promise<Report & { readonly speed: string }> {
  let [text, speed] = ['', ''];
  const figures: Partial<Figures> = {};
  for (const [part, { target, visitors }] of Object.entries(SCENARIOS)) {
    if (!parts.some((each) => each === part)) continue;
    const few = target === 'GET /timeline' ? crowd : [];
    for (const count of [...connections, ...few]) {
      const chosen = contenders.filter(
        ({ name }) => !few.includes(count) || !FRAMEWORKS.includes(name),
      );
      const task = { target, visitors, connections: count, seconds, folder };
      const measured = await inTurn(chosen, rounds, task);
      const results = measured.map((round, i): Result => {
        const share = round.rate / (measured[0]?.rate ?? 0);
        return { ...round, name: chosen[i]?.name ?? '', share };
      });
      Object.assign(figures, figuresOf(part as Scenario, count, results));
      if (part === 'timeline' && count === 64) speed = speedTable(results);
      const from = visitors === 1 ? '' : ` from ${visitors} visitors`;
      const title = `\`${target}\`${from}, ${count} ${count === 1 ? 'connection' : 'connections'}`;
      const block = heading(title) + table(COLUMNS, results.map(line));
      console.log(block);
      text += block;
    }
  }
  return { text, figures, speed };
}

/** The figures of a scenario that the aims need. */
export function figuresOf(
  part: Scenario,
  connections: number,
  results: readonly Result[],
): Partial<Figures> {
  const find = (name: string) => results.find((result) => result.name === name);
  const [guestlist, fastify] = [find('guestlist'), find('fastify')];
  if (!guestlist || !find('floor')) return {};
  const { share, p99, memory } = guestlist;
  const views = part === 'timeline' || part === 'visitors';
  if (connections === 512) return views ? { [`${part}512`]: share, [`${part}Memory`]: memory } : {};
  if (connections !== 64) return {};
  return {
    [part]: share,
    ...(views ? { [`${part}P99`]: p99 / 1000 } : {}),
    ...(part === 'me' && fastify ? { meOfFastify: share / fastify.share } : {}),
  };
}

const line = ({ name, rate, share, p50, p99, cpu, memory }: Result): Line => [
  name,
  number(rate),
  share.toFixed(2),
  ms(p50),
  ms(p99),
  `${cpu.toFixed(0)} µs`,
  `${memory.toFixed(0)} MB`,
];

const COLUMNS = [
  '',
  'requests/s',
  'of the first',
  'p50',
  'p99',
  'CPU a request',
  'memory',
] as const;

const speedTable = (results: readonly Result[]): string =>
  table(
    ['Server', 'requests/s', 'of the floor'],
    [...results]
      .sort((a, b) => b.rate - a.rate)
      .map(({ name, rate, share }) => [
        name === 'floor' ? name : name.slice(0, 1).toUpperCase() + name.slice(1),
        number(rate),
        share.toFixed(2),
      ]),
  );
