/** Reads files of a store that an operator may have copied or moved, with their journals. */
import fs from 'node:fs';
import { isDamage, StoreError } from './errors.ts';
import * as files from './files.ts';
import { snapshotFolder } from './snapshots.ts';
import { withDatabase } from './sqlite.ts';

/** The endings of a store's files: none, its rollback journal, and its WAL. */
export const SIDES = ['', '-journal', '-wal'];

/**
 * Reads a file of a store, and leaves no new file beside it. If a file is in WAL mode or has a
 * journal, SQLite would write beside it, and fail without the right to. Such a file is first copied
 * to a draft.
 *
 * @param use gets the path to read
 * @throws {StoreError} if another program writes the file
 */
export function withReadableCopy<T>(store: string, file: string, use: (path: string) => T): T {
  if (!needsCopy(file)) return use(file);
  const folder = snapshotFolder(store);
  files.createFolder(folder);
  const draft = files.newDraftPath(folder);
  try {
    copyUnchanged(file, draft);
    applyJournals(draft);
    return use(draft);
  } finally {
    files.removeDatabase(draft);
  }
}

/** Whether SQLite would write beside a file to read it. */
function needsCopy(file: string): boolean {
  if (files.hasContent(`${file}-wal`) || files.hasContent(`${file}-journal`)) return true;
  const header = Buffer.alloc(20);
  const opened = fs.openSync(file, 'r');
  try {
    fs.readSync(opened, header, 0, header.length, 0);
  } finally {
    fs.closeSync(opened);
  }
  // The read version of the file format: 2 in WAL mode.
  return header[19] === 2;
}

/** Copies a file with its journals. @throws {StoreError} if they change during the copy */
function copyUnchanged(file: string, draft: string): void {
  const before = describeSides(file);
  for (const side of SIDES)
    if (files.hasContent(file + side)) files.copyFile(file + side, draft + side);
  if (describeSides(file) === before) return;
  throw new StoreError(
    `${file} is being written; stop its server first, or copy it by: sqlite3 … ".backup …"`,
  );
}

function describeSides(file: string): string {
  const states = SIDES.map((side) => fs.statSync(file + side, { throwIfNoEntry: false }));
  return states.map((state) => `${state?.size} ${state?.mtimeMs}`).join();
}

/**
 * Applies the journals to a copy. If the content is damaged, the check of the copy finds it.
 */
function applyJournals(draft: string): void {
  try {
    // The original may be read-only.
    fs.chmodSync(draft, 0o600);
    withDatabase(draft, { fileMustExist: true }, (db) => db.pragma('journal_mode = delete'));
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
}
