/** Removes what deleted rows leave behind: old pages in the WAL, and bytes in unused space. */
import fs from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { StoreError } from '../errors.ts';
import { whileClaimed } from './lock.ts';
import { sync } from './private-files.ts';
import Database, { withDatabase } from './sqlite.ts';

/** How long to wait for other programs that use the WAL, in ms. */
const RESIDUE_TIMEOUT = 5000;

/** Pause between two attempts, in ms. */
const RETRY_PAUSE = 20;

/** A multiple of every page size, so no chunk ends within a row. */
const CHUNK_BYTES = 1 << 20;

/** A larger store is rewritten only while no other program has it open. */
const MAX_BYTES_IN_USE = 8e6;

const LOG_IN_USE =
  'the write-ahead log of the store still holds it, because another program is reading that log; ' +
  'stop that program (for example the standby)';

const STORE_IN_USE =
  'traces of it are left in the unused space of the store, ' +
  'which is too large to be rewritten while it is in use; stop the server';

/**
 * Empties the WAL. Then rewrites the store if it still holds an address that no row has. The caller
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
  return holds(store, address, others) ? rewrite(store) : undefined;
}

async function rewrite(store: string): Promise<string | undefined> {
  const kind = fs.statSync(store).size > MAX_BYTES_IN_USE ? 'replace' : 'open';
  try {
    return await whileClaimed(store, kind, async () => {
      withDatabase(store, { timeout: RESIDUE_TIMEOUT }, (db) => db.exec('vacuum'));
      return (await emptyLog(store)) ? undefined : LOG_IN_USE;
    });
  } catch (error) {
    if (kind === 'replace' && error instanceof StoreError) return STORE_IN_USE;
    throw error;
  }
}

async function emptyLog(store: string): Promise<boolean> {
  const db = new Database(store, { fileMustExist: true, timeout: RETRY_PAUSE });
  try {
    const deadline = performance.now() + RESIDUE_TIMEOUT;
    // SQLite's timeout covers readers, but not another checkpoint.
    while (db.pragma('wal_checkpoint(truncate)', { simple: true }) !== 0) {
      if (performance.now() > deadline) return false;
      await setTimeout(RETRY_PAUSE);
    }
    // A power cut would bring back what is only cut off.
    sync(`${store}-wal`);
    return true;
  } finally {
    db.close();
  }
}

/**
 * Whether a database holds a text. This process has no connection to it: reading the file would
 * drop that connection's locks.
 *
 * @param others longer texts that contain it and do not count
 */
export function holds(file: string, text: string, others: readonly string[] = []): boolean {
  const opened = fs.openSync(file, 'r');
  const latin1 = (each: string) => Buffer.from(each).toString('latin1');
  try {
    const buffer = Buffer.alloc(CHUNK_BYTES);
    for (let bytes = -1; bytes !== 0; ) {
      bytes = fs.readSync(opened, buffer);
      const chunk = buffer.subarray(0, bytes);
      if (!chunk.includes(text)) continue;
      const rest = others.reduce(
        (left, other) => left.replaceAll(latin1(other), '\0'),
        chunk.toString('latin1'),
      );
      if (rest.includes(latin1(text))) return true;
    }
    return false;
  } finally {
    fs.closeSync(opened);
  }
}
