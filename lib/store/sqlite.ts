/**
 * Loads better-sqlite3 12. Node 24.19 and later 24.x abort when V8 collects an object of an addon
 * that was compiled with their headers (nodejs/node#65446). So on these versions every such object
 * is retained. No code iterates a statement, because an iterator is one more such object.
 */
import type Sqlite from 'better-sqlite3';
import { dataFolder, requirePackage } from '../config.ts';

const Database: typeof Sqlite = requirePackage('better-sqlite3');

declare namespace Database {
  type Database = Sqlite.Database;
  type Options = Sqlite.Options;
  type Statement<Parameters extends unknown[] | object, Row> = Sqlite.Statement<Parameters, Row>;
}

// A vacuum needs a temporary file as large as the store, and /tmp may be too small. Without a data
// folder, SQLite uses /tmp.
process.env.SQLITE_TMPDIR ??= dataFolder;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major === 24 && minor >= 19) {
  try {
    keepNativeObjects();
  } catch {
    // The native module cannot be loaded. Opening a store reports that.
  }
}

/**
 * Retains every native object from now on. Every prepared statement then stays in memory until the
 * process ends, so one that is used repeatedly is prepared once, a pragma too. @returns the objects
 */
export function keepNativeObjects(): ReadonlySet<unknown> {
  const db = new Database(':memory:');
  const kept = new Set<unknown>();
  for (const symbol of Object.getOwnPropertySymbols(db)) {
    const prototype: object = Object.getPrototypeOf(Reflect.get(db, symbol));
    // The first two return native objects. The others may be the only call on a database.
    for (const method of ['prepare', 'backup', 'exec', 'close']) {
      const original = Reflect.get(prototype, method);
      Reflect.set(prototype, method, function (this: object, ...args: unknown[]) {
        kept.add(this);
        const made: unknown = Reflect.apply(original, this, args);
        kept.add(made);
        return made;
      });
    }
  }
  db.close();
  return kept;
}

/**
 * Opens a file that anybody may have made, and closes it after use.
 *
 * @param otherwise handles SQLite's errors
 */
export function withDatabase<T>(
  file: string,
  options: Database.Options,
  use: (db: Database.Database) => T,
  otherwise?: (error: Error) => T,
): T {
  let db: Database.Database | undefined;
  try {
    db = new Database(file, options);
    // The schema of a foreign file must not call functions with side effects, or forbid deletions.
    db.pragma('trusted_schema = off');
    db.pragma('foreign_keys = off');
    return use(db);
  } catch (error) {
    if (otherwise && error instanceof Database.SqliteError) return otherwise(error);
    throw error;
  } finally {
    db?.close();
  }
}

/** The row of a statement that always returns one row. */
export function requireRow<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new Error('the store has lost a row that it always has');
  return row;
}

/** Makes a function that returns a statement, and prepares each one once. */
export function statementCache<Row>(
  prepare: (sql: string) => Database.Statement<[object], Row>,
): (sql: string) => Database.Statement<[object], Row> {
  const statements = new Map<string, Database.Statement<[object], Row>>();
  return (sql) => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
}

export default Database;
