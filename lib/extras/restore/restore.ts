/**
 * Restores a snapshot while no server runs: a checked and migrated copy replaces the store. After
 * an interruption, there is the old store, the new one, or none. A start then says what to do.
 */
import fs from 'node:fs';
import path from 'node:path';
import { commandFor } from '../../config.ts';
import type { Change } from '../../records.ts';
import { lockServer } from '../../store/access.ts';
import { changeWriter } from '../../store/changes.ts';
import { messageOf, StoreError, toStoreError } from '../../store/errors.ts';
import * as files from '../../store/files.ts';
import {
  APPLICATION_ID,
  countRowsByTable,
  inspectStoreFile,
  type RowCounts,
} from '../../store/inspection.ts';
import { migrate, refuseNewerSchema } from '../../store/migrate.ts';
import { readAsServer } from '../../store/open.ts';
import { SIDES, withReadableCopy } from '../../store/readable-copy.ts';
import { copyToDraft, newSnapshotPath } from '../../store/snapshots.ts';
import { type default as Database, requireRow, withDatabase } from '../../store/sqlite.ts';

/** The contents of a file, as numbers. */
type Contents = {
  readonly rows: RowCounts;
  /** The day (UTC) of the newest row of a log; `null` without one. */
  readonly newestDay: string | null;
};

/** What a restore would change. */
export type Comparison = {
  readonly snapshot: Contents;
  /** `null` if there is no store, or it cannot be read. */
  readonly store: Contents | null;
  /** The changes that the snapshot lacks, newest first. */
  readonly undone: readonly Change[];
};

/**
 * Reads the contents of a snapshot and of the store, and the changes to the invite list and to
 * people's data that the snapshot lacks.
 *
 * @throws {StoreError} if the snapshot fails the check, is too new, or cannot be migrated
 */
export function compareWithStore(store: string, snapshot: string): Comparison {
  return withReadableCopy(store, snapshot, (readable) => {
    // A migrated copy has new indexes, so a damaged index must be found before.
    requireRestorable(readable, snapshot);
    return withMigratedCopy(store, readable, snapshot, (draft) =>
      withDatabase(draft, { readonly: true }, (db) => compare(db, store)),
    );
  });
}

/** @param name of the snapshot @returns its version @throws {StoreError} */
function requireRestorable(file: string, name: string): number {
  const { version, fault } = inspectStoreFile(file);
  refuseNewerSchema(name, version);
  if (fault === null) return version;
  throw new StoreError(`${name} fails the check: ${fault}; ${chooseAnother()}`);
}

const chooseAnother = (): string => `choose another: ${commandFor('backup list')}`;

/**
 * Copies a snapshot, and migrates the copy, so that the server can open it.
 *
 * @param readable a path at which the snapshot can be read
 * @param snapshot its name in messages
 * @throws {StoreError} if the snapshot fails the check, is too new, or cannot be migrated
 */
function withMigratedCopy<T>(
  store: string,
  readable: string,
  snapshot: string,
  use: (draft: string) => T,
): T {
  return copyToDraft(store, readable, (draft) => {
    const version = requireRestorable(draft, snapshot);
    try {
      withDatabase(draft, {}, (db) => migrateAndRead(db, version));
    } catch (error) {
      // A fault of the disk is not a fault of the snapshot, so the tool explains it.
      if (toStoreError(error) !== error) throw error;
      throw new StoreError(
        `${snapshot} cannot be restored: ${messageOf(error)}; ${chooseAnother()}`,
        { cause: error },
      );
    }
    return use(draft);
  });
}

/** @param version of the copy. A dump has no ids, so its version is not in the file. */
function migrateAndRead(db: Database.Database, version: number): void {
  db.pragma(`user_version = ${version}`);
  db.pragma(`application_id = ${APPLICATION_ID}`);
  migrate(db);
  readAsServer(db);
}

/**
 * Compares a snapshot with the store. If the store cannot be read, only the snapshot is described.
 */
function compare(db: Database.Database, store: string): Comparison {
  const snapshot = readContents(db, 'main');
  const withoutStore: Comparison = { snapshot, store: null, undone: [] };
  // SQLite would create a missing store.
  if (!files.hasContent(store)) return withoutStore;
  try {
    db.prepare('attach ? as store').run(store);
    const undone = db.prepare<[], Change>(UNDONE).all();
    return { snapshot, store: readContents(db, 'store'), undone };
  } catch {
    return withoutStore;
  }
}

const UNDONE = `
  select id, at, author as "by", via, what, email, detail
  from store.changes as own
  where not exists (
    select 1 from main.changes as other where other.id = own.id and other.at = own.at
  )
  order by id desc`;

/** The rows of a file, and the day (UTC) of the newest row of a log, `null` without one. */
function readContents(db: Database.Database, schema: 'main' | 'store'): Contents {
  const newest = (log: string, time: string) =>
    `ifnull((select ${time} from ${schema}.${log} order by id desc limit 1), 0)`;
  const at = `max(${newest('events', 'occurred_at')}, ${newest('project_joins', 'clicked_at')})`;
  const day = db
    .prepare<[], string | null>(`select date(nullif(${at}, 0) / 1000, 'unixepoch')`)
    .pluck();
  return { rows: countRowsByTable(db, schema), newestDay: requireRow(day.get()) };
}

/**
 * Replaces the store by a snapshot, and ends all sessions.
 *
 * @param snapshot the path of a snapshot, with its WAL if there is one; it is only read
 * @returns the path at which the former store is kept; `null` if there was none
 * @throws {StoreError} if a server runs, or the snapshot fails the check, is too new, or cannot be
 *   migrated
 */
export function restoreSnapshot(store: string, snapshot: string): string | null {
  files.createFolder(path.dirname(store));
  // Hold the lock to the end. Otherwise a socket or a restart could start a server in between.
  const release = lockServer(store, 0);
  try {
    return withReadableCopy(store, snapshot, (readable) =>
      withMigratedCopy(store, readable, snapshot, (draft) => {
        withDatabase(draft, {}, (db) => {
          db.exec('delete from sessions');
          changeWriter(db)('restored', null, path.basename(snapshot));
          // If there is no WAL, the file is the whole store.
          db.pragma('journal_mode = delete');
        });
        return replaceStore(store, draft);
      }),
    );
  } finally {
    release();
  }
}

/**
 * Puts a draft in place of the store. If the snapshots are on another volume, the draft is first
 * copied beside the store: that disk may be full, and then the store must still be there.
 *
 * @returns the new path of the store, as `moveAway` does
 */
function replaceStore(store: string, draft: string): string | null {
  const beside = files.newDraftPath(path.dirname(store));
  try {
    files.moveDurably(draft, beside);
    const replaced = moveAway(store);
    files.moveDurably(beside, store);
    return replaced;
  } finally {
    fs.rmSync(beside, { force: true });
  }
}

/**
 * Moves the store and its journals to the snapshots. If the store is lost, its journals are still
 * moved, because the store may be found again.
 *
 * @returns the new path of the first file that was moved; `null` if there was none
 */
function moveAway(store: string): string | null {
  try {
    // This removes the WAL, unless the store is damaged or another program reads it.
    if (files.hasContent(store))
      withDatabase(store, {}, (db) => db.pragma('journal_mode = delete'));
  } catch {
    // The journals are moved together with the store.
  }
  const kept = newSnapshotPath(store, '-replaced');
  // SQLite would apply a journal that stays to the new store, because its name fits.
  const sides = SIDES.filter((side) => fs.existsSync(store + side));
  // The store moves first. Without a store, a start is refused. Without its WAL, a store would lose
  // its last rows.
  for (const side of sides) files.moveDurably(store + side, kept + side);
  fs.rmSync(`${store}-shm`, { force: true });
  return sides[0] === undefined ? null : kept + sides[0];
}
