/** Files that only their owner can read, and their durable creation and replacement. */
import fs from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Whether a file exists. Unlike `fs.existsSync`, throws if the folder cannot be read. */
export const fileExists = (file: string): boolean =>
  fs.statSync(file, { throwIfNoEntry: false }) !== undefined;

/** Creates a missing folder for the owner only, and syncs it. */
export function createPrivateFolder(folder: string): void {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  // The creator may not have fsynced the parent, which for a link is that of its target.
  fsync(`${folder}/..`);
}

/** Creates a missing file, empty, and its folder, for the owner only. */
export function createPrivateFile(file: string): void {
  // Do not open an existing file: closing it would drop this process's locks on it.
  if (fileExists(file)) return;
  createPrivateFolder(path.dirname(file));
  fs.writeFileSync(file, '', { flag: 'a', mode: 0o600 });
}

/** Copies a file, if it exists, to a new one, for the owner only, and syncs it. */
export async function copyPrivateFile(from: string, to: string): Promise<void> {
  if (!fileExists(from)) return;
  createPrivateFolder(path.dirname(to));
  await pipeline(fs.createReadStream(from), fs.createWriteStream(to, { flags: 'wx', mode: 0o600 }));
  fsync(to);
}

/** Renames a file over another. A power cut leaves one of them, whole. */
export function replaceFile(draft: string, target: string): void {
  fsync(draft);
  fs.renameSync(draft, target);
  fsync(path.dirname(target));
}

export function fsync(fileOrFolder: string): void {
  const opened = fs.openSync(fileOrFolder, 'r');
  try {
    fs.fsyncSync(opened);
  } finally {
    fs.closeSync(opened);
  }
}

/** Removes the files that SQLite creates beside a database. */
export function removeSideFiles(file: string): void {
  for (const side of ['-journal', '-wal', '-shm']) fs.rmSync(file + side, { force: true });
}

export function removeDatabase(file: string): void {
  removeSideFiles(file);
  fs.rmSync(file, { force: true });
}
