/** A store as another program sees it, its bytes, and damage to them. */
import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { withDatabase as openDatabase } from '../../lib/store/sqlite.ts';

/** Opens a database for as long as `use` takes. */
export const withDatabase = <T>(file: string, use: (db: Database.Database) => T): T =>
  openDatabase(file, {}, use);

/** The same, read-only. */
export const readDatabase = <T>(file: string, use: (db: Database.Database) => T): T =>
  openDatabase(file, { readonly: true }, use);

/** The first column of the first row of a query. */
export const queryOne = (file: string, sql: string): unknown =>
  readDatabase(file, (db) => db.prepare(sql).pluck().get());

/** The invited addresses of a store or snapshot, sorted. Empty if there is no file. */
export function invitedIn(file: string): readonly string[] {
  if (!fs.existsSync(file)) return [];
  const query = 'select email from invites order by email';
  return readDatabase(file, (db) => db.prepare<[], string>(query).pluck().all());
}

/**
 * The files beside a store that contain these bytes, in used or free pages, by their path there.
 */
export function filesWith(store: string, bytes: string | Buffer): readonly string[] {
  const folder = path.dirname(store);
  return fs
    .readdirSync(folder, { encoding: 'utf8', recursive: true })
    .filter((name) => fs.statSync(path.join(folder, name)).isFile())
    .filter((name) => fs.readFileSync(path.join(folder, name)).includes(bytes))
    .sort();
}

/** Overwrites bytes of a file with garbage. */
export function writeGarbage(file: string, from: number, length: number): void {
  const handle = fs.openSync(file, 'r+');
  fs.writeSync(handle, Buffer.alloc(length, 0xa5), 0, length, from);
  fs.closeSync(handle);
}

/** Overwrites the root page of a table or index. The store still opens. */
export function damagePage(file: string, name: string): void {
  withDatabase(file, (db) => db.pragma('wal_checkpoint(truncate)'));
  const root = `select rootpage from sqlite_schema where name = '${name}'`;
  const size = Number(queryOne(file, 'pragma page_size'));
  writeGarbage(file, (Number(queryOne(file, root)) - 1) * size, size);
}

/** Locks a store for writing, as another program. @returns a function that unlocks it */
export function lockStore(file: string): () => void {
  const db = new Database(file);
  db.exec('begin immediate');
  return () => db.close();
}
