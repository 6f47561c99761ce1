/** Erases a person from the store, and finds the snapshots that still hold the person. */
import { ExpectedError } from '../config.ts';
import { listDrafts, listSnapshots } from './snapshots.ts';
import { type Database, openDatabase, readValue, statement } from './sqlite.ts';

/** All columns that hold an address are `email` of these, and `invited_by`. */
const TABLES = ['invites', 'sessions', 'project_joins', 'events'] as const;

export type Forgotten = {
  /** How many rows are deleted. */
  readonly rows: number;
  /** How many guests this person had invited; they stay. */
  readonly guests: number;
};

/**
 * Deletes all that is stored about a person, so that no byte of the address is left.
 *
 * @throws {ExpectedError} if another program keeps bytes on disk; the rows are deleted all the same
 */
export function forgetPerson(db: Database, email: string): Forgotten {
  const deleted = db.transaction(deletePerson).immediate(db, email);
  // Deleted bytes may be left in pages that were split, and in the WAL.
  db.exec('vacuum');
  // The first value is 1 if another program reads the store as it was.
  if (readValue(db, 'pragma wal_checkpoint(truncate)') === 0) return deleted;
  throw new ExpectedError(
    `Erased ${email}, but old copies may still be on disk, because the store is in use. Run this again.`,
  );
}

function deletePerson(db: Database, email: string): Forgotten {
  let rows = 0;
  for (const table of TABLES)
    rows += statement<[string]>(db, `delete from ${table} where email = ?`).run(email).changes;
  const update = "update invites set invited_by = 'erased' where invited_by = ?";
  return { rows, guests: statement<[string]>(db, update).run(email).changes };
}

/** The paths of the snapshots, also unfinished ones, that hold an address or cannot be read. */
export function findSnapshotsWith(email: string): readonly string[] {
  // Drafts first, because one may become a snapshot meanwhile.
  const files = [...listDrafts(), ...listSnapshots().map(({ file }) => file)];
  return files.filter((file) => holds(file, email));
}

function holds(file: string, email: string): boolean {
  try {
    const db = openDatabase(file, { readonly: true });
    const columns = [...TABLES.map((table) => `email from ${table}`), 'invited_by from invites'];
    const union = columns.map((column) => `select ${column}`).join(' union all ');
    const found = statement<[string]>(db, `select 1 from (${union}) where email = ?`).get(email);
    db.close();
    return found !== undefined;
  } catch {
    // What cannot be read may hold it.
    return true;
  }
}
