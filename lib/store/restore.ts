/**
 * Puts a snapshot in the store's place. Everything is made ready beside the store; one renaming changes it, so that an
 * interruption leaves either the old store or the new one, whole.
 */
import fs from 'node:fs';
import path from 'node:path';
import { compare, type Difference } from './comparison.ts';
import { isBusy, StoreError } from './errors.ts';
import { countRows, type Rows } from './inspection.ts';
import { claim } from './lock.ts';
import { currentVersion, upgrade } from './migrate.ts';
import {
  copyPrivate,
  createPrivateFolder,
  draftOf,
  putInPlace,
  removeDatabase,
  removeSideFiles,
  sync,
} from './private-files.ts';
import { checkDraft, freeDraft, newDraft, newSnapshotPath, removeLeftovers } from './snapshots.ts';
import Database from './sqlite.ts';

/** What a restore puts in the place of the store. */
export type Prepared = {
  readonly rows: Rows;
  /** What it changes; nothing where the store cannot be read. */
  readonly differences: readonly Difference[] | undefined;
};

export type Restored = Prepared & {
  /** Where the store is kept that was replaced; `null` where there was none. */
  readonly replaced: string | null;
};

/**
 * @param snapshot path of a database, with its write-ahead log beside it if it has one; it is only read
 * @throws {StoreError} where the snapshot does not check out or is too new, or the store is in use; nothing is changed
 */
export async function restoreSnapshot(store: string, snapshot: string): Promise<Restored> {
  const release = claim(store, 'replace');
  const draft = draftOf(store);
  try {
    removeDatabase(draft);
    const prepared = await prepare(store, snapshot, draft);
    return { ...prepared, replaced: await replace(store, draft) };
  } finally {
    removeDatabase(draft);
    release();
  }
}

/** What `restoreSnapshot` would do. The store may be in use. */
export async function previewRestore(store: string, snapshot: string): Promise<Prepared> {
  const release = claim(store, 'copy');
  const draft = freeDraft(store);
  try {
    return await prepare(store, snapshot, draft);
  } finally {
    removeDatabase(draft);
    release();
  }
}

async function prepare(store: string, snapshot: string, draft: string): Promise<Prepared> {
  await copyPrivate(snapshot, draft);
  if (fs.existsSync(`${snapshot}-wal`)) await copyPrivate(`${snapshot}-wal`, `${draft}-wal`);
  const { version } = checkDraft(draft, snapshot);
  if (version > currentVersion)
    throw new StoreError(
      `${snapshot} was written by a newer Guestlist (schema ${version}, this one knows ${currentVersion})`,
    );
  const db = new Database(draft);
  try {
    // An upgrade may drop tables, whose rows would otherwise be left in free pages.
    db.pragma('secure_delete = on');
    upgrade(db);
    const differences = fs.existsSync(store) ? compare(db, store) : [];
    return { rows: countRows(db), differences };
  } finally {
    db.close();
  }
}

/** @returns where the store is kept that was replaced */
async function replace(store: string, draft: string): Promise<string | null> {
  const existed = fs.existsSync(store);
  const held = existed ? holdAlone(store) : undefined;
  try {
    const kept = existed ? await keep(store, held) : null;
    // A log that is left would be taken for the new store's.
    removeSideFiles(store);
    putInPlace(draft, store);
    return kept;
  } finally {
    held?.close();
  }
}

/**
 * Holds the only connection to the store, with its write-ahead log worked into it; also against programs that are not
 * ours, and know nothing of claims.
 *
 * @returns nothing where the store is so damaged that SQLite does not open it
 */
function holdAlone(store: string): Database.Database | undefined {
  const db = new Database(store, { timeout: 500 });
  try {
    db.pragma('locking_mode = exclusive');
    db.pragma('journal_mode = delete');
    return db;
  } catch (error) {
    db.close();
    if (!isBusy(error)) return undefined;
    throw new StoreError(
      `${store} is open in another program; stop it (the server, the standby, sqlite3), then try again`,
    );
  }
}

/**
 * Gives the store a second name, which it keeps when the first goes to the new one; where the snapshots lie on another
 * disk, a copy.
 */
async function keep(store: string, held: Database.Database | undefined): Promise<string> {
  removeLeftovers(store);
  const kept = newSnapshotPath(store, '-replaced');
  const folder = path.dirname(kept);
  createPrivateFolder(folder);
  if (fs.statSync(folder).dev !== fs.statSync(store).dev) {
    // Through the connection where there is one: this process must not open the file beside it, and so lose its locks.
    const draft = held ? newDraft(store) : freeDraft(store);
    if (held) await held.backup(draft);
    else await copyPrivate(store, draft);
    if (fs.existsSync(`${store}-wal`)) await copyPrivate(`${store}-wal`, `${kept}-wal`);
    putInPlace(draft, kept);
    return kept;
  }
  if (fs.existsSync(`${store}-wal`)) fs.linkSync(`${store}-wal`, `${kept}-wal`);
  fs.linkSync(store, kept);
  sync(folder);
  return kept;
}
