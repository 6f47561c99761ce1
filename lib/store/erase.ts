/** Erases deleted rows from the bytes of the files, and finds snapshots that hold a person. */

import fs from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { countsFile } from './counting.ts';
import { fsync } from './files.ts';
import { countTraces, isUnknown } from './personal-data.ts';
import { listSnapshots, type Snapshot } from './snapshots.ts';
import Database, { withDatabase } from './sqlite.ts';

/** Duration of an attempt and of the pause after it, in ms. The server's writes wait for it. */
const RETRY_PAUSE = 20;

/**
 * Writes the store and its counts anew, because pages and WALs hold bytes of deleted rows. The
 * server's writes wait, some 10 s for a store of 1 GB.
 *
 * @returns the WALs that readers have kept in use for 5 s
 */
export async function removeDeletedBytes(store: string): Promise<readonly string[]> {
  const inUse: string[] = [];
  for (const file of [store, countsFile(store)].filter((each) => fs.existsSync(each))) {
    const db = new Database(file);
    try {
      db.exec('vacuum');
      db.pragma(`busy_timeout = ${RETRY_PAUSE}`);
      const deadline = performance.now() + 5000;
      while (db.pragma('wal_checkpoint(truncate)', { simple: true }) !== 0) {
        if (performance.now() > deadline) {
          inUse.push(`${file}-wal`);
          break;
        }
        await setTimeout(RETRY_PAUSE);
      }
      // Without a sync, a power cut would undo the truncation.
      fsync(`${file}-wal`);
    } finally {
      db.close();
    }
  }
  return inUse;
}

/** The snapshots that contain an address or cannot be read, newest first. */
export const snapshotsNaming = (store: string, email: string): readonly Snapshot[] =>
  listSnapshots(store).filter(({ file }) =>
    withDatabase(
      file,
      { readonly: true },
      (db) => !isUnknown(countTraces(db, email)),
      () => true,
    ),
  );
