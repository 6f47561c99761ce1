/** Snapshots: copies of the store in `backups/` beside it. */
import fs from 'node:fs';
import path from 'node:path';
import { checkpointer, isLost } from './connect.ts';
import { StoreError } from './errors.ts';
import {
  createPrivately,
  fsync,
  nameDraft,
  newDraft,
  removeAbandonedDrafts,
  removeDatabase,
} from './files.ts';
import { checkStoreFile } from './inspection.ts';
import Database, { withDatabase } from './sqlite.ts';

export type Snapshot = ReturnType<typeof listSnapshots>[number];

/** Age at which snapshots are removed, in ms. */
export const SNAPSHOT_RETENTION = 14 * 24 * 3_600_000;

/** How far in the future a name can be without a fault: snapshots of one second get later ones. */
const TOLERANCE = 60_000;

/** Nightly snapshots that no age removes, because a clock may have been wrong. */
const ALWAYS_KEPT = 5;

const NAME = /^guestlist-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z(-.+)?\.db$/;

const snapshotFolder = (store: string): string => path.join(path.dirname(store), 'backups');

/**
 * All snapshots of a store, newest first; those from the future come last. `takenAt`, in epoch ms,
 * is the time in the name; `label` is empty for a nightly one, else `-replaced` or `-schema-7`.
 * @throws an error with a `code` if the folder cannot be read
 */
export function listSnapshots(store: string, now = Date.now()) {
  const folder = snapshotFolder(store);
  const isThere = fs.statSync(folder, { throwIfNoEntry: false }) !== undefined;
  const names = (isThere ? fs.readdirSync(folder) : [])
    // Of a lost store, only the WAL is kept.
    .map((name) => name.replace(/-wal$/, ''))
    .filter((name) => NAME.test(name));
  const snapshots = [...new Set(names)].flatMap((name) => {
    const file = path.join(folder, name);
    const state = ['', '-wal']
      .map((side) => fs.statSync(file + side, { throwIfNoEntry: false }))
      .find((each) => each?.isFile());
    const label = NAME.exec(name)?.[7] ?? '';
    const takenAt = Date.parse(name.replace(NAME, '$1-$2-$3T$4:$5:$6Z'));
    if (!state || Number.isNaN(takenAt)) return [];
    return { file, label, takenAt, bytes: state.size, isFuture: takenAt > now + TOLERANCE };
  });
  return snapshots.sort(
    (one, other) => Number(one.isFuture) - Number(other.isFuture) || other.takenAt - one.takenAt,
  );
}

/** @throws {StoreError} if only the WAL is left, which SQLite would delete */
export function refuseLostStore(store: string): void {
  if (isLost(store))
    throw new StoreError(
      `${store} is gone, but ${store}-wal is still there; restore a snapshot from data/backups, ` +
        'or move the -wal away to begin with an empty store',
    );
}

/** A snapshot of a store by path, or by name. @throws {StoreError} if there is none */
export function findSnapshot(store: string, name: string): string {
  const files = [path.resolve(name), path.join(snapshotFolder(store), name)];
  const found = files.find((file) => fs.existsSync(file));
  if (found !== undefined) return found;
  throw new StoreError(
    `there is no ${name} that this user may read, here or in data/backups; see: backup list`,
  );
}

/** Takes a snapshot while the server may write. @throws {DamagedStore} if the copy fails the check */
export async function takeSnapshot(store: string) {
  const draft = newSnapshotDraft(store);
  try {
    await copyInSteps(store, draft);
    return nameSnapshot(store, draft, '');
  } finally {
    removeDatabase(draft);
  }
}

/** Takes one without a pause: under a lock, or before a migration. @throws {DamagedStore} */
export function takeSnapshotNow(store: string, label: string) {
  const draft = newSnapshotDraft(store);
  try {
    withDatabase(store, { fileMustExist: true }, (db) => db.prepare('vacuum into ?').run(draft));
    return nameSnapshot(store, draft, label);
  } finally {
    removeDatabase(draft);
  }
}

function newSnapshotDraft(store: string): string {
  refuseLostStore(store);
  createPrivately();
  // A killed restore leaves its draft beside the store.
  removeAbandonedDrafts(path.dirname(store));
  return newDraft(snapshotFolder(store));
}

/** Copies the store in steps of 4 MiB, because one large sync would delay the server's. */
async function copyInSteps(store: string, draft: string): Promise<void> {
  fs.writeFileSync(draft, '');
  const db = new Database(store, { fileMustExist: true });
  const file = fs.openSync(draft, 'r');
  try {
    // Without a read transaction, the copy would begin again at each write.
    db.exec('begin; select count(*) from sqlite_schema');
    await db.backup(draft, {
      progress() {
        fs.fdatasyncSync(file);
        return 1024;
      },
    });
    db.exec('commit');
    // In WAL mode like the store, each reader would leave files beside it.
    withDatabase(draft, {}, (copy) => copy.pragma('journal_mode = delete'));
    // So that the store is not only in its WAL.
    checkpointer(db)();
  } finally {
    fs.closeSync(file);
    db.close();
  }
}

function nameSnapshot(store: string, draft: string, label: string) {
  const { rows } = checkStoreFile(draft, `the copy of ${store}`);
  const file = newSnapshotPath(store, label);
  nameDraft(draft, file);
  return { file, bytes: fs.statSync(file).size, rows };
}

/**
 * Removes the snapshots older than 14 days, except the newest five nightly ones, and all nightly ones
 * but the newest `count`. @returns how many
 */
export function removeOldSnapshots(store: string, count = Infinity): number {
  const snapshots = listSnapshots(store);
  const nightly = snapshots.filter(({ label }) => label === '');
  const [kept, surplus] = [nightly.slice(0, ALWAYS_KEPT), nightly.slice(count)];
  const oldest = Date.now() - SNAPSHOT_RETENTION;
  const isOld = (each: Snapshot) => each.takenAt < oldest && !kept.includes(each);
  return removeSnapshots(snapshots.filter((each) => isOld(each) || surplus.includes(each)));
}

/** @returns how many there were */
export function removeSnapshots(snapshots: readonly Snapshot[]): number {
  for (const { file } of snapshots) removeDatabase(file);
  const [first] = snapshots;
  if (first) fsync(path.dirname(first.file));
  return snapshots.length;
}

/** A free path for a new snapshot. A second one in the same second gets the next second. */
export function newSnapshotPath(store: string, label: string): string {
  const taken = new Set(listSnapshots(store).map(({ takenAt }) => takenAt));
  let time = Math.floor(Date.now() / 1000) * 1000;
  while (taken.has(time)) time += 1000;
  const text = new Date(time).toISOString().replace(/[-:]|\.\d+/g, '');
  return path.join(snapshotFolder(store), `guestlist-${text}${label}.db`);
}
