/** The power fails at 20,000 moments and more: what was said to be done is there. */
import { describe, it } from 'node:test';
import { lacks } from '../support/lacks.ts';
import { siteForEach } from '../support/site.ts';
import { assertNothingLost } from './power-cut/proof.ts';
import { record } from './power-cut/recording.ts';
import {
  checkpoints,
  firstInvite,
  migration,
  slowSync,
  snapshotWithLog,
  wholeLife,
} from './power-cut/stories.ts';

/** Random cuts of each phase. Those of `checkpoints` take long, because its log has 16 MB. */
const STORIES = {
  'from the first start to a restore': [wholeLife(8), 1500],
  'the first invite': [firstInvite, 1000],
  'a tool beside a slow sync': [slowSync, 500],
  'a snapshot that has a log': [snapshotWithLog, 1500],
  'a migration': [migration, 1000],
  'checkpoints of the server and of a tool': [checkpoints, 250],
} as const;

describe('after a power cut', { skip: lacks('strace') }, () => {
  const site = siteForEach();
  for (const [what, [story, random]] of Object.entries(STORIES))
    it(`${what}: all is there that was said`, async () => {
      const seed = Math.floor(Math.random() * 1e6);
      await assertNothingLost(await record(site, story), { seed, random });
    });
});
