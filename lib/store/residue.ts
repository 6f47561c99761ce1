/** What deleted rows may leave in the store's files: old pages in the write-ahead log, and bytes between live rows. */
import fs from 'node:fs';
import Database from 'better-sqlite3';
import { claim } from './lock.ts';

/** How long to wait for readers of the log, in ms. */
const PATIENCE = 5000;

/** Bytes looked at at a time. */
const CHUNK = 1 << 20;

/**
 * Empties the write-ahead log, and rewrites the store where the text is still in it. The caller has no connection open.
 *
 * @returns false where another program reads the store all the time, so that the log cannot be emptied
 */
export function removeResidue(store: string, text: string): boolean {
  const release = claim(store, 'open');
  try {
    if (!withStore(store, emptyLog)) return false;
    // Left by a program that does not overwrite what it deletes, or part of another address: the rewriting settles it.
    if (!holds(store, text)) return true;
    return withStore(store, (db) => {
      db.exec('vacuum');
      return emptyLog(db);
    });
  } finally {
    release();
  }
}

function withStore<T>(store: string, use: (db: Database.Database) => T): T {
  const db = new Database(store, { fileMustExist: true, timeout: PATIENCE });
  try {
    return use(db);
  } finally {
    db.close();
  }
}

function emptyLog(db: Database.Database): boolean {
  return db.pragma('wal_checkpoint(truncate)', { simple: true }) === 0;
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
