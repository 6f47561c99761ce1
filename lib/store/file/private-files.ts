/** Files that only their owner can read. */
import fs from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { StoreError } from '../errors.ts';

/** Path of the store that a restore prepares. */
export const draftOf = (store: string): string => `${store}.draft`;

/** Whether a file exists. Unlike `fs.existsSync`, throws if this user may not know. */
export const exists = (file: string): boolean =>
  fs.statSync(file, { throwIfNoEntry: false }) !== undefined;

export const isLink = (file: string): boolean =>
  fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

/** Creates a folder for the owner only, if there is none, so that it survives a power cut. */
export function createPrivateFolder(folder: string): void {
  if (fs.mkdirSync(folder, { recursive: true, mode: 0o700 })) {
    const opened = openNoLink(folder);
    giveToOwner(opened, path.dirname(folder));
    fs.closeSync(opened);
  }
  // Who made it may not have synced its name. Through a link, the folder of its target is synced.
  sync(`${folder}/..`);
}

/** Creates an empty file, and its folder, for the owner only, if there is none. */
export function createPrivate(file: string): void {
  // An existing file is not opened: closing it would drop this process's locks on it.
  if (exists(file)) return;
  try {
    fs.closeSync(createNew(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Creates a file, and its folder, for the owner only.
 *
 * @returns its descriptor
 * @throws EEXIST if the name is taken, by a link too
 */
export function createNew(file: string): number {
  createPrivateFolder(path.dirname(file));
  const opened = fs.openSync(file, 'wx', 0o600);
  giveToOwner(opened, path.dirname(file));
  return opened;
}

/** Opens for reading. @throws {StoreError} if the name is a link */
function openNoLink(file: string): number {
  try {
    return fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ELOOP') throw error;
    throw new StoreError(`${file} is a link; name the file that it points to`);
  }
}

/**
 * Gives a file that root has created to the owner of its folder, so that the service can use it. By
 * descriptor, because that owner can replace the name by a link at any moment.
 */
function giveToOwner(opened: number, folder: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = fs.statSync(folder);
  fs.fchownSync(opened, uid, gid);
}

/** Copies a file to a new one, for the owner only. Follows no link. */
export async function copyPrivate(from: string, to: string): Promise<void> {
  const source = fs.createReadStream('', { fd: openNoLink(from) });
  await pipeline(source, fs.createWriteStream('', { fd: createNew(to) }));
}

/** Renames a file over another and syncs, so that a power cut leaves one of them, whole. */
export function putInPlace(draft: string, target: string): void {
  sync(draft);
  fs.renameSync(draft, target);
  sync(path.dirname(target));
}

/** Puts a database in the place of another one, which may have a WAL. */
export function replaceDatabase(draft: string, target: string): void {
  // SQLite would apply the old WAL to the new file, also if a power cut brought it back.
  removeSideFiles(target);
  sync(path.dirname(target));
  putInPlace(draft, target);
}

export function sync(fileOrFolder: string): void {
  const opened = fs.openSync(fileOrFolder, 'r');
  try {
    fs.fsyncSync(opened);
  } finally {
    fs.closeSync(opened);
  }
}

/** Removes the files that SQLite creates beside a database. */
function removeSideFiles(file: string): void {
  for (const side of ['-journal', '-wal', '-shm']) fs.rmSync(file + side, { force: true });
}

/** Removes a database and its side files. */
export function removeDatabase(file: string): void {
  removeSideFiles(file);
  fs.rmSync(file, { force: true });
}
