/** Removes what deleted rows leave: old pages in the WAL, and bytes between rows. */
import fs from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { StoreError } from '../errors.ts';
import { claim, whileClaimed } from './lock.ts';
import Database, { withDatabase } from './sqlite.ts';
import { unusedSpaceHolds } from './unused-space.ts';

/** How long to wait for other programs that use the WAL, in ms. */
const PATIENCE = 5000;

/** Pause between two tries, in ms. */
const PAUSE = 20;

/** Bytes looked at at a time. */
const CHUNK = 1 << 20;

/** Pages in use (8 MB) that are rewritten in about 50 ms; more would let visitors wait too long. */
const FEW_PAGES = 2000;

/**
 * Empties the write-ahead log, and rewrites the store if it holds an address outside its rows. That
 * locks the store, so a large one is rewritten only while no other program has it open. The caller
 * has no connection open.
 *
 * @param others longer addresses that contain it
 * @returns why traces of it may be left, if so
 */
export async function removeResidue(
  store: string,
  address: string,
  others: readonly string[],
): Promise<string | undefined> {
  if (!(await whileClaimed(store, 'open', () => emptyLog(store)))) return LOG_IN_USE;
  return unusedSpaceHolds(store, address, others) ? rewrite(store) : undefined;
}

const LOG_IN_USE =
  'the write-ahead log of the store still holds it, because another program is reading that log; ' +
  'stop that program (for example the standby)';

const PAGES_IN_USE =
  'traces of it are left in the unused space of the store, which is too large to be rewritten while it is in use; stop the server';

async function rewrite(store: string): Promise<string | undefined> {
  const release = pagesInUse(store) > FEW_PAGES ? claimAlone(store) : claim(store, 'open');
  if (!release) return PAGES_IN_USE;
  try {
    withDatabase(store, { fileMustExist: true, timeout: PATIENCE }, (db) => db.exec('vacuum'));
    return (await emptyLog(store)) ? undefined : LOG_IN_USE;
  } finally {
    release();
  }
}

const pagesInUse = (store: string): number =>
  withDatabase(store, { fileMustExist: true, timeout: PATIENCE }, (db) => {
    const count = (name: string) => Number(db.pragma(name, { simple: true }));
    return count('page_count') - count('freelist_count');
  });

function claimAlone(store: string): (() => void) | undefined {
  try {
    return claim(store, 'replace');
  } catch (error) {
    if (error instanceof StoreError) return undefined;
    throw error;
  }
}

async function emptyLog(store: string): Promise<boolean> {
  const db = new Database(store, { fileMustExist: true, timeout: PAUSE });
  try {
    const deadline = performance.now() + PATIENCE;
    // SQLite waits for readers, but not for another checkpoint.
    while (db.pragma('wal_checkpoint(truncate)', { simple: true }) !== 0) {
      if (performance.now() > deadline) return false;
      await setTimeout(PAUSE);
    }
    return true;
  } finally {
    db.close();
  }
}

/** Whether a file holds a text. No connection to it may be open here: it would lose its locks. */
export function holds(file: string, text: string): boolean {
  const wanted = Buffer.from(text);
  const opened = fs.openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(CHUNK + wanted.length);
    for (let at = 0; ; at += CHUNK) {
      const read = fs.readSync(opened, buffer, 0, buffer.length, at);
      if (buffer.subarray(0, read).includes(wanted)) return true;
      if (read < buffer.length) return false;
    }
  } finally {
    fs.closeSync(opened);
  }
}
