/** Erases a person from the snapshots, so that no restore brings them back. */

import { StoreError } from './errors.ts';
import { claim } from './lock.ts';
import { erasure } from './personal-data.ts';
import { exists, putInPlace, removeDatabase, removeSideFiles } from './private-files.ts';
import { holds } from './residue.ts';
import { checkDraft, copyInSteps, listSnapshots, newDraft, removeLeftovers } from './snapshots.ts';
import Database from './sqlite.ts';

/** The snapshots that hold an address, or may: those whose rows are in a log beside them. */
export const snapshotsWith = (store: string, email: string): readonly string[] =>
  listSnapshots(store)
    .map(({ file }) => file)
    .filter((file) => exists(`${file}-wal`) || holds(file, email));

export type ErasedSnapshots = {
  readonly erased: number;
  /** Those that do not check out, and are left as they are. */
  readonly failed: readonly string[];
};

/**
 * Erases an address from the snapshots, each by a draft that is checked and then takes its name; removes the drafts
 * that interrupted tools have left.
 *
 * @param keep leaves the snapshots as they are
 */
export async function eraseFromSnapshots(
  store: string,
  email: string,
  keep: boolean,
): Promise<ErasedSnapshots> {
  const release = claim(store, 'copy');
  const failed: string[] = [];
  try {
    removeLeftovers(store);
    // Only now: a copy that was under way when the person was expelled has become a snapshot.
    const snapshots = keep ? [] : snapshotsWith(store, email);
    for (const file of snapshots) if (!(await eraseFrom(store, file, email))) failed.push(file);
    return { erased: snapshots.length - failed.length, failed };
  } finally {
    release();
  }
}

async function eraseFrom(store: string, snapshot: string, email: string): Promise<boolean> {
  const draft = newDraft(store);
  try {
    await copy(snapshot, draft);
    change(draft, (db) => {
      const { expel, eraseLogs } = erasure(db);
      db.transaction(() => {
        expel(email);
        eraseLogs(email, -1);
      })();
    });
    // Left by a program that does not overwrite what it deletes, or part of another address.
    if (holds(draft, email)) change(draft, (db) => db.exec('vacuum'));
    checkDraft(draft, snapshot);
    // A log that is left would be taken for the new file's.
    removeSideFiles(snapshot);
    putInPlace(draft, snapshot);
    return true;
  } catch (error) {
    if (error instanceof StoreError || error instanceof Database.SqliteError) return false;
    throw error;
  } finally {
    removeDatabase(draft);
  }
}

async function copy(snapshot: string, draft: string): Promise<void> {
  const db = new Database(snapshot, { readonly: true });
  try {
    await copyInSteps(db, draft, () => {});
  } finally {
    db.close();
  }
}

function change(draft: string, use: (db: Database.Database) => void): void {
  const db = new Database(draft);
  try {
    db.pragma('secure_delete = on');
    use(db);
  } finally {
    db.close();
  }
}
