/** The power fails at 20,000 moments and more: what was said to be done is there. */
import { describe, it } from 'node:test';
import { lacksStrace } from '../support/lacks.ts';
import { siteForEach } from '../support/site.ts';
import { assertNothingLost } from './power-cut/proof.ts';
import { record } from './power-cut/recording.ts';
import {
  backupAfterKill,
  firstInvite,
  migration,
  serverCheckpoint,
  slowSync,
  snapshotWithLog,
  toolCheckpoint,
  wholeLife,
} from './power-cut/stories.ts';

/** Random cuts of each phase. Those of a checkpoint of the server take long: its log has 16 MB. */
const STORIES = {
  'from the first start to a restore': [wholeLife(8), 1500],
  'the first invite': [firstInvite, 1000],
  'a backup after one that was killed': [backupAfterKill, 500],
  'a tool beside a slow sync': [slowSync, 500],
  'a snapshot that has a log': [snapshotWithLog, 1500],
  'a migration': [migration, 1000],
  'a checkpoint of the server': [serverCheckpoint, 300],
  'a checkpoint of a tool': [toolCheckpoint, 500],
} as const;

describe('after a power cut', { skip: lacksStrace() }, () => {
  const site = siteForEach();
  for (const [what, [story, random]] of Object.entries(STORIES))
    it(`${what}: all is there that was said`, async () => {
      const seed = Math.floor(Math.random() * 1e6);
      await assertNothingLost(await record(site, story), { seed, random });
    });
});
