/**
 * Replaces the store by a snapshot. A draft is made beside the store and renamed at the end, so an
 * interruption leaves either the old store or the new one, whole.
 */
import fs from 'node:fs';
import path from 'node:path';
import { isBusy, StoreError } from '../errors.ts';
import { writeChanges } from '../rows/changes.ts';
import { compare } from './comparison.ts';
import { countRows } from './inspection.ts';
import { whileClaimed } from './lock.ts';
import { refuseNewer, upgrade } from './migrate.ts';
import {
  copyPrivate,
  createPrivateFolder,
  draftOf,
  exists,
  putInPlace,
  removeDatabase,
  replaceDatabase,
  sync,
} from './private-files.ts';
import { checkDraft, draftPath, newDraft, newSnapshotPath, removeLeftovers } from './snapshots.ts';
import Database, { withDatabase } from './sqlite.ts';

/**
 * @param snapshot path of a database, and of its WAL if there is one; it is only read
 * @returns the rows of the new store, the differences, and the new path of the old store, or `null`
 * @throws {StoreError} if it fails the check or is too new, or the store is in use
 */
export const restoreSnapshot = (store: string, snapshot: string) =>
  whileClaimed(store, 'replace', async () => {
    const draft = draftOf(store);
    try {
      const prepared = await prepare(store, snapshot, draft);
      return { ...prepared, replaced: await replace(store, draft) };
    } finally {
      removeDatabase(draft);
    }
  });

/** The changes that `restoreSnapshot` would make. The store may be in use. */
export const previewRestore = (store: string, snapshot: string) =>
  whileClaimed(store, 'copy', async () => {
    const draft = draftPath(store);
    try {
      return await prepare(store, snapshot, draft);
    } finally {
      removeDatabase(draft);
    }
  });

/** Makes the new store. @returns its rows, and the differences; see `compare` */
async function prepare(store: string, snapshot: string, draft: string) {
  removeDatabase(draft);
  await copyPrivate(snapshot, draft);
  if (exists(`${snapshot}-wal`)) await copyPrivate(`${snapshot}-wal`, `${draft}-wal`);
  const { version } = checkDraft(draft, snapshot);
  refuseNewer(snapshot, version);
  return withDatabase(draft, {}, (db) => {
    // An upgrade may drop tables, whose rows must not stay in free pages.
    db.pragma('secure_delete = on');
    upgrade(db);
    const differences = exists(store) ? compare(db, store) : [];
    writeChanges(db)('restored', null, path.basename(snapshot));
    return { rows: countRows(db), differences };
  });
}

/** @returns the new path of the old store; `null` if there was none */
async function replace(store: string, draft: string): Promise<string | null> {
  const existed = exists(store);
  const held = existed ? holdAlone(store) : undefined;
  try {
    const kept = existed ? await keep(store, held) : null;
    replaceDatabase(draft, store);
    return kept;
  } finally {
    held?.close();
  }
}

/**
 * Opens the store exclusively, with its WAL applied. That also excludes programs without claims.
 *
 * @returns `undefined` if the store is damaged, so that SQLite cannot open it
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

/** Keeps the old store: by a hard link, or by a copy if the snapshots are on another disk. */
async function keep(store: string, held: Database.Database | undefined): Promise<string> {
  removeLeftovers(store);
  const kept = newSnapshotPath(store, '-replaced');
  const folder = path.dirname(kept);
  createPrivateFolder(folder);
  if (fs.statSync(folder).dev !== fs.statSync(store).dev) {
    const draft = draftPath(store);
    // Reading the file beside `held` would drop its locks.
    if (held) await held.backup(newDraft(store));
    else await copyPrivate(store, draft);
    if (exists(`${store}-wal`)) {
      await copyPrivate(`${store}-wal`, `${kept}-wal`);
      sync(`${kept}-wal`);
    }
    putInPlace(draft, kept);
    return kept;
  }
  if (exists(`${store}-wal`)) fs.linkSync(`${store}-wal`, `${kept}-wal`);
  fs.linkSync(store, kept);
  sync(folder);
  return kept;
}
