/** Opens the store's file as a tool needs it; the commit queue changes how it syncs. */
import { StoreError } from '../errors.ts';
import Database from './sqlite.ts';

/**
 * @param file the store, which is made where there is none
 * @param busyTimeout how long a statement waits for another program's lock, in ms
 * @param setUp is called before the connection is given out
 * @throws {StoreError} where the file belongs to another program
 */
export function connect(
  file: string,
  busyTimeout: number,
  setUp: (db: Database.Database) => void = () => {},
): Database.Database {
  const db = new Database(file, { timeout: busyTimeout });
  try {
    refuseForeign(db, file);
    db.pragma('journal_mode = WAL');
    // A commit is in the log, on disk, before it returns.
    db.pragma('synchronous = FULL');
    // Overwrites what is deleted, so that no free page holds an erased address.
    db.pragma('secure_delete = on');
    setUp(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** What marks a file as a store of Guestlist in SQLite's `application_id`: "Gues". */
const APPLICATION_ID = 0x47756573;

/** Tables of a store of 1.0.0, which has no mark, and a column of each. */
const UNMARKED = { invites: 'invited_by', sessions: 'secret_hash' } as const;

/** The last version that 1.0.0 wrote, which set no mark; and the last before its totals, which it kept in another way. */
const UNMARKED_VERSION = 6;
const WITHOUT_TOTALS = 4;

/** The schema version. What has totals as 1.0.0 kept them counts as without: they are counted anew. */
export function readVersion(db: Database.Database): number {
  const version = Number(db.pragma('user_version', { simple: true }));
  const isUnmarked = version <= UNMARKED_VERSION && !isMarked(db);
  return isUnmarked ? Math.min(version, WITHOUT_TOTALS) : version;
}

/** Whether a file is a store of Guestlist, of whatever version. */
export function isStore(db: Database.Database): boolean {
  if (db.pragma('user_version', { simple: true }) === 0) return false;
  const id = db.pragma('application_id', { simple: true });
  if (id !== 0) return id === APPLICATION_ID;
  const column = db.prepare('select 1 from pragma_table_info(?) where name = ?');
  return Object.entries(UNMARKED).every((table) => column.get(table) !== undefined);
}

/** Marks a file as a store. */
export const mark = (db: Database.Database): unknown =>
  db.pragma(`application_id = ${APPLICATION_ID}`);

const isMarked = (db: Database.Database): boolean =>
  db.pragma('application_id', { simple: true }) === APPLICATION_ID;

function refuseForeign(db: Database.Database, file: string): void {
  if (isStore(db) || isEmpty(db)) return;
  throw new StoreError(
    `${file} is a SQLite file of something else; move it away, then start again`,
  );
}

const isEmpty = (db: Database.Database): boolean =>
  ['user_version', 'application_id', 'schema_version'].every(
    (name) => db.pragma(name, { simple: true }) === 0,
  );
