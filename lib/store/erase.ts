/** Erases deleted rows from the bytes of the store, and finds snapshots that hold a person. */
import { setTimeout } from 'node:timers/promises';
import { StoreError } from './errors.ts';
import { fsync } from './files.ts';
import { countTraces, isUnknown } from './personal-data.ts';
import { listSnapshots, type Snapshot } from './snapshots.ts';
import Database, { withDatabase } from './sqlite.ts';

/** How long other programs may keep the WAL in use, and the pause between two attempts, in ms. */
const TIMEOUT = 5000;
const RETRY_PAUSE = 20;

/**
 * Writes the store anew, because pages and the WAL hold bytes of deleted rows. The server waits.
 *
 * @throws {StoreError} if they are still in the file
 */
export async function removeDeletedBytes(store: string): Promise<void> {
  const db = new Database(store, { fileMustExist: true });
  try {
    db.exec('vacuum');
    db.pragma(`busy_timeout = ${RETRY_PAUSE}`);
    const deadline = performance.now() + TIMEOUT;
    while (db.pragma('wal_checkpoint(truncate)', { simple: true }) !== 0) {
      if (performance.now() > deadline)
        throw new Error(`another program, such as the standby, reads ${store}`);
      await setTimeout(RETRY_PAUSE);
    }
    // Without a sync, a power cut would undo the truncation.
    fsync(`${store}-wal`);
  } catch (error) {
    const { message } = error as Error;
    const text = `erased, but its bytes are still in the file: ${message}; mend that, and run this again`;
    throw new StoreError(text, { cause: error });
  } finally {
    db.close();
  }
}

/** The snapshots that contain one of these addresses or cannot be read, newest first. */
export const snapshotsWith = (store: string, emails: readonly string[]): readonly Snapshot[] =>
  listSnapshots(store).filter(({ file }) =>
    withDatabase(
      file,
      { readonly: true },
      (db) => emails.some((email) => !isUnknown(countTraces(db, email))),
      () => true,
    ),
  );
