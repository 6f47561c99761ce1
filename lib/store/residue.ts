/** What deleted rows may leave in the store's files: old pages in the write-ahead log, and bytes between live rows. */
import fs from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { claim } from './lock.ts';

/** How long to wait for those who read or work on the log, in ms. */
const PATIENCE = 5000;

/** Pause between two tries, in ms. */
const PAUSE = 20;

/** Bytes looked at at a time. */
const CHUNK = 1 << 20;

/**
 * Empties the write-ahead log, and rewrites the store where the text is still in it. The caller has no connection open.
 *
 * @returns false where another program reads the store all the time, so that the log cannot be emptied
 */
export async function removeResidue(store: string, text: string): Promise<boolean> {
  const release = claim(store, 'open');
  try {
    if (!(await emptyLog(store))) return false;
    // Left by a program that does not overwrite what it deletes, or part of another address: the rewriting settles it.
    if (!holds(store, text)) return true;
    const db = new Database(store, { fileMustExist: true, timeout: PATIENCE });
    db.exec('vacuum');
    db.close();
    return await emptyLog(store);
  } finally {
    release();
  }
}

async function emptyLog(store: string): Promise<boolean> {
  const db = new Database(store, { fileMustExist: true, timeout: PAUSE });
  try {
    const deadline = performance.now() + PATIENCE;
    // SQLite itself would wait for readers, but not for a server that is just about to do the same.
    while (db.pragma('wal_checkpoint(truncate)', { simple: true }) !== 0) {
      if (performance.now() > deadline) return false;
      await setTimeout(PAUSE);
    }
    return true;
  } finally {
    db.close();
  }
}

/** Whether a file holds a text. No connection to it may be open in this process: closing it would drop its locks. */
function holds(file: string, text: string): boolean {
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
