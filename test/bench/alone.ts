/** A view alone on one connection, compared with its parts: one sync of this disk, and a bare request. */
import type { Contender } from './contenders.ts';
import { syncTime } from './machine.ts';
import type { Options } from './options.ts';
import { heading, ms, type Report, table } from './report.ts';
import { median, oneRound } from './rounds.ts';

/** @param folder for the files of requests, on the disk of the stores */
export async function alone(
  contenders: readonly Contender[],
  { rounds, seconds }: Options,
  folder: string,
): Promise<Report> {
  const find = (wanted: string) => contenders.find(({ name }) => name === wanted);
  const [floor, guestlist] = [find('floor'), find('guestlist')];
  if (!floor || !guestlist) return { text: '', figures: {} };
  const time = async (contender: Contender) =>
    (await oneRound(contender, { target: 'GET /timeline', connections: 1, seconds, folder })).p50;

  const measured: { sync: number; bare: number; view: number }[] = [];
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    measured.push({ sync: syncTime(folder), bare: await time(floor), view: await time(guestlist) });
  }
  const of = (key: 'sync' | 'bare' | 'view') => median(measured.slice(1).map((each) => each[key]));
  const ratio = of('view') / (of('sync') + of('bare'));
  const text =
    heading('A view alone') +
    table(
      ['', 'median'],
      [
        ['a write of 4 KiB with its `fdatasync`', ms(of('sync'))],
        ['a bare request', ms(of('bare'))],
        ['a view, alone on one connection', `${ms(of('view'))}, ${ratio.toFixed(2)} of both`],
      ],
    );
  console.log(text);
  return { text, figures: { alone: ratio } };
}
