/** The tests of each story: power cuts and kills lose nothing, and show each fault. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'node:test';
import { lacksStrace } from '../../support/lacks.ts';
import { siteForAll } from '../../support/site.ts';
import { randomFrom } from '../random.ts';
import { type Cut, lossesOf, tracesOf } from './cut.ts';
import { type Recording, record } from './recording.ts';
import { CASES } from './stories.ts';
import { type Call, inTrace } from './trace.ts';

/** The moments at which something changes on the disk, and right after. */
const momentsOf = (
  root: string,
  trace: readonly Call[],
  names = /^(?!(read|mmap|fcntl|lseek|open|openat)$)/,
): readonly number[] =>
  trace
    .filter(({ name, args }) => names.test(name) && args.includes(inTrace(path.join(root, 'data'))))
    .flatMap(({ began, returned }) => [began + 1, returned + 1])
    .filter(Number.isFinite);

/** Cuts at each reply, and at each rename, which alone is kept. */
const mainCuts = ({ root, steps }: Recording): readonly Cut[] => [
  ...steps.map(({ done }) => ({ at: done, keeps: 'nothing' }) as const),
  ...tracesOf(steps)
    .flatMap((trace) => momentsOf(root, trace, /^rename/))
    .map((at) => ({ at, keeps: 'the last change' }) as const),
];

function randomCuts({ root, steps }: Recording, number: number, random: () => number) {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const moments = tracesOf(steps).flatMap((trace) => momentsOf(root, trace));
  const keeps = ['nothing', 'all', 'some by chance', 'some by chance', 'the last change'] as const;
  return Array.from({ length: number }, (): Cut => ({ at: pick(moments), keeps: pick(keeps) }));
}

/**
 * @param random cuts of each story at random moments
 * @param kills the most kills of each story
 */
export function proveEach(seed: number, random: number, kills: number): void {
  describe('after a power cut', { skip: lacksStrace(), timeout: 300_000 }, () => {
    for (const [what, { faults, killed, again, ...story }] of Object.entries(CASES)) {
      const site = siteForAll();
      const next = randomFrom(seed);
      let recording: Recording;

      it(`${what}: all is there that was said`, async () => {
        recording = await record(site, story);
        const cuts = [...mainCuts(recording), ...randomCuts(recording, random, next)];
        const losses = await lossesOf(recording, cuts, next);
        console.log(`seed ${seed}: ${what}: ${cuts.length} cuts`);
        assert.deepEqual(losses.slice(0, 3), [], `seed ${seed}`);
      });

      it(`${what}: the same after kills, and the next try succeeds`, async () => {
        const trace = recording.steps.find((step) => step.what === killed)?.trace ?? [];
        const moments = momentsOf(recording.root, trace);
        const every = Math.ceil(moments.length / kills);
        const cuts = moments
          .filter((_, i) => i % every === 0)
          .map((at) => ({ at, keeps: 'all' }) as const);
        console.log(`${what}: ${cuts.length} kills at ${moments.length} moments`);
        const losses = await lossesOf(recording, cuts, next, undefined, again);
        assert.deepEqual(losses.slice(0, 3), []);
      });

      for (const [fault, alter] of Object.entries(faults))
        it(`${what}: losses are reported where ${fault}`, async () => {
          const losses = await lossesOf(recording, mainCuts(recording), next, alter);
          console.log(`${fault}: ${losses.length} losses: ${losses[0]?.slice(0, 200)}`);
          assert.ok(losses.length > 0);
        });
    }
  });
}
