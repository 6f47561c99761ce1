/** Erases a person from the WAL and from the snapshots. */
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { erasureWriter } from './personal-data.ts';
import { inspectStoreFile } from './inspection.ts';
import { whileClaimed } from './lock.ts';
import { fsync, removeDatabase } from './private-files.ts';
import { copyDraftPath, listSnapshots, type Snapshot } from './snapshots.ts';
import Database, { withDatabase } from './sqlite.ts';

/** Duration of an attempt and of the pause after it, in ms. The server's writes wait for it. */
const RETRY_PAUSE = 20;

/** Truncates the WAL, which holds deleted rows. @returns false if readers prevent it for 5 s */
export const truncateWal = (store: string): Promise<boolean> =>
  whileClaimed(store, 'open', async () => {
    const db = new Database(store, { fileMustExist: true, timeout: RETRY_PAUSE });
    try {
      const deadline = performance.now() + 5000;
      while (db.pragma('wal_checkpoint(truncate)', { simple: true }) !== 0) {
        if (performance.now() > deadline) return false;
        await setTimeout(RETRY_PAUSE);
      }
      // Without a sync, a power cut would undo the truncation.
      fsync(`${store}-wal`);
      return true;
    } finally {
      db.close();
      // The close of the last connection deletes the WAL.
      fsync(path.dirname(store));
    }
  });

/** Finds a row that contains an address, in every schema since 1.1.0. */
const FIND_ROW = `
  select 1 from people where email = $email
  union all select 1 from invites where $email in (email, invited_by)
  union all select 1 from sessions where email = $email
  union all select 1 from events where email = $email
  union all select 1 from project_joins where email = $email
  union all select 1 from changes where $email in (email, author)`;

/** The snapshots that contain an address or cannot be read, newest first. */
export const snapshotsNaming = (store: string, email: string): readonly Snapshot[] =>
  listSnapshots(store).filter(({ file }) => namesEmail(file, email));

function namesEmail(file: string, email: string): boolean {
  const find = (db: Database.Database) => db.prepare(FIND_ROW).get({ email }) !== undefined;
  return withDatabase(file, { readonly: true }, find, () => true);
}

/** @returns how many snapshots were changed, and the paths that failed */
export const eraseFromSnapshots = (store: string, email: string) =>
  whileClaimed(store, 'copy', () => {
    // Of an interrupted copy.
    removeDatabase(copyDraftPath(store));
    // Listed under the claim, which excludes a running copy.
    const files = snapshotsNaming(store, email).map(({ file }) => file);
    const failed = files.filter((file) => !eraseFrom(file, email));
    return { erased: files.length - failed.length, failed };
  });

function eraseFrom(snapshot: string, email: string): boolean {
  const erase = (db: Database.Database): boolean => {
    db.pragma('secure_delete = on');
    // Otherwise a power cut could bring back the journal and so undo the transaction.
    db.pragma('synchronous = extra');
    const { eraseAccess, eraseLogs } = erasureWriter(db);
    db.transaction(() => {
      eraseAccess(email);
      eraseLogs(email);
    })();
    return true;
  };
  const isErased = withDatabase(snapshot, { fileMustExist: true }, erase, () => false);
  return isErased && !namesEmail(snapshot, email) && inspectStoreFile(snapshot).fault === null;
}
