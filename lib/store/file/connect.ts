/** Connects to the store's file, and distinguishes a store from other SQLite files. */
import { StoreError } from '../errors.ts';
import Database from './sqlite.ts';

/**
 * Connects with `synchronous=FULL`, which the commit queue changes. Creates a missing file.
 *
 * @param busyTimeout how long a statement waits for a lock, in ms
 * @throws {StoreError} if the file belongs to another program
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
    db.pragma('synchronous = FULL');
    // Deleted rows are overwritten, so that free pages hold no erased address.
    db.pragma('secure_delete = on');
    setUp(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** SQLite's `application_id` of a store: "Gues". */
const APPLICATION_ID = 0x47756573;

/** Tables of a store of 1.0.0, which has no `application_id`, and a column of each. */
const UNMARKED = { invites: 'invited_by', sessions: 'secret_hash' } as const;

/** The schema version of 1.0.0, and the last version without totals. */
const UNMARKED_VERSION = 6;
const WITHOUT_TOTALS = 4;

/** The schema version, without the totals of 1.0.0: a migration replaces them. */
export function readVersion(db: Database.Database): number {
  const version = readPragma(db, 'user_version');
  const isUnmarked = version <= UNMARKED_VERSION && readPragma(db, 'application_id') === 0;
  return isUnmarked ? Math.min(version, WITHOUT_TOTALS) : version;
}

/** Whether a file is a store of Guestlist, of any version. */
export function isStore(db: Database.Database): boolean {
  if (readPragma(db, 'user_version') === 0) return false;
  const id = readPragma(db, 'application_id');
  if (id !== 0) return id === APPLICATION_ID;
  const column = db.prepare('select 1 from pragma_table_info(?) where name = ?');
  return Object.entries(UNMARKED).every((table) => column.get(table) !== undefined);
}

/** Marks a file as a store. */
export const mark = (db: Database.Database): unknown =>
  db.pragma(`application_id = ${APPLICATION_ID}`);

const readPragma = (db: Database.Database, name: string): number =>
  Number(db.pragma(name, { simple: true }));

function refuseForeign(db: Database.Database, file: string): void {
  const isEmpty = ['user_version', 'application_id', 'schema_version'].every(
    (name) => readPragma(db, name) === 0,
  );
  if (isEmpty || isStore(db)) return;
  throw new StoreError(
    `${file} is a SQLite file of something else; move it away, then start again`,
  );
}
