/**
 * Snapshots of the store in `data/backups/`: whole, checked, and without sessions, so that no copy
 * can bring back a session that was ended. A restore is commands in docs/install.md.
 */
import fs from 'node:fs';
import path from 'node:path';
import { dataFolder, ExpectedError } from '../config.ts';
import { type Database, openDatabase, readValue, statement } from './sqlite.ts';

const backups = path.join(dataFolder, 'backups');

/** `guestlist-20261128T031500Z.db`, but not `guestlist.db`. */
const NAME = /^guestlist-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db$/;

/** An unfinished snapshot or its journal, with the id of a process: `draft-4711.db`. */
const DRAFT = /^draft-(\d+)\.db/;

/** In ms: 14 days. */
const RETENTION = 14 * 24 * 3_600_000;

/** Kept whatever their age: the service may have been off for a month. */
const ALWAYS_KEPT = 5;

export const HOW_TO_RESTORE = 'see Restore in docs/install.md';

export type Snapshot = {
  readonly file: string;
  readonly takenAt: number;
  readonly bytes: number;
};

/** Newest first. */
export function listSnapshots(): readonly Snapshot[] {
  if (!fs.existsSync(backups)) return [];
  const snapshots: Snapshot[] = [];
  for (const name of fs.readdirSync(backups)) {
    if (!NAME.test(name)) continue;
    const file = path.join(backups, name);
    const takenAt = Date.parse(name.replace(NAME, '$1-$2-$3T$4:$5:$6Z'));
    snapshots.push({ file, takenAt, bytes: fs.statSync(file).size });
  }
  return snapshots.sort((one, other) => other.takenAt - one.takenAt);
}

/**
 * Takes a snapshot while others use the store. It is renamed into place after a check and a sync.
 *
 * @returns its path; `undefined` if there is a snapshot of this second
 * @throws {ExpectedError} if the store is damaged
 */
export function createSnapshot(db: Database): string | undefined {
  fs.mkdirSync(backups, { recursive: true, mode: 0o700 });
  removeLostDrafts();
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const file = path.join(backups, `guestlist-${time}.db`);
  const draft = path.join(backups, `draft-${process.pid}.db`);
  fs.rmSync(draft, { force: true });
  try {
    statement<[string]>(db, 'vacuum into ?').run(draft);
    removeSessionsAndCheck(draft);
    sync(draft);
    if (fs.existsSync(file)) return undefined;
    fs.renameSync(draft, file);
    sync(backups);
  } finally {
    fs.rmSync(draft, { force: true });
  }
  return file;
}

/** Unfinished snapshots, of backups that run or were killed. */
export function listDrafts(): readonly string[] {
  if (!fs.existsSync(backups)) return [];
  const names = fs.readdirSync(backups).filter((name) => DRAFT.test(name));
  return names.map((name) => path.join(backups, name));
}

/** Of backups that were killed. */
function removeLostDrafts(): void {
  for (const draft of listDrafts()) {
    const [, pid] = DRAFT.exec(path.basename(draft)) ?? [];
    if (!isRunning(Number(pid))) fs.rmSync(draft, { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function removeSessionsAndCheck(draft: string): void {
  const db = openDatabase(draft);
  try {
    // `secure_delete` leaves no hash in a page that has become free.
    db.exec('pragma secure_delete = on; delete from sessions');
    const result = readValue(db, 'pragma integrity_check');
    if (result !== 'ok')
      throw new ExpectedError(`the store is damaged; ${HOW_TO_RESTORE}: ${result}`);
  } finally {
    db.close();
  }
}

function sync(fileOrFolder: string): void {
  const opened = fs.openSync(fileOrFolder, 'r');
  fs.fsyncSync(opened);
  fs.closeSync(opened);
}

/** Removes snapshots of more than 14 days, but none of the newest five. @returns how many */
export function removeOldSnapshots(now: number): number {
  const old = listSnapshots()
    .slice(ALWAYS_KEPT)
    .filter(({ takenAt }) => takenAt < now - RETENTION);
  for (const { file } of old) fs.rmSync(file);
  return old.length;
}
