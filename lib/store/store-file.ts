/** The file of the store: its path, whether it exists, and who may read it. */
import fs from 'node:fs';
import path from 'node:path';
import { commandFor, dataFolder } from '../config.ts';
import { StoreError, whileOpening } from './errors.ts';
import { createFolder, hasContent, keepFilesPrivate, refuseLostLink } from './files.ts';
import { listSnapshots } from './snapshots.ts';

export const storeFile = path.join(dataFolder, 'guestlist.db');

/**
 * Creates the folder of a missing store. After this call, all new files of this process are
 * private.
 */
export function prepareFolder(file: string): void {
  keepFilesPrivate();
  if (!fs.existsSync(file)) createFolder(path.dirname(file));
}

/** @throws {StoreError} for a link, because SQLite puts the WAL beside the link's target */
export function refuseLink(file: string): void {
  if (!fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  throw new StoreError(`${file} is a link; move the file itself here, or let data/ be the link`);
}

/**
 * Refuses a store that existed before and is missing. SQLite would create an empty one, and delete
 * the WAL of the old one.
 *
 * @throws {StoreError} if the store is missing, but its WAL or a snapshot exists
 */
export function refuseLostStore(file: string): void {
  // SQLite makes a new database from an empty file, so an empty file counts as missing.
  if (hasContent(file)) return;
  refuseLostLink(path.dirname(file));
  if (!hasContent(`${file}-wal`) && listSnapshots(file).length === 0) return;
  throw new StoreError(
    `${file} is missing; put it back, or restore a snapshot: ` +
      `${commandFor('backup restore <file>')}; or, to start empty, move ` +
      `${path.basename(file)}-wal and backups/ away`,
  );
}

/** @throws {StoreError} if there is no store yet, if it is lost, or if its folder cannot be read */
export function requireStore(file: string): void {
  whileOpening(file, () => refuseLostStore(file));
  if (hasContent(file)) return;
  const command = commandFor('invite add <email>');
  throw new StoreError(
    `there is no store at ${file} yet; the first invite creates it: ${command}; ` +
      'if there was one, see if its disk is mounted',
  );
}
