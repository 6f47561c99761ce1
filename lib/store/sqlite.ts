/** Opens SQLite files. Everything else in `lib/store` works on what this returns. */
import Sqlite from 'better-sqlite3';
import { ExpectedError } from '../config.ts';

export type Database = Sqlite.Database;

/**
 * Every connection, with its statements by their texts. Node 24.19 and later abort when V8 collects
 * a native object of better-sqlite3 12 (nodejs/node#65446), so nothing leaves this map. For the same
 * reason no other code calls `prepare`, `iterate`, `pragma` or `backup`, which make more such objects.
 */
const statements = new Map<Database, Map<string, Sqlite.Statement>>();

/**
 * It waits 5 s for the lock of another program, which is the default.
 *
 * @throws {ExpectedError} if SQLite cannot be loaded, or cannot open the file
 */
export function openDatabase(file: string, options: Sqlite.Options = {}): Database {
  const db = connect(file, options);
  statements.set(db, new Map());
  return db;
}

/**
 * A prepared statement, made once for each text, so that SQL is written where it is used. It is
 * shared: nobody may change how it returns rows, as `pluck` and `raw` do.
 */
export function statement<Parameters extends unknown[], Row = unknown>(
  db: Database,
  sql: string,
): Sqlite.Statement<Parameters, Row> {
  const known = statements.get(db)?.get(sql);
  if (known) return known as Sqlite.Statement<Parameters, Row>;
  const prepared = db.prepare<Parameters, Row>(sql);
  statements.get(db)?.set(sql, prepared);
  return prepared;
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

/** The row of a query that always has one. */
export function readRow<Row extends object>(db: Database, sql: string, parameters = {}): Row {
  const row = statement<[object], Row>(db, sql).get(parameters);
  if (row === undefined) throw new Error('a query that always has a row returned none');
  return row;
}

/** The first value of such a row, for example of a pragma. */
export function readValue(db: Database, sql: string, parameters = {}): unknown {
  return Object.values(readRow(db, sql, parameters))[0];
}

/** Another program holds the lock. */
export function isLocked(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY');
}

/** The file is no database, or only parts of one. */
export function isDamaged(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);
}

/** The machine's fault and not a bug: a lock, a full disk, damage. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Sqlite.SqliteError)) return false;
  return /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB)/.test(error.code);
}
