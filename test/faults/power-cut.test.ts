/** The power fails at any moment: what was said to be done is there. The long form cuts more often. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lacksStrace } from '../support/lacks.ts';
import { siteForEach } from '../support/site.ts';
import { FAULTS } from './power-cut/faults.ts';
import { assertNothingLost } from './power-cut/proof.ts';
import { type Recording, record } from './power-cut/recording.ts';
import { backupAfterKill, firstInvite, migration, wholeLife } from './power-cut/stories.ts';
import { tryCuts } from './power-cut/try-cuts.ts';

const CUTS = 12;

describe('after a power cut', { skip: lacksStrace() }, () => {
  const site = siteForEach();
  const seed = Math.floor(Math.random() * 1e6);
  let recorded: Promise<Recording> | undefined;
  const life = () => (recorded ??= record(site, wholeLife(3)));

  it('all is there that the server and the tools have said, from the first start to a restore', async () => {
    await assertNothingLost(await life(), { seed, random: CUTS });
  });

  it('the first invite is there', async () => {
    await assertNothingLost(await record(site, firstInvite), { seed, random: CUTS });
  });

  it('a snapshot is there, also in a folder that a killed backup has left', async () => {
    await assertNothingLost(await record(site, backupAfterKill), { seed, random: CUTS });
  });

  it('a store of an earlier version is there, and what was said after its migration', async () => {
    await assertNothingLost(await record(site, migration), { seed, random: CUTS });
  });

  for (const [fault, { phase, alter }] of Object.entries(FAULTS))
    it(`losses are reported where ${fault}`, async () => {
      const tallies = tryCuts(await life(), { seed, random: 0, phase, alter });
      for await (const { cuts, losses } of tallies) {
        const example = losses[0]?.slice(0, 200);
        console.log(`${fault}: ${losses.length} of ${cuts} cuts lose something: ${example}`);
        assert.ok(losses.length > 0);
      }
    });
});
