/** Opens SQLite files. Everything else in `lib/store` works on what this returns. */
import Sqlite from 'better-sqlite3';
import { ExpectedError } from '../config.ts';

/**
 * A connection whose `prepare` caches by the text, so that SQL is written where it is used. Such a
 * statement is shared: nobody may change how it returns rows, as `pluck` and `raw` do.
 */
export type Database = Sqlite.Database;

/**
 * Node 24.19 and later abort when V8 collects a native object of better-sqlite3 12
 * (nodejs/node#65446), so connections are retained here, and each retains its statements. For the
 * same reason no code uses `iterate`, `pragma` or `backup`, which make more such objects.
 */
const retained: Database[] = [];

/** @throws {ExpectedError} if the native module was built for another Node */
export function openDatabase(file: string, options: Sqlite.Options = {}): Database {
  const db = connect(file, options);
  const prepare = db.prepare.bind(db);
  const statements = new Map<string, Sqlite.Statement>();
  Object.assign(db, {
    prepare(sql: string) {
      const prepared = statements.get(sql) ?? prepare(sql);
      statements.set(sql, prepared);
      return prepared;
    },
  });
  retained.push(db);
  return db;
}

function connect(file: string, options: Sqlite.Options): Database {
  try {
    return new Sqlite(file, options);
  } catch (error) {
    if (error instanceof Sqlite.SqliteError) throw new ExpectedError(`${file}: ${error.message}`);
    const [cause] = String(error).split('\n');
    throw new ExpectedError(
      `better-sqlite3 cannot be loaded; run npm rebuild better-sqlite3 (${cause})`,
    );
  }
}

/** The first value of the first row, for example of a pragma. */
export function readValue(db: Database, sql: string): unknown {
  const row = requireRow(db.prepare<[], Record<string, unknown>>(sql).get());
  return Object.values(row)[0];
}

/** The row of a query that always has one. */
export function requireRow<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new Error('a query that always has a row returned none');
  return row;
}

/** Another program holds the lock. */
export function isLocked(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY');
}

/** The machine's fault and not a bug: a lock, a full disk, damage. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Sqlite.SqliteError)) return false;
  return /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB)/.test(error.code);
}
