/** Connects to the store's file, and recognizes a store. */
import { StoreError } from './errors.ts';
import Database from './sqlite.ts';

/**
 * Connects with `synchronous=FULL`, which the commit queue lowers. Creates a missing file. Waits
 * `busyTimeout` ms for a lock. @throws {StoreError} if the file is not a store
 */
export function connectToStore(
  file: string,
  busyTimeout: number,
  setUp: (db: Database.Database) => void = () => {},
): Database.Database {
  const db = new Database(file, { timeout: busyTimeout });
  try {
    // In a transaction, because another process may be creating the store.
    const foreign = db.transaction(() => (isEmpty(db) ? undefined : whyNoStore(db)))();
    if (foreign) throw new StoreError(`${file} ${foreign}`);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    setUp(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** SQLite's `application_id` of a store, "GsL3", and that of pre-releases. */
export const APPLICATION_ID = 0x47734c33;
const PRE_RELEASE_ID = 0x47756573;

/** Why a file is not a store, with the remedy; `undefined` if it is one. */
export function whyNoStore(db: Database.Database): string | undefined {
  const id = readPragma(db, 'application_id');
  if (id === APPLICATION_ID) return undefined;
  return id === PRE_RELEASE_ID
    ? 'was made by a pre-release; move it away, and invite from its CSV'
    : 'is not a store of Guestlist; move it away, then try again';
}

export const readPragma = (db: Database.Database, name: string): number =>
  Number(db.pragma(name, { simple: true }));

const isEmpty = (db: Database.Database): boolean =>
  ['user_version', 'application_id', 'schema_version'].every((name) => readPragma(db, name) === 0);
