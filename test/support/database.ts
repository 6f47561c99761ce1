/** A store as another program sees it. */
import fs from 'node:fs';
import type Database from 'better-sqlite3';
import { withDatabase as openDatabase } from '../../lib/store/file/sqlite.ts';

/** Opens a database for as long as `use` takes. */
export const withDatabase = <T>(file: string, use: (db: Database.Database) => T): T =>
  openDatabase(file, {}, use);

/** The same, read-only. */
export const read = <T>(file: string, use: (db: Database.Database) => T): T =>
  openDatabase(file, { readonly: true }, use);

/** The first column of the first row of a query. */
export const queryOne = (file: string, sql: string): unknown =>
  read(file, (db) => db.prepare(sql).pluck().get());

/** The invited addresses of a store or snapshot, sorted. Empty if there is no file. */
export function invitedIn(file: string): readonly string[] {
  if (!fs.existsSync(file)) return [];
  const query = 'select email from invites order by email';
  return read(file, (db) => db.prepare<[], string>(query).pluck().all());
}
