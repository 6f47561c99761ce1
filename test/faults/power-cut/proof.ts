/** The tests of a story: cuts of its recording lose nothing, and those of each fault in it do. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lacksStrace } from '../../support/lacks.ts';
import { siteForEach } from '../../support/site.ts';
import type { Faults } from './faults.ts';
import { type Recording, record, type Story } from './recording.ts';
import { tryCuts } from './try-cuts.ts';

type Case = {
  readonly story: Story;
  /** Cuts of each phase at random moments. */
  readonly random: number;
  readonly faults?: Faults;
};

/** @param cases by what is done in them */
export function proveEach(cases: Readonly<Record<string, Case>>): void {
  describe('after a power cut', { skip: lacksStrace() }, () => {
    const site = siteForEach();
    const seed = Math.floor(Math.random() * 1e6);
    for (const [what, { story, random, faults = {} }] of Object.entries(cases)) {
      let recording: Recording;

      it(`${what}: all is there that was said`, async () => {
        recording = await record(site, story);
        const lost: string[] = [];
        for await (const { phase, cuts, losses } of tryCuts(recording, { seed, random })) {
          console.log(`seed ${seed}: ${phase}: ${cuts} cuts, ${losses.length} with losses`);
          lost.push(...losses.slice(0, 3).map((loss) => `${phase}: ${loss}`));
        }
        assert.deepEqual(lost, [], `seed ${seed}`);
      });

      for (const [fault, altered] of Object.entries(faults))
        it(`${what}: losses are reported where ${fault}`, async () => {
          for await (const tally of tryCuts(recording, { seed, random: 0, ...altered })) {
            const { cuts, losses } = tally;
            const example = losses[0]?.slice(0, 200);
            console.log(`${fault}: ${losses.length} of ${cuts} cuts lose something: ${example}`);
            assert.ok(losses.length > 0);
          }
        });
    }
  });
}
