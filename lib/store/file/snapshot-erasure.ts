/** Erases a person from the snapshots, so that no restore brings them back. */

import { StoreError } from '../errors.ts';
import { normalizeEmail } from '../rows/normalize.ts';
import { erasure } from '../rows/personal-data.ts';
import { hasTable } from './inspection.ts';
import { whileClaimed } from './lock.ts';
import { exists, putInPlace, removeDatabase, removeSideFiles } from './private-files.ts';
import { holds } from './residue.ts';
import { checkDraft, copyInSteps, listSnapshots, newDraft, removeLeftovers } from './snapshots.ts';
import Database, { withDatabase } from './sqlite.ts';

/** The columns that hold addresses. */
const ADDRESSES = {
  invites: ['email', 'invited_by'],
  sessions: ['email'],
  project_joins: ['email'],
  events: ['email'],
} as const;

/** The snapshots that hold an address; those with a log beside them may. */
export const snapshotsWith = (store: string, email: string): readonly string[] =>
  listSnapshots(store)
    .map(({ file }) => file)
    .filter(
      (file) => exists(`${file}-wal`) || formsIn(file, email).some((form) => holds(file, form)),
    );

export type ErasedSnapshots = {
  readonly erased: number;
  /** Those that do not check out, and are left as they are. */
  readonly failed: readonly string[];
};

/**
 * Erases an address from the snapshots: each gets a draft, which is checked and then takes its name.
 * Removes the drafts of interrupted tools.
 *
 * @param keep leaves the snapshots as they are
 */
export const eraseFromSnapshots = (
  store: string,
  email: string,
  keep: boolean,
): Promise<ErasedSnapshots> =>
  whileClaimed(store, 'copy', async () => {
    removeLeftovers(store);
    const failed: string[] = [];
    // Only now: a copy that was under way when the person was expelled has become a snapshot.
    const snapshots = keep ? [] : snapshotsWith(store, email);
    for (const file of snapshots) if (!(await eraseFrom(store, file, email))) failed.push(file);
    return { erased: snapshots.length - failed.length, failed };
  });

async function eraseFrom(store: string, snapshot: string, email: string): Promise<boolean> {
  const draft = newDraft(store);
  try {
    await copySnapshot(snapshot, draft);
    const forms = formsIn(draft, email);
    withDatabase(draft, {}, (db) => {
      db.pragma('secure_delete = on');
      const { expel, eraseLogs } = erasure(db);
      db.transaction(() => {
        for (const form of forms) {
          expel(form);
          eraseLogs(form, -1);
        }
      })();
    });
    // Left by a program that does not overwrite what it deletes, or part of another address.
    if (forms.some((form) => holds(draft, form)))
      withDatabase(draft, {}, (db) => db.exec('vacuum'));
    checkDraft(draft, snapshot);
    // SQLite would apply the old log to the new file.
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

/** The address, and its other forms in a snapshot of 1.0.0, which kept a domain as it was typed. */
function formsIn(snapshot: string, email: string): readonly string[] {
  try {
    return withDatabase(snapshot, { readonly: true }, (db) => {
      const columns = Object.entries(ADDRESSES)
        .filter(([table]) => hasTable(db, table))
        .flatMap(([table, names]) => names.map((name) => `select ${name} as email from ${table}`));
      const typed = db
        .prepare<[], string>(
          `select email from (${columns.join(' union ')}) where email glob '*@*[^ -~]*'`,
        )
        .pluck();
      return [email, ...typed.all().filter((form) => normalizeEmail(form) === email)];
    });
  } catch (error) {
    if (error instanceof Database.SqliteError) return [email];
    throw error;
  }
}

async function copySnapshot(snapshot: string, draft: string): Promise<void> {
  const db = new Database(snapshot, { readonly: true });
  try {
    await copyInSteps(db, draft, () => {});
  } finally {
    db.close();
  }
}
