/**
 * Replaces the store by a snapshot. A draft is made beside the store and renamed over it at the
 * end, so an interruption leaves either the old store or the new one, whole.
 */
import path from 'node:path';
import { isBusy, StoreError } from '../errors.ts';
import { writeChanges } from '../rows/changes.ts';
import { compare, END_SESSIONS } from './comparison.ts';
import { whileClaimed } from './lock.ts';
import { refuseNewer, upgrade } from './migrate.ts';
import {
  copyPrivate,
  exists,
  putInPlace,
  removeDatabase,
  removeSideFiles,
  sync,
} from './private-files.ts';
import { checkDraft, draftPath, newSnapshotPath } from './snapshots.ts';
import Database, { withDatabase } from './sqlite.ts';

/** Path of the store that a restore prepares. */
export const draftOf = (store: string): string => `${store}.draft`;

/**
 * @param snapshot path of a database, and of its side files if there are any; it is only read
 * @returns the changes, and the new path of the old store, or `null` if there was none
 * @throws {StoreError} if it fails the check or is too new, or the store is in use
 */
export const restoreSnapshot = (store: string, snapshot: string) =>
  whileClaimed(store, 'replace', async () => {
    const draft = draftOf(store);
    removeDatabase(draft);
    try {
      for (const side of ['', '-journal', '-wal'])
        if (exists(snapshot + side)) await copyPrivate(snapshot + side, draft + side);
      refuseNewer(snapshot, checkDraft(draft, snapshot).version);
      if (exists(store)) applyWal(store);
      const comparison = withDatabase(draft, {}, (db) => {
        // A migration may drop tables, whose rows must not stay in free pages.
        db.pragma('secure_delete = on');
        upgrade(db);
        writeChanges(db)('restored', null, path.basename(snapshot));
        return compare(db, store, END_SESSIONS);
      });
      const replaced = exists(store) ? await keep(store) : null;
      // SQLite would apply the old WAL to the new file, also if a power cut brought it back.
      removeSideFiles(store);
      sync(path.dirname(store));
      putInPlace(draft, store);
      return { ...comparison, replaced };
    } finally {
      removeDatabase(draft);
    }
  });

/** Makes the store one file, unless it is damaged. */
function applyWal(store: string): void {
  try {
    withDatabase(store, { timeout: 500 }, (db) => db.pragma('journal_mode = delete'));
  } catch (error) {
    // Another program without a claim.
    if (isBusy(error))
      throw new StoreError(
        `${store} is open in another program; stop it (the server, the standby, sqlite3), then try again`,
      );
    if (!(error instanceof Database.SqliteError)) throw error;
  }
}

/** Keeps the old store as a snapshot. A damaged one may have a WAL. @returns its new path */
async function keep(store: string): Promise<string> {
  const kept = newSnapshotPath(store, '-replaced');
  const draft = draftPath(store);
  removeDatabase(draft);
  await copyPrivate(store, draft);
  if (exists(`${store}-wal`)) {
    await copyPrivate(`${store}-wal`, `${kept}-wal`);
    sync(`${kept}-wal`);
  }
  putInPlace(draft, kept);
  return kept;
}
