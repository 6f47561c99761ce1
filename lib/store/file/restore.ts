/**
 * Replaces the store by a snapshot. A draft is made beside the store, then renamed over it, so an
 * interruption leaves either the old store or the new one, whole.
 */
import path from 'node:path';
import { isBusy, StoreError } from '../errors.ts';
import { changeWriter } from '../rows/changes.ts';
import { isLost } from './connect.ts';
import { checkStoreFile, countRowsByTable, type RowCounts } from './inspection.ts';
import { whileClaimed } from './lock.ts';
import { applyMigrations, refuseNewerSchema } from './migrate.ts';
import * as files from './private-files.ts';
import { checkDraft, copyDraftPath, newSnapshotPath } from './snapshots.ts';
import Database, { withDatabase } from './sqlite.ts';

export const restoreDraftPath = (store: string): string => `${store}.draft`;

/** Compares without changes. The store may be in use. */
export function previewRestore(store: string, snapshot: string): Comparison {
  refuseNewerSchema(snapshot, checkStoreFile(snapshot).version);
  return withDatabase(snapshot, { readonly: true }, (db) => compareWithStore(db, store));
}

/**
 * @param snapshot path of a database, and of its side files if there are any; it is only read
 * @returns the changes, and the new path of the old store, or `null` if there was none
 * @throws {StoreError} if it fails the check or is too new, or the store is in use
 */
export const restoreSnapshot = (store: string, snapshot: string) =>
  whileClaimed(store, 'replace', async () => {
    const draft = restoreDraftPath(store);
    files.removeDatabase(draft);
    try {
      for (const side of ['', '-journal', '-wal'])
        await files.copyPrivateFile(snapshot + side, draft + side);
      refuseNewerSchema(snapshot, checkDraft(draft, snapshot).version);
      if (isLost(store)) files.createPrivateFile(store);
      else if (files.fileExists(store)) applyWal(store);
      const comparison = withDatabase(draft, {}, (db) => {
        // A migration may drop tables. Free pages must not keep their rows.
        db.pragma('secure_delete = on');
        applyMigrations(db);
        changeWriter(db)('restored', null, path.basename(snapshot));
        return compareWithStore(db, store, END_SESSIONS);
      });
      const replaced = files.fileExists(store) ? await keepReplaced(store) : null;
      // Otherwise SQLite would apply the old WAL to the new file.
      files.removeSideFiles(store);
      files.fsync(path.dirname(store));
      files.replaceFile(draft, store);
      return { ...comparison, replaced };
    } finally {
      files.removeDatabase(draft);
    }
  });

type Comparison = {
  readonly snapshot: RowCounts;
  /** `null` if the store cannot be read. */
  readonly store: RowCounts | null;
  /** Who is an `administrator`, `invited` or `not invited` in only one of them. */
  readonly people: readonly Readonly<Record<'email' | 'inStore' | 'inSnapshot', string>>[];
};

/** A restore does not revive sessions that have ended since the snapshot. */
const END_SESSIONS = 'delete from main.sessions where id not in (select id from replaced.sessions)';

const standing = (side: string): string =>
  `case ${side}.is_admin when 1 then 'administrator' when 0 then 'invited' else 'not invited' end`;

const PEOPLE = `
  select email, ${standing('own')} as inStore, ${standing('other')} as inSnapshot
  from replaced.invites as own full join main.invites as other using (email)
  where own.is_admin is not other.is_admin order by email`;

/** @param job SQL to run with the store as `replaced`; if that fails, all sessions end */
function compareWithStore(db: Database.Database, store: string, job = ''): Comparison {
  const snapshot = countRowsByTable(db);
  const endSessions = (): Comparison => {
    if (job) db.exec('delete from main.sessions');
    return { snapshot, store: null, people: [] };
  };
  if (isLost(store)) return endSessions();
  if (!files.fileExists(store)) return { snapshot, store: {}, people: [] };
  try {
    db.prepare('attach ? as replaced').run(store);
    const people = db.prepare<[], Comparison['people'][number]>(PEOPLE).all();
    db.exec(job);
    return { snapshot, store: countRowsByTable(db, 'replaced'), people };
  } catch (error) {
    if (!(error instanceof Database.SqliteError) || isBusy(error)) throw error;
    return endSessions();
  }
}

/** Moves the WAL into the store, unless it is damaged. */
function applyWal(store: string): void {
  const apply = (db: Database.Database) => void db.pragma('journal_mode = delete');
  withDatabase(store, { timeout: 500 }, apply, (error) => {
    // A program that makes no claim.
    if (isBusy(error))
      throw new StoreError(
        `${store} is open in another program; stop it (the server, the standby, sqlite3), then try again`,
      );
  });
}

/** Copies the old store, and a damaged or lost one's WAL, to the snapshots. @returns the path */
async function keepReplaced(store: string): Promise<string> {
  const kept = newSnapshotPath(store, '-replaced');
  const draft = copyDraftPath(store);
  files.removeDatabase(draft);
  await files.copyPrivateFile(store, draft);
  await files.copyPrivateFile(`${store}-wal`, `${draft}-wal`);
  files.replaceFile(draft, kept);
  if (files.fileExists(`${draft}-wal`)) files.replaceFile(`${draft}-wal`, `${kept}-wal`);
  return kept;
}
