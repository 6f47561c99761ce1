/**
 * Replaces the store by a snapshot. A draft is made beside the store, then renamed over it, so an
 * interruption leaves either the old store or the new one, whole.
 */
import path from 'node:path';
import { changeWriter } from './changes.ts';
import { type Comparison, compareWithStore } from './compare.ts';
import { isLost } from './connect.ts';
import { isBusy, StoreError } from './errors.ts';
import { checkStoreFile } from './inspection.ts';
import { whileClaimed } from './lock.ts';
import { migrate, refuseNewerSchema } from './migrate.ts';
import * as files from './private-files.ts';
import { checkDraft, copyDraftPath, newSnapshotPath } from './snapshots.ts';
import { type default as Database, withDatabase } from './sqlite.ts';

export const restoreDraftPath = (store: string): string => `${store}.draft`;

/** Compares without changes. The store may be in use. */
export function previewRestore(store: string, snapshot: string): Comparison {
  refuseNewerSchema(snapshot, checkStoreFile(snapshot).version);
  return withDatabase(snapshot, { readonly: true }, (db) => compareWithStore(db, store));
}

/**
 * @param snapshot path of a database, and of its side files if there are any; it is only read
 * @returns the changes, and the new path of the old store, or `null` if there was none
 * @throws {StoreError} if it fails the check or is too new, or the store is in use
 */
export const restoreSnapshot = (store: string, snapshot: string) =>
  whileClaimed(store, 'replace', async () => {
    const draft = restoreDraftPath(store);
    files.removeDatabase(draft);
    try {
      for (const side of ['', '-journal', '-wal'])
        await files.copyPrivateFile(snapshot + side, draft + side);
      refuseNewerSchema(snapshot, checkDraft(draft, snapshot).version);
      if (isLost(store)) files.createPrivateFile(store);
      else if (files.fileExists(store)) applyWal(store);
      const comparison = withDatabase(draft, {}, (db) => {
        // A migration may drop tables. Free pages must not keep their rows.
        db.pragma('secure_delete = on');
        migrate(db);
        changeWriter(db)('restored', null, path.basename(snapshot));
        return compareWithStore(db, store, END_SESSIONS);
      });
      const replaced = files.fileExists(store) ? await keepReplaced(store) : null;
      // Otherwise SQLite would apply the old WAL to the new file.
      files.removeSideFiles(store);
      files.fsync(path.dirname(store));
      files.replaceFile(draft, store);
      return { ...comparison, replaced };
    } finally {
      files.removeDatabase(draft);
    }
  });

/** A restore does not revive sessions that have ended since the snapshot. */
const END_SESSIONS = 'delete from main.sessions where id not in (select id from replaced.sessions)';

/** Moves the WAL into the store, unless it is damaged. */
function applyWal(store: string): void {
  const apply = (db: Database.Database) => void db.pragma('journal_mode = delete');
  withDatabase(store, { timeout: 500 }, apply, (error) => {
    // A program that makes no claim.
    if (isBusy(error))
      throw new StoreError(
        `${store} is open in another program; stop it (the server, the standby, sqlite3), then try again`,
      );
  });
}

/** Copies the old store, and a damaged or lost one's WAL, to the snapshots. @returns the path */
async function keepReplaced(store: string): Promise<string> {
  const kept = newSnapshotPath(store, '-replaced');
  const draft = copyDraftPath(store);
  files.removeDatabase(draft);
  await files.copyPrivateFile(store, draft);
  await files.copyPrivateFile(`${store}-wal`, `${draft}-wal`);
  files.replaceFile(draft, kept);
  if (files.fileExists(`${draft}-wal`)) files.replaceFile(`${draft}-wal`, `${kept}-wal`);
  return kept;
}
