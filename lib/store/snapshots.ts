/**
 * Snapshots: copies of the store in `backups/` beside it. A copy is made as a draft, checked and
 * synced, then renamed.
 */
import fs from 'node:fs';
import path from 'node:path';
import { checkStoreFile, type Inspection } from './inspection.ts';
import { claimStore, whileClaimed } from './lock.ts';
import * as files from './private-files.ts';
import Database, { withDatabase } from './sqlite.ts';

export type Snapshot = ReturnType<typeof listSnapshots>[number];

/** Age at which snapshots are deleted, in ms. */
export const SNAPSHOT_RETENTION = 14 * 24 * 3_600_000;

const NAME = /^guestlist-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z(?:-.+)?\.db$/;

export const snapshotFolder = (store: string): string => path.join(path.dirname(store), 'backups');

/** The only draft, because a draft needs a claim. */
export const copyDraftPath = (store: string): string => path.join(snapshotFolder(store), 'draft');

/** All snapshots of a store, newest first. `takenAt`, in epoch ms, is the time in the name. */
export function listSnapshots(store: string) {
  const folder = snapshotFolder(store);
  const names = files.fileExists(folder) ? fs.readdirSync(folder) : [];
  return names
    .filter((name) => NAME.test(name))
    .sort()
    .reverse()
    .map((name) => {
      const file = path.join(folder, name);
      const takenAt = Date.parse(name.replace(NAME, '$1-$2-$3T$4:$5:$6Z'));
      return { file, takenAt, bytes: fs.statSync(file).size };
    });
}

/** Takes a snapshot while the server may write. @throws {StoreError} if it fails the check */
export const takeSnapshot = (store: string) =>
  whileClaimed(store, 'copy', async () => {
    try {
      await copyInSteps(store, newDraft(store));
      return nameDraft(store);
    } finally {
      files.removeDatabase(copyDraftPath(store));
    }
  });

/** Takes a snapshot synchronously, before a migration. @param version the schema that it is from */
export function takeSnapshotNow(db: Database.Database, version: number): void {
  const release = claimStore(db.name, 'copy');
  try {
    db.prepare('vacuum into ?').run(newDraft(db.name));
    // Another process may have migrated the store before or during the copy.
    if (db.pragma('user_version', { simple: true }) !== version) return;
    const { file } = nameDraft(db.name, `-schema-${version}`);
    // An interrupted migration leaves its snapshot.
    for (const { file: former } of listSnapshots(db.name))
      if (former !== file && former.endsWith(`-schema-${version}.db`)) files.removeDatabase(former);
  } finally {
    files.removeDatabase(copyDraftPath(db.name));
    release();
  }
}

/**
 * Deletes the snapshots older than 14 days, except the newest five, because a clock may have been
 * wrong. With `kept`, deletes all but that number of newest ones. @returns how many
 */
export function removeOldSnapshots(store: string, kept?: number): number {
  const oldest = kept === undefined ? Date.now() - SNAPSHOT_RETENTION : Infinity;
  const old = listSnapshots(store)
    .slice(kept ?? 5)
    .filter(({ takenAt }) => takenAt < oldest);
  for (const { file } of old) files.removeDatabase(file);
  if (old.length > 0) files.fsync(snapshotFolder(store));
  return old.length;
}

/** A free path for a new snapshot. A second one in the same second gets the next second. */
export function newSnapshotPath(store: string, label: string): string {
  const taken = new Set(listSnapshots(store).map(({ takenAt }) => takenAt));
  let time = Math.floor(Date.now() / 1000) * 1000;
  while (taken.has(time)) time += 1000;
  const text = new Date(time).toISOString().replace(/[-:]|\.\d+/g, '');
  return path.join(snapshotFolder(store), `guestlist-${text}${label}.db`);
}

/** Makes an empty draft. The caller has a claim. */
function newDraft(store: string): string {
  const draft = copyDraftPath(store);
  files.removeDatabase(draft);
  files.createPrivateFile(draft);
  return draft;
}

/** Turns the draft into a snapshot. @throws {StoreError} if it fails the check */
function nameDraft(store: string, label = '') {
  const draft = copyDraftPath(store);
  const { rows } = checkDraft(draft, `the copy of ${store}`);
  const file = newSnapshotPath(store, label);
  files.replaceFile(draft, file);
  return { file, bytes: fs.statSync(file).size, rows };
}

/** Copies a database in steps of 1024 pages (4 MiB), between which the server can use the disk. */
async function copyInSteps(source: string, draft: string): Promise<void> {
  const db = new Database(source, { fileMustExist: true });
  const file = fs.openSync(draft, 'r');
  try {
    // Without a read transaction, the copy would restart at each write.
    db.exec('begin; select count(*) from sqlite_schema');
    await db.backup(draft, {
      progress() {
        // Because one large sync would delay the server's.
        fs.fdatasyncSync(file);
        return 1024;
      },
    });
  } finally {
    fs.closeSync(file);
    db.close();
  }
}

/** Checks a draft, and leaves it without a WAL. @throws {StoreError} with the name given */
export function checkDraft(draft: string, name: string): Inspection {
  const inspection = checkStoreFile(draft, name);
  withDatabase(draft, {}, (db) => db.pragma('journal_mode = delete'));
  return inspection;
}
