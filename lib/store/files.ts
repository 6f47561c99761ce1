/** Files of the data folder. They are private, and they survive a power cut. */
import * as crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { describeLostLink } from '../config.ts';
import { StoreError } from './errors.ts';

/** After this call, only this user can read the files that this process creates. */
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

/**
 * @throws {StoreError} for a link with a missing target, so that no folder is created there
 */
export function refuseLostLink(folder: string): void {
  const lost = describeLostLink(folder);
  if (lost !== undefined) throw new StoreError(lost);
}

/** Creates a missing folder that only this user can read, and syncs it. */
export function createFolder(folder: string): void {
  refuseLostLink(folder);
  keepFilesPrivate();
  fs.mkdirSync(folder, { recursive: true });
  // Another program may have created the folder without a sync of its parent. If the folder is a
  // link, `..` is the parent of the link's target.
  fsync(`${folder}/..`);
}

/** A new path for a draft: a file that is not complete yet. An interruption may leave it. */
export function newDraftPath(folder: string): string {
  return path.join(folder, `draft-${crypto.randomBytes(6).toString('hex')}`);
}

/**
 * Moves a file, also to another volume, and replaces an existing file. After a power cut, `to` is
 * either the old file or the complete new one. `from` is removed when `to` is on disk.
 */
export function moveDurably(from: string, to: string): void {
  fsync(from);
  try {
    fs.renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    copyDurably(from, to);
    fs.rmSync(from);
  }
  const folders = new Set([path.dirname(to), path.dirname(from)]);
  for (const folder of folders) fsync(folder);
}

/** How much of a file is copied at a time, in bytes. */
const CHUNK = 1024 * 1024;

/**
 * Copies a file to a new file that belongs to this user, and that nobody else can read.
 * `fs.copyFileSync` of Node 26 would give the copy the owner of the original.
 */
export function copyFile(from: string, to: string): void {
  const source = fs.openSync(from, 'r');
  try {
    const target = fs.openSync(to, 'wx', 0o600);
    try {
      const chunk = Buffer.alloc(CHUNK);
      for (let read = fs.readSync(source, chunk); read > 0; read = fs.readSync(source, chunk))
        fs.writeFileSync(target, chunk.subarray(0, read));
    } finally {
      fs.closeSync(target);
    }
  } finally {
    fs.closeSync(source);
  }
}

/** Copies a file to a draft beside `to`, and renames it. So `to` is never an incomplete file. */
function copyDurably(from: string, to: string): void {
  const folder = path.dirname(to);
  const draft = newDraftPath(folder);
  try {
    copyFile(from, draft);
    fsync(draft);
    fs.renameSync(draft, to);
  } finally {
    fs.rmSync(draft, { force: true });
  }
  fsync(folder);
}

/** In bytes; 0 without a file. */
export const sizeOf = (file: string): number =>
  fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** Whether a file exists and is not empty. */
export const hasContent = (file: string): boolean => sizeOf(file) > 0;

/** Removes a database with the files that SQLite creates beside it. */
export function removeDatabase(file: string): void {
  for (const side of ['-journal', '-wal', '-shm', '']) fs.rmSync(file + side, { force: true });
}
