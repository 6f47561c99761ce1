/** The power fails at 20,000 moments and more: what was said to be done is there. */
import { BACKUP, ERASURE, FIRST, FOREIGN, LOG, MIGRATION, PRUNING } from './power-cut/faults.ts';
import { proveEach } from './power-cut/proof.ts';
import {
  backupAfterKill,
  firstInvite,
  foreignFolder,
  load,
  migration,
  serverCheckpoint,
  slowSync,
  snapshotWithLog,
  toolCheckpoint,
  wholeLife,
} from './power-cut/stories.ts';

// The cuts of a checkpoint of the server take long: its log has 16 MB.
proveEach({
  'from the first start to a restore': { story: wholeLife(8), random: 1500, faults: PRUNING },
  'the server under load': { story: load, random: 1000, faults: LOG },
  'the first invite': { story: firstInvite, random: 1000, faults: FIRST },
  'the first invite, in the folder of another program': {
    story: foreignFolder,
    random: 500,
    faults: FOREIGN,
  },
  'a backup after one that was killed': {
    story: backupAfterKill,
    random: 500,
    faults: BACKUP,
  },
  'a tool beside a slow sync': { story: slowSync, random: 500 },
  'a person erased from a snapshot with a log': {
    story: snapshotWithLog,
    random: 1500,
    faults: ERASURE,
  },
  'a store of 1.0.0, and the snapshot before its migration': {
    story: migration,
    random: 1000,
    faults: MIGRATION,
  },
  'a checkpoint of the server': { story: serverCheckpoint, random: 300 },
  'a checkpoint of a tool': { story: toolCheckpoint, random: 500 },
});
