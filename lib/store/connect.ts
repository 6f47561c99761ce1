/** A connection to the store's file, set up as a tool needs it; the server's commit queue then syncs in its own way. */
import Database from 'better-sqlite3';
import { StoreError } from './errors.ts';

/**
 * @param file the store, which is made where there is none
 * @param busyTimeout how long a statement waits for somebody else's lock, in ms
 * @throws {StoreError} where the file belongs to another program
 */
export function connect(file: string, busyTimeout: number): Database.Database {
  const db = new Database(file, { timeout: busyTimeout });
  try {
    refuseForeign(db, file);
    db.pragma('journal_mode = WAL');
    // A commit is in the log, on disk, before it returns.
    db.pragma('synchronous = FULL');
    // What is deleted is overwritten, so that an address that was erased is in no free page.
    db.pragma('secure_delete = on');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function refuseForeign(db: Database.Database, file: string): void {
  const version = db.pragma('user_version', { simple: true });
  const tables = db.prepare<[], number>('select count(*) from sqlite_schema').pluck().get();
  if (version === 0 && tables !== 0) {
    throw new StoreError(
      `${file} is a SQLite file of something else; move it away, then start again`,
    );
  }
}
