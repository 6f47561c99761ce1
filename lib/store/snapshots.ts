/**
 * Snapshots: copies of the store in `backups/` beside it. A copy is a draft until it is complete.
 */
import fs from 'node:fs';
import path from 'node:path';
import { commandFor } from '../config.ts';
import { isOfTarget, StoreError, toFileError } from './errors.ts';
import * as files from './files.ts';
import { inspectCopy, type RowCounts, requireSound } from './inspection.ts';
import { withDatabase } from './sqlite.ts';

export type Snapshot = {
  readonly file: string;
  /** Empty for a nightly one, else `-replaced` or `-schema-5`; `draft` for a draft. */
  readonly label: string;
  /** In epoch ms; of a draft, the time of its last write. */
  readonly takenAt: number;
};

const HOUR = 3_600_000;

/** Age at which nightly snapshots are removed, in ms. */
export const SNAPSHOT_RETENTION = 14 * 24 * HOUR;

/** How many nightly snapshots are always kept, because a clock may have been wrong. */
const ALWAYS_KEPT = 5;

/**
 * The name of a snapshot: `guestlist-20261126T031500Z.db` or
 * `guestlist-20261126T031500Z-schema-5.db`, not `guestlist.db`.
 */
const NAME = /^guestlist-(?<date>\d{8})T(?<time>\d{6})Z(?<label>-[a-z\d-]+)?\.db$/;

/** `draft-0123456789ab`. A power cut can leave the journal alone. */
const DRAFT = /^draft-[0-9a-f]{12}(-journal)?$/;

export const snapshotFolder = (store: string): string => path.join(path.dirname(store), 'backups');

/** The paths of files in a folder. @throws an error with a `code` if the folder cannot be read */
function findFiles(folder: string, pattern: RegExp): readonly string[] {
  files.refuseLostLink(folder);
  if (!fs.statSync(folder, { throwIfNoEntry: false })) return [];
  const names = fs.readdirSync(folder).filter((name) => pattern.test(name));
  return names.map((name) => path.join(folder, name));
}

/** All snapshots of a store, newest first. @throws an error with a `code` if it cannot read them */
export function listSnapshots(store: string): readonly Snapshot[] {
  files.refuseLostLink(path.dirname(store));
  const snapshots: Snapshot[] = [];
  for (const file of findFiles(snapshotFolder(store), NAME)) {
    const { date = '', time = '', label = '' } = NAME.exec(path.basename(file))?.groups ?? {};
    const takenAt = Date.parse(`${separate(date, '-')}T${separate(time, ':')}Z`);
    // A name with an impossible date, such as February 31, is not the name of a snapshot.
    if (!Number.isNaN(takenAt)) snapshots.push({ file, label, takenAt });
  }
  return snapshots.sort((one, other) => other.takenAt - one.takenAt);
}

/** Adds a mark before the last two pairs of digits: `20261126` becomes `2026-11-26`. */
const separate = (digits: string, mark: string): string =>
  [digits.slice(0, -4), digits.slice(-4, -2), digits.slice(-2)].join(mark);

/**
 * The drafts of running and of interrupted programs. A restore from another volume makes one beside
 * the store.
 */
export function listDrafts(store: string): readonly Snapshot[] {
  const drafts: Snapshot[] = [];
  for (const folder of [snapshotFolder(store), path.dirname(store)]) {
    for (const file of findFiles(folder, DRAFT)) {
      const stats = fs.statSync(file, { throwIfNoEntry: false });
      drafts.push({ file, label: 'draft', takenAt: stats?.mtimeMs ?? Date.now() });
    }
  }
  return drafts;
}

/**
 * `guestlist-20261126T031500Z-replaced.db-wal`, without a `.db`: a restore keeps the journal of a
 * store that was lost.
 */
const KEPT_JOURNAL = /^guestlist-[\dTZ]+-replaced\.db-(?:wal|journal)$/;

/** The journals of lost stores. */
export function listLostJournals(store: string): readonly Snapshot[] {
  const lost: Snapshot[] = [];
  for (const file of findFiles(snapshotFolder(store), KEPT_JOURNAL))
    if (!fs.existsSync(file.replace(/-[a-z]+$/, '')))
      lost.push({ file, label: '-replaced', takenAt: fs.statSync(file).mtimeMs });
  return lost;
}

/** A snapshot of a store by path, or by name. @throws {StoreError} if there is none */
export function findSnapshot(store: string, name: string): string {
  const given = path.resolve(name);
  const folder = snapshotFolder(store);
  const named = path.join(folder, name);
  const isClosed = isInClosedFolder(given);
  if (!isClosed && isFile(given)) return given;
  if (isFile(named)) return named;
  if (isClosed)
    throw new StoreError(
      `this user may not look for ${given}, and data/backups has no ${name}; copy it to ${folder}, ` +
        "and chown the copy to the service's user",
    );
  throw new StoreError(
    `there is no ${name} that this user may read, here or in data/backups; see: ${commandFor('backup list')}`,
  );
}

const isFile = (file: string): boolean =>
  fs.statSync(file, { throwIfNoEntry: false })?.isFile() === true;

/** Whether this user may not look into the folder of a file, such as the service's user in /root. */
function isInClosedFolder(file: string): boolean {
  try {
    fs.statSync(file, { throwIfNoEntry: false });
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES';
  }
}

/**
 * Copies a store, also while the server writes. `use` gets the copy, which is then deleted. First
 * removes the drafts that no running program writes.
 *
 * @param from the store, or a snapshot as `withReadableCopy` gives it
 */
export function copyToDraft<T>(store: string, from: string, use: (draft: string) => T): T {
  const folder = snapshotFolder(store);
  files.createFolder(folder);
  for (const { file, takenAt } of listDrafts(store))
    if (takenAt < Date.now() - HOUR) files.removeDatabase(file);
  const draft = files.newDraftPath(folder);
  try {
    const options = { fileMustExist: true, readonly: from !== store };
    try {
      withDatabase(from, options, (db) => db.prepare('vacuum into ?').run(draft));
    } catch (error) {
      throw isOfTarget(error, draft) ? toFileError(draft, error) : error;
    }
    return use(draft);
  } finally {
    files.removeDatabase(draft);
  }
}

/** A snapshot that was taken. */
export type TakenSnapshot = {
  readonly file: string;
  readonly bytes: number;
  readonly rows: RowCounts;
};

/** Takes a snapshot. @param label empty for a nightly one @throws {StoreError} if it is damaged */
export const takeSnapshot = (store: string, label = ''): TakenSnapshot =>
  copyToDraft(store, store, (draft) => {
    const { rows } = requireSound(inspectCopy(draft), `the copy of ${store}`);
    const file = newSnapshotPath(store, label);
    files.moveDurably(draft, file);
    return { file, bytes: files.sizeOf(file), rows };
  });

/** Whether a clock is wrong now, or was wrong when a snapshot was taken. */
export function isOfFuture({ takenAt }: Snapshot): boolean {
  // A snapshot in the same second as another one gets the next second.
  return takenAt > Date.now() + 60_000;
}

/** Removes nightly snapshots older than 14 days, except the newest five. @returns how many */
export function removeOldSnapshots(store: string): number {
  const nightly = listSnapshots(store).filter(({ label }) => label === '');
  const oldest = Date.now() - SNAPSHOT_RETENTION;
  // Snapshots from the future are older than they seem, so they are not among the newest five.
  const ofPast = nightly.filter((snapshot) => !isOfFuture(snapshot));
  const old = ofPast.slice(ALWAYS_KEPT).filter(({ takenAt }) => takenAt < oldest);
  for (const { file } of old) files.removeDatabase(file);
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
