/** The tests of each story: power cuts lose nothing, and show each fault. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lacksStrace } from '../../support/lacks.ts';
import { siteForEach } from '../../support/site.ts';
import { type Recording, record } from './recording.ts';
import { CASES } from './stories.ts';
import { tryCuts } from './try-cuts.ts';

/** @param random cuts of each story at random moments */
export function proveEach(random: number): void {
  describe('after a power cut', { skip: lacksStrace() }, () => {
    const site = siteForEach();
    const seed = Math.floor(Math.random() * 1e6);
    for (const [what, { faults, ...story }] of Object.entries(CASES)) {
      let recording: Recording;

      it(`${what}: all is there that was said`, async () => {
        recording = await record(site, story);
        const { cuts, losses } = await tryCuts(recording, { seed, random });
        console.log(`seed ${seed}: ${what}: ${cuts} cuts`);
        assert.deepEqual(losses.slice(0, 3), [], `seed ${seed}`);
      });

      for (const [fault, alter] of Object.entries(faults))
        it(`${what}: losses are reported where ${fault}`, async () => {
          const { cuts, losses } = await tryCuts(recording, { seed, random: 0, alter });
          console.log(`${fault}: ${losses.length} of ${cuts} cuts: ${losses[0]?.slice(0, 200)}`);
          assert.ok(losses.length > 0);
        });
    }
  });
}
