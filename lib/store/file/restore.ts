/**
 * Replaces the store by a snapshot. A draft is made beside the store and renamed at the end, so an
 * interruption leaves either the old store or the new one, whole.
 */
import fs from 'node:fs';
import path from 'node:path';
import { isBusy, StoreError } from '../errors.ts';
import { compare, type Difference } from './comparison.ts';
import { countRows, type Rows } from './inspection.ts';
import { whileClaimed } from './lock.ts';
import { refuseNewer, upgrade } from './migrate.ts';
import {
  copyPrivate,
  createPrivateFolder,
  draftOf,
  putInPlace,
  removeDatabase,
  replaceDatabase,
  sync,
} from './private-files.ts';
import { checkDraft, freeDraft, newDraft, newSnapshotPath, removeLeftovers } from './snapshots.ts';
import Database, { withDatabase } from './sqlite.ts';

export type Prepared = {
  /** Rows of the store to come. */
  readonly rows: Rows;
  /** The changes; `undefined` if the store cannot be read. */
  readonly differences: readonly Difference[] | undefined;
};

export type Restored = Prepared & {
  /** Path of the replaced store; `null` if there was none. */
  readonly replaced: string | null;
};

/**
 * @param snapshot path of a database, and of its WAL if there is one; it is only read
 * @throws {StoreError} if it does not check out or is too new, or the store is in use
 */
export const restoreSnapshot = (store: string, snapshot: string): Promise<Restored> =>
  whileClaimed(store, 'replace', async () => {
    const draft = draftOf(store);
    try {
      removeDatabase(draft);
      const prepared = await prepare(store, snapshot, draft);
      return { ...prepared, replaced: await replace(store, draft) };
    } finally {
      removeDatabase(draft);
    }
  });

/** The outcome that `restoreSnapshot` would have. The store may be in use. */
export const previewRestore = (store: string, snapshot: string): Promise<Prepared> =>
  whileClaimed(store, 'copy', async () => {
    const draft = freeDraft(store);
    try {
      return await prepare(store, snapshot, draft);
    } finally {
      removeDatabase(draft);
    }
  });

async function prepare(store: string, snapshot: string, draft: string): Promise<Prepared> {
  await copyPrivate(snapshot, draft);
  if (fs.existsSync(`${snapshot}-wal`)) await copyPrivate(`${snapshot}-wal`, `${draft}-wal`);
  const { version } = checkDraft(draft, snapshot);
  refuseNewer(snapshot, version);
  return withDatabase(draft, {}, (db) => {
    // An upgrade may drop tables, and no rows of theirs may be left in free pages.
    db.pragma('secure_delete = on');
    upgrade(db);
    const differences = fs.existsSync(store) ? compare(db, store) : [];
    return { rows: countRows(db), differences };
  });
}

/** @returns the new path of the old store; `null` if there was none */
async function replace(store: string, draft: string): Promise<string | null> {
  const existed = fs.existsSync(store);
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
    // Opening the file beside `held` would drop its locks.
    const draft = held ? newDraft(store) : freeDraft(store);
    if (held) await held.backup(draft);
    else await copyPrivate(store, draft);
    if (fs.existsSync(`${store}-wal`)) {
      await copyPrivate(`${store}-wal`, `${kept}-wal`);
      sync(`${kept}-wal`);
    }
    putInPlace(draft, kept);
    return kept;
  }
  if (fs.existsSync(`${store}-wal`)) fs.linkSync(`${store}-wal`, `${kept}-wal`);
  fs.linkSync(store, kept);
  sync(folder);
  return kept;
}
