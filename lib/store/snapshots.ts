/** Snapshots: copies of the store in `backups/` beside it. */
import fs from 'node:fs';
import path from 'node:path';
import { StoreError } from './errors.ts';
import {
  createPrivately,
  fsync,
  nameDraft,
  newDraft,
  removeAbandonedDrafts,
  removeDatabase,
  sizeOf,
} from './files.ts';
import { checkStoreFile } from './inspection.ts';
import { withDatabase } from './sqlite.ts';

export type Snapshot = ReturnType<typeof listSnapshots>[number];

/** Age at which nightly snapshots are removed, in ms. */
export const SNAPSHOT_RETENTION = 14 * 24 * 3_600_000;

/** Nightly snapshots that no age removes, because a clock may have been wrong. */
const ALWAYS_KEPT = 5;

const NAME = /^guestlist-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z(-[a-z\d-]+)?\.db$/;

const snapshotFolder = (store: string): string => path.join(path.dirname(store), 'backups');

/**
 * All snapshots of a store, newest first. `takenAt`, in epoch ms, is the time in the name; `label` is
 * empty for a nightly one, else `-replaced` or `-schema-5`.
 *
 * @throws an error with a `code` if the folder cannot be read
 */
export function listSnapshots(store: string) {
  const folder = snapshotFolder(store);
  const isThere = fs.statSync(folder, { throwIfNoEntry: false }) !== undefined;
  const names = isThere ? fs.readdirSync(folder) : [];
  const snapshots = names
    .filter((name) => NAME.test(name))
    .map((name) => {
      const file = path.join(folder, name);
      const label = NAME.exec(name)?.[7] ?? '';
      const takenAt = Date.parse(name.replace(NAME, '$1-$2-$3T$4:$5:$6Z'));
      return { file, label, takenAt, bytes: sizeOf(file) + sizeOf(`${file}-wal`) };
    });
  return snapshots
    .filter(({ takenAt }) => !Number.isNaN(takenAt))
    .sort((one, other) => other.takenAt - one.takenAt);
}

/** A snapshot of a store by path, or by name. @throws {StoreError} if there is none */
export function findSnapshot(store: string, name: string): string {
  const files = [path.resolve(name), path.join(snapshotFolder(store), name)];
  const found = files.find((file) => fs.statSync(file, { throwIfNoEntry: false })?.isFile());
  if (found !== undefined) return found;
  throw new StoreError(
    `there is no ${name} that this user may read, here or in data/backups; see: backup list`,
  );
}

/**
 * Takes a snapshot, also while the server writes.
 *
 * @param label empty for a nightly one
 * @throws {DamagedStore} if the copy fails the check
 */
export function takeSnapshot(store: string, label = '') {
  createPrivately();
  // Of an interrupted restore, with all that its snapshot holds of people.
  removeAbandonedDrafts(path.dirname(store));
  const draft = newDraft(snapshotFolder(store));
  try {
    withDatabase(store, { fileMustExist: true }, (db) => db.prepare('vacuum into ?').run(draft));
    const { rows } = checkStoreFile(draft, `the copy of ${store}`);
    const file = newSnapshotPath(store, label);
    nameDraft(draft, file);
    return { file, bytes: sizeOf(file), rows };
  } finally {
    removeDatabase(draft);
  }
}

/** Removes nightly snapshots older than 14 days, except the newest five. @returns how many */
export function removeOldSnapshots(store: string): number {
  const nightly = listSnapshots(store).filter(({ label }) => label === '');
  const oldest = Date.now() - SNAPSHOT_RETENTION;
  return removeSnapshots(nightly.slice(ALWAYS_KEPT).filter(({ takenAt }) => takenAt < oldest));
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
