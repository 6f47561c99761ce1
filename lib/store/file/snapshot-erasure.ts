/** Erases a person from the snapshots, so that no restore brings them back. */
import { StoreError } from '../errors.ts';
import { normalizeEmail } from '../rows/normalize.ts';
import { erasure } from '../rows/personal-data.ts';
import { whileClaimed } from './lock.ts';
import { exists, removeDatabase, replaceDatabase, sync } from './private-files.ts';
import { holds } from './residue.ts';
import {
  checkDraft,
  copyInSteps,
  listSnapshots,
  newDraft,
  removeLeftovers,
  snapshotFolder,
} from './snapshots.ts';
import Database, { withDatabase } from './sqlite.ts';

/** The snapshots that hold an address, or may hold it because they have a WAL. */
export const snapshotsWith = (store: string, email: string): readonly string[] =>
  listSnapshots(store)
    .map(({ file }) => file)
    .filter(
      (file) => exists(`${file}-wal`) || formsIn(file, email).some((form) => holds(file, form)),
    );

/**
 * Erases an address from the snapshots. A checked draft replaces each of them. Also removes the
 * drafts of interrupted tools.
 *
 * @param keep leaves the snapshots unchanged
 * @returns how many were changed, and the paths of those that fail the check
 */
export const eraseFromSnapshots = (store: string, email: string, keep: boolean) =>
  whileClaimed(store, 'copy', async () => {
    removeLeftovers(store);
    const failed: string[] = [];
    // Listed under the claim, so that no copy is still under way.
    const snapshots = keep ? [] : snapshotsWith(store, email);
    for (const file of snapshots) if (!(await eraseFrom(store, file, email))) failed.push(file);
    // The removed draft may have held the address.
    if (exists(snapshotFolder(store))) sync(snapshotFolder(store));
    return { erased: snapshots.length - failed.length, failed };
  });

async function eraseFrom(store: string, snapshot: string, email: string): Promise<boolean> {
  const draft = newDraft(store);
  try {
    await copyInSteps(snapshot, { readonly: true }, draft);
    const forms = formsIn(draft, email);
    withDatabase(draft, {}, (db) => {
      db.pragma('secure_delete = on');
      const { expel, eraseLogs } = erasure(db);
      const eraseAll = db.transaction((form: string) => {
        expel(form);
        eraseLogs(form);
      });
      for (const form of forms) eraseAll(form);
    });
    // Left by a program without `secure_delete`, or part of another address.
    if (forms.some((form) => holds(draft, form)))
      withDatabase(draft, {}, (db) => db.exec('vacuum'));
    checkDraft(draft, snapshot);
    replaceDatabase(draft, snapshot);
    return true;
  } catch (error) {
    if (error instanceof StoreError || error instanceof Database.SqliteError) return false;
    throw error;
  } finally {
    removeDatabase(draft);
  }
}

/** The address, and the forms in a snapshot of 1.0.0, which stored domains as they were typed. */
function formsIn(snapshot: string, email: string): readonly string[] {
  try {
    return withDatabase(snapshot, { readonly: true }, (db) => {
      const select = (sql: string) => db.prepare<[], string>(sql).pluck().all();
      const columns = select(
        `select printf('select "%w" as email from "%w"', field.name, sqlite_schema.name)
         from sqlite_schema, pragma_table_info(sqlite_schema.name) as field
         where sqlite_schema.type = 'table' and field.name in ('email', 'invited_by')`,
      );
      const typed = `select email from (${columns.join(' union ')}) where email glob '*@*[^ -~]*'`;
      return [email, ...select(typed).filter((form) => normalizeEmail(form) === email)];
    });
  } catch (error) {
    if (error instanceof Database.SqliteError) return [email];
    throw error;
  }
}
