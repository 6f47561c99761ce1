/** The tests of each story: power cuts and kills lose nothing, and show each fault. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lacksStrace } from '../../support/lacks.ts';
import { randomFrom } from '../../support/random.ts';
import { siteForAll } from '../../support/site.ts';
import { lossesOf } from './cut.ts';
import { type Recording, record } from './recording.ts';
import { STORIES } from './stories.ts';

/** @param more cuts of each story, at random moments */
export function proveEach(seed: number, more: number): void {
  describe(`after a power cut, seed ${seed}`, { skip: lacksStrace(), timeout: 300_000 }, () => {
    for (const [what, story] of Object.entries(STORIES)) {
      const site = siteForAll();
      const random = randomFrom(seed);
      let recording: Recording;

      it(`${what}: all is there that was said, and the next try succeeds`, async () => {
        recording = await record(site, story);
        const losses = await lossesOf(recording, random, { ...story, more });
        assert.deepEqual(losses.slice(0, 3), []);
      });

      for (const [fault, alter] of Object.entries(story.faults))
        it(`${what}: losses are reported where ${fault}`, async () => {
          const losses = await lossesOf(recording, random, { ...story, alter });
          console.log(`${fault}: ${losses.length} losses: ${losses[0]?.slice(0, 200)}`);
          assert.ok(losses.length > 0);
        });
    }
  });
}
