/**
 * Connects to the store's file, and recognizes a store.
 */
import fs from 'node:fs';
import { StoreError } from './errors.ts';
import { requireRow } from './paging.ts';
import Database from './sqlite.ts';

/**
 * Connects with `synchronous=FULL`, which the commit queue lowers. Creates a missing file. Waits
 * `busyTimeout` ms for a lock. @throws {StoreError} if the file is not a store that this code reads
 */
export function connectToStore(
  file: string,
  busyTimeout: number,
  setUp: (db: Database.Database) => void = () => {},
): Database.Database {
  const db = new Database(file, { timeout: busyTimeout });
  try {
    // In a transaction, because another process may be converting the store.
    if (!db.transaction(() => isEmpty(db) || isStore(db))())
      throw new StoreError(`${file} is ${NO_STORE}`);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    setUp(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Makes a function that moves what it can of the WAL into the store, which keeps the rest. It returns
 * whether that was all.
 */
export function checkpointer(db: Database.Database): () => boolean {
  const checkpoint = db.prepare<[], { log: number; checkpointed: number }>(
    'pragma wal_checkpoint(passive)',
  );
  return () => {
    try {
      const { log, checkpointed } = requireRow(checkpoint.get());
      return log === checkpointed;
    } catch {
      // For example a full disk.
      return false;
    }
  };
}

/** Whether only a store's WAL is left. SQLite would delete it, with its rows. */
export const isLost = (store: string): boolean => sizeOf(store) === 0 && sizeOf(`${store}-wal`) > 0;

export const sizeOf = (file: string): number =>
  fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** SQLite's `application_id` of a store: "Gues". 1.0.0 did not set it. */
export const APPLICATION_ID = 0x47756573;

/** What a file is that `isStore` refuses, and the remedy. */
export const NO_STORE = 'not a store of Guestlist 1.1.0 or later; move it away, then try again';

export const isStore = (db: Database.Database): boolean =>
  readPragma(db, 'application_id') === APPLICATION_ID &&
  (readSchemaVersion(db) > FORMER_VERSIONS || isFormer(db));

/** Up to this one, versions are those of 2.0.0 and before. */
export const FORMER_VERSIONS = 100;

/** Whether a store is one of 1.1.0 or 2.0.0, which had derived tables. */
export const isFormer = (db: Database.Database): boolean => hasTable(db, 'day_totals');

export const readSchemaVersion = (db: Database.Database): number => readPragma(db, 'user_version');

export const hasTable = (db: Database.Database, name: string): boolean =>
  db.prepare("select 1 from sqlite_schema where type = 'table' and name = ?").get(name) !==
  undefined;

const isEmpty = (db: Database.Database): boolean =>
  ['user_version', 'application_id', 'schema_version'].every((name) => readPragma(db, name) === 0);

export const readPragma = (db: Database.Database, name: string): number =>
  Number(db.pragma(name, { simple: true }));
