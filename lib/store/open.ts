/** Opens the store, creates it where it is missing, and brings it to the newest schema. */
import fs from 'node:fs';
import path from 'node:path';
import { createDataFolder, ExpectedError, root, storeFile } from '../config.ts';
import { createSnapshot } from './snapshots.ts';
import { type Database, isUnavailable, openDatabase, readValue } from './sqlite.ts';

/** `application_id` of the stores of Guestlist 4: the bytes of `GL04`. */
const APPLICATION_ID = 0x474c3034;

/** How long a tool waits for the lock of another program, in ms. */
const TIMEOUT = 5000;

/** Nobody but the owner may read what is created here. */
const UMASK = 0o077;

/** Opens the store of this installation. @throws {ExpectedError} as the next function does */
export function openStore(): Database {
  process.umask(UMASK);
  createDataFolder();
  return openStoreFile(storeFile);
}

/** @throws {ExpectedError} for the file of another program or a newer Guestlist, left untouched */
export function openStoreFile(file: string): Database {
  const db = openDatabase(file, { timeout: TIMEOUT });
  try {
    requireOurs(db);
    db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma secure_delete = on');
    migrate(db);
    return db;
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    throw new ExpectedError(`${file}: ${String(error)}`);
  }
}

/** @throws {ExpectedError} unless a file is a store that this Guestlist can use, or empty */
function requireOurs(db: Database): void {
  const isOurs = readValue(db, 'pragma application_id') === APPLICATION_ID;
  if (!isOurs && !isEmpty(db)) throw new ExpectedError(`${db.name} is not a store of Guestlist 4`);
  if (versionOf(db) > readMigrations().length)
    throw new ExpectedError(
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
  if (version > 0) console.error(`before the migration: ${createSnapshot(db)}`);
  for (const [i, sql] of migrations.entries()) db.transaction(apply).immediate(db, i + 1, sql);
}

function apply(db: Database, version: number, sql: string): void {
  // Another program that started at the same moment may have been first.
  if (versionOf(db) >= version) return;
  db.exec(sql);
  db.exec(`pragma user_version = ${version}; pragma application_id = ${APPLICATION_ID}`);
}
