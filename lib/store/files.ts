/** Files of the data folder: private, and durable. */
import fs from 'node:fs';
import path from 'node:path';

/** From now on, only this user can read what this process creates. */
export function keepFilesPrivate(): void {
  process.umask(0o077);
}

export function fsync(fileOrFolder: string): void {
  const opened = fs.openSync(fileOrFolder, 'r');
  try {
    fs.fsyncSync(opened);
  } finally {
    fs.closeSync(opened);
  }
}

/** Creates a missing folder for this user alone, and makes it durable. */
export function createFolder(folder: string): void {
  keepFilesPrivate();
  fs.mkdirSync(folder, { recursive: true });
  // Another program may have created the folder and not synced its parent. Where the folder is a
  // link, `..` is the parent of the link's target.
  fsync(`${folder}/..`);
}

/** Renames a file, over another one if there is one. A power cut leaves one of them, whole. */
export function renameDurably(from: string, to: string): void {
  fsync(from);
  fs.renameSync(from, to);
  const folders = new Set([path.dirname(to), path.dirname(from)]);
  for (const folder of folders) fsync(folder);
}

/** In bytes; 0 without a file. */
export const sizeOf = (file: string): number =>
  fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** Removes a database with the files that SQLite creates beside it. */
export function removeDatabase(file: string): void {
  for (const side of ['-journal', '-wal', '-shm', '']) fs.rmSync(file + side, { force: true });
}
