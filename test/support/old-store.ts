/** Stores of earlier versions. */
import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { root } from '../../lib/config.ts';

/** The migrations in order; the first makes version 1. */
export const MIGRATIONS = fs
  .readdirSync(path.join(root, 'sql'))
  .filter((name) => /^\d/.test(name))
  .sort();

/** The schema of 1.1.0. */
export const OLDEST_VERSION = 6;

/** Makes a store with its folder. @returns it open; the caller closes it */
function makeStore(file: string, sql: string): Database.Database {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const db = new Database(file);
  db.pragma('journal_mode = wal');
  db.exec(sql);
  return db;
}

/**
 * Makes a store that 1.1.0 has filled: Ada, an administrator, Alan, Eva and Grace are invited; Ada
 * has logged in, viewed and joined twice; so has somebody once who was removed then, gone@….
 */
export const makeOldStore = (file: string): Database.Database =>
  makeStore(file, fs.readFileSync(path.join(root, 'test/support/stores/1.1.0.sql'), 'utf8'));

/** Makes a file with what tells a store of 1.0.0: invites, version 6, and no `application_id`. */
export const makeStoreOf100 = (file: string): void =>
  void makeStore(
    file,
    `create table invites (email text primary key, invited_by text not null);
     insert into invites values ('ada@example.com', 'cli'); pragma user_version = 6`,
  ).close();
