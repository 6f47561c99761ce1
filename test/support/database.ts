/** A store as another program sees it. */
import fs from 'node:fs';
import Database from 'better-sqlite3';

/** Opens a database for as long as `use` takes. */
export function withDatabase<T>(
  file: string,
  use: (db: Database.Database) => T,
  options?: Database.Options,
): T {
  const db = new Database(file, options);
  try {
    return use(db);
  } finally {
    db.close();
  }
}

/** The same, for reading only. */
export const read = <T>(file: string, use: (db: Database.Database) => T): T =>
  withDatabase(file, use, { readonly: true });

/** The first column of the first row of a query. */
export const queryOne = (file: string, sql: string): unknown =>
  read(file, (db) => db.prepare(sql).pluck().get());

/** The addresses that are invited in a store or snapshot, sorted; none where there is no file. */
export function invitedIn(file: string): readonly string[] {
  if (!fs.existsSync(file)) return [];
  const query = 'select email from invites order by email';
  return read(file, (db) => db.prepare<[], string>(query).pluck().all());
}
