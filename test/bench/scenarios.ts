/** The four requests that matter, measured against every contender. */
import type { Contender } from './contenders.ts';
import type { Options } from './options.ts';
import { heading, type Line, ms, number, table } from './report.ts';
import { inTurn } from './rounds.ts';

const SCENARIOS = {
  timeline: { target: 'GET /timeline', visitors: 1 },
  visitors: { target: 'GET /timeline', visitors: 200 },
  join: { target: 'POST /api/project-join', visitors: 1 },
  me: { target: 'GET /auth/me', visitors: 1 },
  entry: { target: 'GET /', visitors: 1 },
} as const;

/** Measures the scenarios that the options ask for. @param folder for the files of requests */
export async function scenarios(
  contenders: readonly Contender[],
  { parts, connections, rounds, seconds }: Options,
  folder: string,
): Promise<string> {
  let text = '';
  for (const [part, { target, visitors }] of Object.entries(SCENARIOS)) {
    if (!parts.some((each) => each === part)) continue;
    for (const count of connections) {
      const results = await inTurn(contenders, rounds, {
        target,
        visitors,
        connections: count,
        seconds,
        folder,
      });
      const [floor] = results;
      const lines = results.map((result, i): Line => {
        const { rate, p50, p99, cpu, memory } = result;
        return [
          contenders[i]?.name ?? '',
          number(rate),
          (rate / (floor?.rate ?? 0)).toFixed(2),
          ms(p50),
          ms(p99),
          `${cpu.toFixed(0)} µs`,
          `${memory.toFixed(0)} MB`,
        ];
      });
      const from = visitors === 1 ? '' : ` from ${visitors} visitors`;
      const title = `\`${target}\`${from}, ${count} ${count === 1 ? 'connection' : 'connections'}`;
      const block = heading(title) + table(COLUMNS, lines);
      console.log(block);
      text += block;
    }
  }
  return text;
}

const COLUMNS = [
  '',
  'requests/s',
  'of the first',
  'p50',
  'p99',
  'CPU a request',
  'memory',
] as const;
