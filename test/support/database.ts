/** A store as another program sees it. */
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

/** The first column of the first row of a query. */
export const queryOne = (file: string, sql: string): unknown =>
  withDatabase(file, (db) => db.prepare(sql).pluck().get());
