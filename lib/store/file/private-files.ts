/** Files that only their owner can read, and their replacement so that a power cut harms none. */
import fs from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Whether a file exists. Unlike `fs.existsSync`, throws if this user may not know. */
export const fileExists = (file: string): boolean =>
  fs.statSync(file, { throwIfNoEntry: false }) !== undefined;

/** Creates a folder for the owner only, if there is none, so that it survives a power cut. */
export function createPrivateFolder(folder: string): void {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  // The creator may not have fsynced the parent. Of a link, the parent of its target is synced.
  syncToDisk(`${folder}/..`);
}

/** Creates an empty file, and its folder, for the owner only, if there is none. */
export function createPrivateFile(file: string): void {
  // An existing file is not opened: closing it would drop this process's locks on it.
  if (fileExists(file)) return;
  createPrivateFolder(path.dirname(file));
  fs.writeFileSync(file, '', { flag: 'a', mode: 0o600 });
}

/** Copies a file to a new one, for the owner only. */
export async function copyPrivateFile(from: string, to: string): Promise<void> {
  createPrivateFolder(path.dirname(to));
  await pipeline(fs.createReadStream(from), fs.createWriteStream(to, { flags: 'wx', mode: 0o600 }));
}

/** Renames a file over another and syncs, so that a power cut leaves one of them, whole. */
export function replaceDurably(draft: string, target: string): void {
  syncToDisk(draft);
  fs.renameSync(draft, target);
  syncToDisk(path.dirname(target));
}

export function syncToDisk(fileOrFolder: string): void {
  const opened = fs.openSync(fileOrFolder, 'r');
  try {
    fs.fsyncSync(opened);
  } finally {
    fs.closeSync(opened);
  }
}

/** Removes what SQLite creates beside a database. */
export function removeSideFiles(file: string): void {
  for (const side of ['-journal', '-wal', '-shm']) fs.rmSync(file + side, { force: true });
}

/** Removes a database and its side files. */
export function removeDatabase(file: string): void {
  removeSideFiles(file);
  fs.rmSync(file, { force: true });
}
