/** The power fails at any moment: what was said to be done is there. The long form cuts more often. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lacksStrace } from '../support/lacks.ts';
import { siteForEach } from '../support/site.ts';
import { FAULTS } from './power-cut/faults.ts';
import { assertNothingLost } from './power-cut/proof.ts';
import { type Recording, record } from './power-cut/recording.ts';
import {
  backupAfterKill,
  firstInvite,
  migration,
  snapshotWithLog,
  wholeLife,
} from './power-cut/stories.ts';
import { tryCuts } from './power-cut/try-cuts.ts';

const CUTS = 12;

describe('after a power cut', { skip: lacksStrace() }, () => {
  const site = siteForEach();
  const seed = Math.floor(Math.random() * 1e6);
  let life: Recording;
  let erasure: Recording;

  it('all is there that the server and the tools have said, from the first start to a restore', async () => {
    life = await record(site, wholeLife(3));
    await assertNothingLost(life, { seed, random: CUTS });
  });

  it('the first invite is there', async () => {
    await assertNothingLost(await record(site, firstInvite), { seed, random: CUTS });
  });

  it('a snapshot is there, also in a folder that a killed backup has left', async () => {
    await assertNothingLost(await record(site, backupAfterKill), { seed, random: CUTS });
  });

  it('a snapshot that had a log is whole, and without the person who was erased', async () => {
    erasure = await record(site, snapshotWithLog);
    await assertNothingLost(erasure, { seed, random: CUTS });
  });

  it('a store of an earlier version is there, and what was said after its migration', async () => {
    await assertNothingLost(await record(site, migration), { seed, random: CUTS });
  });

  for (const [fault, { phase, alter }] of Object.entries(FAULTS))
    it(`losses are reported where ${fault}`, async () => {
      const recording = [life, erasure].find(({ steps }) => steps.some((s) => s.phase === phase));
      assert.ok(recording, `${phase} is recorded`);
      for await (const tally of tryCuts(recording, { seed, random: 0, phase, alter })) {
        const { cuts, losses } = tally;
        const example = losses[0]?.slice(0, 200);
        console.log(`${fault}: ${losses.length} of ${cuts} cuts lose something: ${example}`);
        assert.ok(losses.length > 0);
      }
    });
});
