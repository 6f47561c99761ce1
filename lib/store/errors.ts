/** Errors of the store, with messages for operators. */
import fs from 'node:fs';
import path from 'node:path';
import { ExpectedError, quoteForShell, root } from '../config.ts';
import { findHolders, nameHolder } from './holders.ts';

/** The store cannot be used. The message is one line with the remedy. */
export class StoreError extends ExpectedError {}

/** The store is locked or damaged, or its disk is full or failing. A retry may succeed. */
export class StoreUnavailable extends ExpectedError {}

/**
 * SQLite's codes for faults of the store or its disk, such as `SQLITE_BUSY_SNAPSHOT`. Any other
 * code is a bug, such as `SQLITE_CONSTRAINT_UNIQUE`.
 */
const UNAVAILABLE =
  /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|NOMEM|CORRUPT|NOTADB|PROTOCOL)/;

/** Whether the store or its disk has a fault, or another program holds the lock. */
export const isUnavailable = (error: unknown): boolean => UNAVAILABLE.test(codeOf(error));

/** Whether another program holds the lock. */
export const isBusy = (error: unknown): boolean => codeOf(error).startsWith('SQLITE_BUSY');

/** Whether the content of a file is damaged. All other faults need another remedy. */
export const isDamage = (error: unknown): boolean => /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error));

/** Converts faults to `StoreUnavailable`, and a failed load of SQLite to `StoreError`. */
export function toStoreError(error: unknown): unknown {
  const code = codeOf(error);
  const message = messageOf(error);
  if (isUnavailable(error)) return new StoreUnavailable(`the store: ${message} (${code})`);
  const isMissing = code === 'MODULE_NOT_FOUND';
  const isNotBuilt = message.startsWith('Could not locate the bindings file');
  if (code !== 'ERR_DLOPEN_FAILED' && !isMissing && !isNotBuilt) return error;
  // The first sentence of the message: not built, built for another NODE_MODULE_VERSION, or not for
  // this machine.
  const [why] = message.replace(/\s+/g, ' ').split(/\. | Require stack:/);
  const remedy = isMissing ? 'npm ci' : 'npm rebuild better-sqlite3';
  const text = `better-sqlite3 cannot be loaded: ${why}; in ${root}: ${remedy}`;
  return new StoreError(text, { cause: error });
}

/**
 * Runs a tool's work with a file. Converts faults of the file to `StoreError`s with a remedy. Other
 * errors stay unchanged.
 */
export function whileUsing<T>(file: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    throw isUnavailable(error) ? toFileError(file, error) : error;
  }
}

/** An error of a file, with the remedy. */
export const toFileError = (file: string, error: unknown): StoreError =>
  new StoreError(`${file} ${describeFault(file, error)}`, { cause: error });

/**
 * Whether a copy failed because of its target: its folder cannot be written.
 *
 * @param copy the path of the target
 */
export const isOfTarget = (error: unknown, copy: string): boolean =>
  isOutOfSpace(error) || accessFault(path.dirname(copy)) !== '';

/** Opens a store. Converts errors to `StoreError`s with a remedy. */
export function whileOpening<T>(file: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    const known = toStoreError(error);
    throw known instanceof StoreError ? known : toFileError(file, error);
  }
}

/** What is wrong with a file, and the remedy. A restore is the remedy for damage only. */
function describeFault(file: string, error: unknown): string {
  const code = codeOf(error);
  const why = messageOf(error);
  if (isDamage(error)) return `is damaged (${why}); restore a snapshot from data/backups`;
  if (isBusy(error)) return describeLock(file);
  if (isOutOfSpace(error) || (/^SQLITE_(IOERR|CANTOPEN)/.test(code) && isDiskFull(file)))
    return `cannot be written (${why}); the disk is full: free space on it, then try again`;
  if (FAILED_LOCK.test(code) || (code.startsWith('SQLITE_') && isOnShare(file)))
    return `cannot be locked (${why}); ${LOCAL_DISK}`;
  if (/^(SQLITE_IOERR|EIO)/.test(code))
    return `cannot be read or written (${why}); its disk may fail: see dmesg`;
  if (code.startsWith('SQLITE_') && !isUnavailable(error))
    return `cannot be opened (${why}); it is unchanged; install the former version, and report this`;
  return `cannot be opened (${why}); ${describeAccess(file)}`;
}

const isOutOfSpace = (error: unknown): boolean =>
  /^(SQLITE_FULL|ENOSPC|EDQUOT)/.test(codeOf(error));

/** Whether Node reports a fault of a disk or of permissions. SQLite has its own codes. */
export const isOfDisk = (error: unknown): boolean =>
  /^(ENOSPC|EDQUOT|EROFS|EIO|EACCES|EPERM)$/.test(codeOf(error));

/** The path of the failed system call. @param otherwise the path for a call on an open file */
export function pathOf(error: unknown, otherwise: string): string {
  const isNamed = error instanceof Error && 'path' in error && typeof error.path === 'string';
  return isNamed ? String(error.path) : otherwise;
}

/** Why this user cannot write an existing file, and the remedy. */
function describeAccess(file: string): string {
  const folder = path.dirname(file);
  // To read a file, a user need not be able to write its folder.
  if (isClosed(file))
    return `this user may not read ${file}; run this as its owner, or chown it to the service's user`;
  for (const each of [folder, file]) {
    const code = accessFault(each);
    if (code === 'EROFS')
      return 'its volume is mounted read-only; mount it for writing (a unit needs ReadWritePaths= too)';
    if (code === 'EACCES' || code === 'EPERM')
      return `this user may not write ${each}; run this as its owner, or chown it to the service's user`;
  }
  return `check that this user can write to it and ${folder}, and that its disk is mounted`;
}

/** Whether a file exists, and this user may not read it. */
function isClosed(file: string): boolean {
  if (!fs.existsSync(file)) return false;
  try {
    fs.accessSync(file, fs.constants.R_OK);
    return false;
  } catch {
    return true;
  }
}

/** The error code that reading and writing a file gives; empty without an error. */
function accessFault(file: string): string {
  try {
    fs.accessSync(file, fs.constants.R_OK | fs.constants.W_OK);
    return '';
  } catch (error) {
    return codeOf(error);
  }
}

/** SQLite also reports an I/O error if the disk has no space for its shared memory. */
function isDiskFull(file: string): boolean {
  try {
    const { bavail, bsize, files, ffree } = fs.statfsSync(path.dirname(file));
    // Some file systems do not count their files.
    const isOutOfFiles = files > 0 && ffree === 0;
    return isOutOfFiles || bavail * bsize < SHARED_MEMORY;
  } catch {
    return false;
  }
}

/** How much SQLite adds to its shared memory at a time, in bytes. */
const SHARED_MEMORY = 32_768;

function describeLock(file: string): string {
  // In WAL mode, the locks are on the shared memory.
  const files = [file, `${file}-shm`];
  const holders = findHolders(files);
  // The server always has a shared lock, which does not block writers.
  const exclusive = holders.filter(({ isExclusive }) => isExclusive);
  const named = (exclusive.length > 0 ? exclusive : holders).map(nameHolder);
  if (named.length > 0) return `is locked by ${named.join(', ')}; end it or wait, then try again`;
  if (isOnShare(file)) return `cannot be locked; ${LOCAL_DISK}`;
  return (
    `is locked by another program; find it: fuser -v ${files.map(quoteForShell).join(' ')}; ` +
    'end it or wait, then try again'
  );
}

/**
 * SQLite's codes for a file system without locks or shared memory: `SQLITE_IOERR_LOCK`, but not
 * `SQLITE_IOERR_READ`.
 */
const FAILED_LOCK =
  /^SQLITE_(PROTOCOL|IOERR_(LOCK|RDLOCK|UNLOCK|CHECKRESERVEDLOCK|SHMOPEN|SHMLOCK|SHMMAP))$/;

const LOCAL_DISK = 'data/ must be on a local disk, not on a network share (NFS, SMB, 9p)';

/** The numbers by which statfs(2) names NFS, SMB and 9p. */
const SHARES = [0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997];

function isOnShare(file: string): boolean {
  try {
    return SHARES.includes(fs.statfsSync(path.dirname(file)).type);
  } catch {
    return false;
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
