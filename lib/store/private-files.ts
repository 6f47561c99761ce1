/** Files of the store and its copies: readable by their owner only, and under their name only when they are on disk. */
import fs from 'node:fs';
import path from 'node:path';

/** What SQLite puts beside a database. */
const SIDE_FILES = ['-journal', '-wal', '-shm'] as const;

/** Whether a file is there. @throws where this user may not look: `fs.existsSync` says no then */
export const exists = (file: string): boolean =>
  fs.statSync(file, { throwIfNoEntry: false }) !== undefined;

/** Makes a folder for the owner only; leaves alone what is there. */
export function createPrivateFolder(folder: string): void {
  if (fs.mkdirSync(folder, { recursive: true, mode: 0o700 })) giveToOwner(folder);
}

/** Makes an empty file, and its folder, for the owner only; leaves alone what is there. */
export function createPrivate(file: string): void {
  createPrivateFolder(path.dirname(file));
  try {
    // Never opens what is there: closing it again would drop the locks that this process holds on it.
    fs.closeSync(fs.openSync(file, 'wx', 0o600));
    giveToOwner(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** What root makes belongs to the owner of the folder around it, so that the service can use it. */
function giveToOwner(file: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = fs.statSync(path.dirname(file));
  fs.chownSync(file, uid, gid);
}

/** Gives a file its name, replacing what has it, in one step that a power cut leaves done or not done. */
export function putInPlace(draft: string, target: string): void {
  sync(draft);
  fs.renameSync(draft, target);
  sync(path.dirname(target));
}

/** Writes a file, or the names in a folder, to disk. */
export function sync(fileOrFolder: string): void {
  const opened = fs.openSync(fileOrFolder, 'r');
  try {
    fs.fsyncSync(opened);
  } finally {
    fs.closeSync(opened);
  }
}

/** Removes what SQLite has put beside a database. */
export function removeSideFiles(file: string): void {
  for (const side of SIDE_FILES) fs.rmSync(file + side, { force: true });
}

/** Removes a database with what SQLite has put beside it. */
export function removeDatabase(file: string): void {
  removeSideFiles(file);
  fs.rmSync(file, { force: true });
}
