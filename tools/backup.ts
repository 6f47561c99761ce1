/** Takes and lists snapshots of the store. How to restore one is in docs/install.md. */
import { runTool, withStore } from '../lib/cli.ts';
import { ExpectedError } from '../lib/config.ts';
import { createSnapshot, listSnapshots, removeOldSnapshots } from '../lib/store/snapshots.ts';

runTool('backup', {
  create: {
    help: 'take a snapshot, and delete those older than 14 days, except the newest five',
    run: create,
  },
  list: {
    help: 'all snapshots, newest first',
    list: () => ({ columns: ['file', 'takenAt', 'bytes'], rows: listSnapshots() }),
  },
});

function create(): string {
  return withStore((db) => {
    // First, because they may have filled the disk; then those beyond the newest five.
    const before = removeOldSnapshots(Date.now());
    const file = createSnapshot(db);
    if (file === undefined) throw new ExpectedError('a snapshot of this second exists already');
    const removed = before + removeOldSnapshots(Date.now());
    return `${file}\nold snapshots removed: ${removed}`;
  });
}
