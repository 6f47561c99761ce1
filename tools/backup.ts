/** Takes and lists snapshots of the store. How to restore one is in docs/install.md. */
import fs from 'node:fs';
import { countOf, runTool, withStore } from '../lib/cli.ts';
import { ExpectedError, storeFile } from '../lib/config.ts';
import { createSnapshot, listSnapshots, removeOldSnapshots } from '../lib/store/snapshots.ts';

runTool('backup', {
  create: {
    help: 'take a snapshot; those of more than 14 days go, but never the newest five',
    run: create,
  },
  list: {
    help: 'all snapshots, newest first',
    list: () => ({ columns: ['file', 'takenAt', 'bytes'], rows: listSnapshots() }),
  },
});

function create(): string {
  // Snapshots of a new, empty store would take the place of those that a restore needs.
  if (!fs.existsSync(storeFile)) throw new ExpectedError(`there is no store at ${storeFile}`);
  // First, because they may have filled the disk; then those beyond the newest five.
  const before = removeOldSnapshots(Date.now());
  const file = withStore(createSnapshot);
  const removed = before + removeOldSnapshots(Date.now());
  return `${file}\n${countOf(removed, 'old snapshot')} removed`;
}
