/** Opens the store, creates it where it is missing, and brings it to the newest schema. */
import fs from 'node:fs';
import path from 'node:path';
import { ExpectedError, root, storeFile, UsageError } from '../config.ts';
import { createDataFolder } from '../data-folder.ts';
import { createSnapshot, HOW_TO_RESTORE, listSnapshots } from './snapshots.ts';
import { type Database, isDamaged, isUnavailable, openDatabase, readValue } from './sqlite.ts';

/** `application_id` of the stores of Guestlist 4: the bytes of `GL04`. */
const APPLICATION_ID = 0x474c3034;

/** Nobody but the owner may read what is created here. */
const UMASK = 0o077;

/**
 * Opens the store of this installation.
 *
 * @throws {UsageError} if it is lost
 * @throws {ExpectedError} if `data/` cannot be used, and as `openStoreFile` does
 */
export function openStore(): Database {
  process.umask(UMASK);
  createDataFolder();
  refuseLostStore();
  return openStoreFile(storeFile);
}

/**
 * A lost store must not become an empty one, whose snapshots would take the places of the real ones.
 * SQLite must not open it either: that alone deletes a WAL.
 */
function refuseLostStore(): void {
  // Before the size of the store: another program may be creating it.
  const [newest] = listSnapshots();
  const wasInUse = newest !== undefined || sizeOf(`${storeFile}-wal`) > 0;
  if (!wasInUse || sizeOf(storeFile) > 0) return;
  const remedy = newest ? `Restore ${newest.file}: ${HOW_TO_RESTORE}.` : 'There is no snapshot.';
  const away = path.basename(`${storeFile}-wal`);
  throw new UsageError(
    `${storeFile} is missing or empty. ${remedy} To start over instead, move backups/ and ${away} away.`,
  );
}

/** In bytes; 0 for a file that is missing. */
function sizeOf(file: string): number {
  return fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** @throws {ExpectedError} for the file of another program or a newer Guestlist, left untouched */
export function openStoreFile(file: string): Database {
  const db = openDatabase(file);
  try {
    requireOurs(db);
    db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma secure_delete = on');
    migrate(db);
    return db;
  } catch (error) {
    throw explain(error, file);
  }
}

/** @returns the line for an error of SQLite that is no bug, and any other error as it is */
export function explain(error: unknown, file: string): unknown {
  if (!isUnavailable(error)) return error;
  const remedy = isDamaged(error) ? `; ${HOW_TO_RESTORE}` : '';
  return new ExpectedError(`${file}: ${String(error)}${remedy}`);
}

/** @throws {UsageError} unless a file is a store that this Guestlist can use, or empty */
function requireOurs(db: Database): void {
  // In this order, because another program may be creating its tables.
  const isUsable = isEmpty(db) || readValue(db, 'pragma application_id') === APPLICATION_ID;
  if (!isUsable) throw new UsageError(`${db.name} is not a store of Guestlist 4`);
  if (versionOf(db) > readMigrations().length)
    throw new UsageError(
      `${db.name} is the store of a newer Guestlist; install that, or restore a snapshot`,
    );
}

/** A kill during the first start leaves a file without tables. */
function isEmpty(db: Database): boolean {
  const hasTables = Number(readValue(db, 'select count(*) from sqlite_schema')) > 0;
  return !hasTables && readValue(db, 'pragma application_id') === 0;
}

const versionOf = (db: Database): number => Number(readValue(db, 'pragma user_version'));

/** The texts of `sql/NNN-name.sql`, in order. */
function readMigrations(): readonly string[] {
  const folder = path.join(root, 'sql');
  const names = fs.readdirSync(folder).filter((name) => name.endsWith('.sql'));
  return names.sort().map((name) => fs.readFileSync(path.join(folder, name), 'utf8'));
}

function migrate(db: Database): void {
  const migrations = readMigrations();
  const version = versionOf(db);
  if (version === migrations.length) return;
  const snapshot = version > 0 ? createSnapshot(db) : undefined;
  if (snapshot !== undefined) console.error(`snapshot before the migration: ${snapshot}`);
  for (const [i, sql] of migrations.entries()) db.transaction(apply).immediate(db, i + 1, sql);
}

function apply(db: Database, version: number, sql: string): void {
  // Another program that started at the same moment may have been first.
  if (versionOf(db) >= version) return;
  db.exec(sql);
  db.exec(`pragma user_version = ${version}; pragma application_id = ${APPLICATION_ID}`);
}
