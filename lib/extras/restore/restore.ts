/**
 * Restores a snapshot while no server runs: a checked and migrated copy takes the place of the
 * store. An interruption leaves the old store, the new one, or none; then a start says what to do.
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
import { copyToDraft, newSnapshotPath, SIDES, withReadableCopy } from '../../store/snapshots.ts';
import { type default as Database, requireRow, withDatabase } from '../../store/sqlite.ts';

/** What a file holds. */
type Contents = {
  readonly rows: RowCounts;
  /** The day (UTC) of the newest row of a log; `null` without one. */
  readonly newestDay: string | null;
};

/** What a restore would change. */
export type Comparison = {
  readonly snapshot: Contents;
  /** `null` if there is none, or it cannot be read. */
  readonly store: Contents | null;
  /** The changes that the snapshot does not have, newest first. */
  readonly undone: readonly Change[];
};

/**
 * Reads what both hold, and the lines of the audit log that the snapshot does not have. The store
 * is `null` if there is none, or it cannot be read.
 *
 * @throws {StoreError} if the snapshot fails the check, is too new, or cannot be migrated
 */
export function compareWithStore(store: string, snapshot: string): Comparison {
  return withReadableCopy(store, snapshot, (readable) => {
    // The migrated copy has new indexes, so that it would not show damage to them.
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
 * Copies a snapshot, and brings the copy to where the server opens it.
 *
 * @param readable its path, or that of a copy
 * @throws {StoreError}
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
      // The tool explains a full or failing disk.
      if (toStoreError(error) !== error) throw error;
      throw new StoreError(
        `${snapshot} cannot be restored: ${messageOf(error)}; ${chooseAnother()}`,
        { cause: error },
      );
    }
    return use(draft);
  });
}

/** @param version in which a copy of a dump is, which has no ids */
function migrateAndRead(db: Database.Database, version: number): void {
  db.pragma(`user_version = ${version}`);
  db.pragma(`application_id = ${APPLICATION_ID}`);
  migrate(db);
  readAsServer(db);
}

function compare(db: Database.Database, store: string): Comparison {
  const own = readContents(db, 'main');
  try {
    if (files.sizeOf(store) === 0) throw new Error('SQLite would create it');
    db.prepare('attach ? as store').run(store);
    const undone = db.prepare<[], Change>(UNDONE).all();
    return { snapshot: own, store: readContents(db, 'store'), undone };
  } catch {
    return { snapshot: own, store: null, undone: [] };
  }
}

const UNDONE = `
  select id, at, author as "by", via, what, email, detail from store.changes as own
  where not exists (select 1 from main.changes as other where other.id = own.id and other.at = own.at)
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
 * @param snapshot path of a store, with its WAL if there is one; it is only read
 * @returns where the store that was, or what is left of it, is kept; `null` if there was nothing
 * @throws {StoreError} if a server runs, or the snapshot fails the check, is too new, or cannot be
 * migrated
 */
export function restoreSnapshot(store: string, snapshot: string): string | null {
  files.createFolder(path.dirname(store));
  // Held to the end, because a socket or a restart could start a server in between.
  const release = lockServer(store, 0);
  try {
    return withReadableCopy(store, snapshot, (readable) =>
      withMigratedCopy(store, readable, snapshot, (draft) => {
        withDatabase(draft, {}, (db) => {
          db.exec('delete from sessions');
          changeWriter(db)('restored', null, path.basename(snapshot));
          // Without a WAL, the file alone is the whole store.
          db.pragma('journal_mode = delete');
        });
        const replaced = moveAway(store);
        files.moveDurably(draft, store);
        return replaced;
      }),
    );
  } finally {
    release();
  }
}

/**
 * Moves the store to the snapshots, with its logs; those of a lost store too, because it may be
 * found.
 *
 * @returns the path of the first file that was moved, `null` if there was none
 */
function moveAway(store: string): string | null {
  try {
    // Ends the logs, unless the store is damaged or another program reads it.
    if (files.sizeOf(store) > 0)
      withDatabase(store, {}, (db) => db.pragma('journal_mode = delete'));
  } catch {
    // The journals are moved together with the store.
  }
  const kept = newSnapshotPath(store, '-replaced');
  // SQLite would apply a journal to another database of that name.
  const sides = SIDES.filter((side) => fs.existsSync(store + side));
  // The store first: without it, a start is refused. Without its WAL, the last rows would be lost.
  for (const side of sides) files.moveDurably(store + side, kept + side);
  fs.rmSync(`${store}-shm`, { force: true });
  return sides[0] === undefined ? null : kept + sides[0];
}
