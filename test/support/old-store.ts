/** Stores of earlier versions, made by the migrations up to a version. */
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import Database from 'better-sqlite3';
import { root } from '../../lib/config.ts';
import { mark } from '../../lib/store/file/connect.ts';
import { storedForm } from '../../lib/store/rows/normalize.ts';

const folder = path.join(root, 'sql');

/** The migrations in order; the first makes version 1. */
export const MIGRATIONS = fs
  .readdirSync(folder)
  .filter((name) => name.endsWith('.sql'))
  .sort();

/** Up to this version, migrations only create tables. Later ones count existing rows. */
export const TABLES_VERSION = 4;

/** Applies the migrations after the version that a store has, up to `version`. */
export function migrateTo(db: Database.Database, version: number): void {
  const present = Number(db.pragma('user_version', { simple: true }));
  db.function('stored_form', storedForm);
  for (const name of MIGRATIONS.slice(present, version))
    db.exec(fs.readFileSync(path.join(folder, name), 'utf8'));
  db.pragma(`user_version = ${version}`);
  if (version > TABLES_VERSION) mark(db);
}

/** Makes a store of an earlier version, with its folder. @returns it open; the caller closes it */
export function makeOldStore(file: string, version: number): Database.Database {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const db = new Database(file);
  db.pragma('journal_mode = wal');
  migrateTo(db, version);
  return db;
}

/** Copies the store of 1.0.0 in `test/support/stores`: two invites, a login and a join click. */
export function makeFormerStore(file: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const packed = fs.readFileSync(path.join(root, 'test/support/stores/1.0.0.db.gz'));
  fs.writeFileSync(file, zlib.gunzipSync(packed));
}
