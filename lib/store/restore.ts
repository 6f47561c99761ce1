/**
 * Restores a snapshot: SQLite's backup writes a checked and migrated copy of it into the store, in
 * one transaction, also while the server runs. An interruption leaves the old content or the new.
 */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { changeWriter } from './changes.ts';
import { checkpointer, isLost, readPragma, sizeOf } from './connect.ts';
import { isBusy, isDamaged, StoreError } from './errors.ts';
import * as files from './files.ts';
import { checkStoreFile, countRowsByTable, DamagedStore, type RowCounts } from './inspection.ts';
import { lockServer } from './lock.ts';
import { migrate, refuseNewerSchema } from './migrate.ts';
import { newSnapshotPath, takeSnapshotNow } from './snapshots.ts';
import Database, { withDatabase } from './sqlite.ts';

/** How long a restore waits for a lock, and the pause between two attempts, in ms. */
const TIMEOUT = 5000;
const RETRY_PAUSE = 20;

/** More than any store has. */
const ALL_PAGES = 0x7fffffff;

export type Comparison = {
  readonly snapshot: RowCounts;
  /** `null` if the store cannot be read. */
  readonly store: RowCounts | null;
  /** Who is an `administrator`, `invited` or `not invited` in only one of them. */
  readonly people: readonly Readonly<Record<'email' | 'inStore' | 'inSnapshot', string>>[];
  /** How many people were erased from the store since the snapshot, which has them still. */
  readonly erased: number;
};

/** Compares without changes. */
export function previewRestore(store: string, snapshot: string): Comparison {
  refuseNoFile(snapshot);
  refuseNewerSchema(snapshot, checkStoreFile(snapshot).version);
  return compare(store, snapshot);
}

/**
 * @param snapshot path of a database, and of its side files if there are any; it is only read
 * @returns the changes, and the path of the store as it was, or `null` if there was none
 * @throws {StoreError} if the snapshot fails the check or is too new, or the store stays locked
 */
export async function restoreSnapshot(store: string, snapshot: string) {
  refuseNoFile(snapshot);
  files.createPrivately();
  const draft = files.newDraft(path.dirname(store));
  try {
    for (const side of ['', '-journal', '-wal'])
      if (fs.existsSync(snapshot + side)) fs.copyFileSync(snapshot + side, draft + side);
    // A copy has the mode of its source, and with some versions of Node its age.
    fs.chmodSync(draft, 0o600);
    fs.utimesSync(draft, Date.now() / 1000, Date.now() / 1000);
    refuseNewerSchema(snapshot, checkStoreFile(draft, snapshot).version);
    const comparison = compare(store, draft);
    withDatabase(draft, {}, (db) => {
      db.pragma('journal_mode = delete');
      migrate(db);
      db.exec('delete from sessions; update doubt set number = random()');
      changeWriter(db)('restored', null, path.basename(snapshot));
    });
    const isThere = fs.existsSync(store) && !isLost(store);
    const replaced = isThere
      ? await writeInto(store, draft).catch((error) => {
          if (!isDamaged(error) && !(error instanceof DamagedStore)) throw error;
          return moveTo(store, draft);
        })
      : moveTo(store, draft);
    return { ...comparison, replaced };
  } finally {
    files.removeDatabase(draft);
  }
}

function refuseNoFile(snapshot: string): void {
  if (!fs.statSync(snapshot).isFile()) throw new StoreError(`${snapshot} is not a file`);
}

const standing = (side: string): string =>
  `case ${side}.is_admin when 1 then 'administrator' when 0 then 'invited' else 'not invited' end`;

const PEOPLE = `
  select email, ${standing('own')} as inStore, ${standing('other')} as inSnapshot
  from replaced.invites as own full join main.invites as other using (email)
  where own.is_admin is not other.is_admin order by email`;

const ERASED = `
  select count(*) from replaced.changes as own where what = 'erased'
    and not exists (select 1 from main.changes as other where other.id = own.id and other.at = own.at)`;

function compare(store: string, snapshot: string): Comparison {
  return withDatabase(snapshot, { readonly: true }, (db) => {
    const own = countRowsByTable(db);
    const none = { snapshot: own, people: [], erased: 0 };
    if (isLost(store)) return { ...none, store: null };
    if (!fs.existsSync(store)) return { ...none, store: {} };
    try {
      db.prepare('attach ? as replaced').run(store);
      const people = db.prepare<[], Comparison['people'][number]>(PEOPLE).all();
      const erased = db.prepare<[], number>(ERASED).pluck().get() ?? 0;
      return { snapshot: own, store: countRowsByTable(db, 'replaced'), people, erased };
    } catch (error) {
      if (!(error instanceof Database.SqliteError) || isBusy(error)) throw error;
      return { ...none, store: null };
    }
  });
}

/** Writes the draft into the store in one transaction. @returns the path of the kept store */
async function writeInto(store: string, draft: string): Promise<string> {
  const reader = new Database(store, { timeout: TIMEOUT });
  const source = new Database(draft, { readonly: true });
  let kept: string | undefined;
  // Called under the write lock, which is why no acknowledged row is lost in between.
  const progress = () => {
    kept ??= takeSnapshotNow(store, '-replaced').file;
    return ALL_PAGES;
  };
  try {
    reader.pragma('journal_mode = WAL');
    // Until its end, the server cannot checkpoint the large WAL, which would block its event loop.
    reader.exec('begin; select count(*) from sqlite_schema');
    const [own, other] = [reader, source].map((db) => readPragma(db, 'page_size'));
    if (own !== other)
      throw new StoreError(
        `the snapshot has pages of ${other} bytes, the store of ${own}; ` +
          'it cannot be restored: give it the same with "pragma page_size" and "vacuum"',
      );
    const deadline = performance.now() + TIMEOUT;
    await source.backup(store, { progress });
    while (kept === undefined) {
      if (performance.now() > deadline)
        throw new StoreError(
          `${store} is locked by another program (another restore, sqlite3); end it, then try again`,
        );
      await pause(RETRY_PAUSE);
      await source.backup(store, { progress });
    }
    reader.exec('commit');
    // It is passive: another would wait for readers (the standby), and let writers wait too.
    const checkpoint = checkpointer(reader);
    for (const end = performance.now() + TIMEOUT; !checkpoint(); await pause(RETRY_PAUSE))
      if (performance.now() > end) break;
    for (const file of [`${store}-wal`, store, path.dirname(store)]) files.fsync(file);
    return kept;
  } catch (error) {
    // The store is as it was, unless this was committed.
    if (kept !== undefined && reader.inTransaction) files.removeDatabase(kept);
    throw error;
  } finally {
    source.close();
    reader.close();
  }
}

/** Keeps a damaged or lost store with its WAL, and renames the draft. @returns the kept path */
function moveTo(store: string, draft: string): string | null {
  const release = lockServer(store, 0);
  try {
    // SQLite would delete a WAL beside an empty file.
    const parts = ['', '-wal'].filter((side) => sizeOf(store + side) > 0);
    const kept = newSnapshotPath(store, '-replaced');
    files.createFolder(path.dirname(kept));
    for (const side of parts) {
      fs.copyFileSync(store + side, kept + side);
      files.fsync(kept + side);
    }
    files.fsync(path.dirname(kept));
    // SQLite would apply the old WAL to the new file.
    for (const side of ['-wal', '-shm', '-journal']) fs.rmSync(store + side, { force: true });
    files.fsync(path.dirname(store));
    files.nameDraft(draft, store);
    return parts.length > 0 ? kept : null;
  } finally {
    release();
  }
}
