/**
 * Opens the store, a SQLite file, for the server or for a tool. `lib/store` has everything that
 * touches SQLite: here the connection's use, in `rows/` the SQL, in `file/` the file as a whole. It
 * knows no HTTP and no page.
 */
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../config.ts';
import { backgroundCounter } from './background-counter.ts';
import { commitQueue } from './commit-queue.ts';
import { explainErrors, isUnavailable, StoreError } from './errors.ts';
import { connectToStore, isLost } from './connect.ts';
import { claimStore } from './lock.ts';
import { migrateStore } from './migrate.ts';
import * as files from './private-files.ts';
import { restoreDraftPath } from './restore.ts';
import Database from './sqlite.ts';
import { changeReader, changeWriter, type Invalidate } from './changes.ts';
import { logCounter } from './counting.ts';
import { eventReader, eventWriter } from './events.ts';
import { inviteReader, inviteWriter } from './invites.ts';
import { joinReader, joinWriter } from './joins.ts';
import { foldPerson } from './normalize.ts';
import { peopleReader } from './people.ts';
import { erasureWriter, personalDataReader } from './personal-data.ts';
import { sessionMemory, sessionWriter } from './sessions.ts';
import { totalsReader } from './totals.ts';

export type Readers = ReturnType<typeof makeReaders>;

/** Writes rows. Jobs receive it, which run in transactions. */
export type Writer = ReturnType<typeof makeWriter>;

/** The store for a tool. Each call blocks. */
export type Store = ReturnType<typeof openStore>;

/** The store for the server. Reads wait for no lock, and writes use the commit queue. */
export type ServerStore = ReturnType<typeof openServerStore>;

export const storeFile = path.join(root, 'data', 'guestlist.db');

/** How long a tool or the server's start waits for a lock, in ms. */
const BUSY_TIMEOUT = 5000;

/** Whether there is a store, or the WAL of a lost one. @throws {StoreError} if that is unreadable */
export const storeExists = (file = storeFile): boolean =>
  explainErrors(file, () => files.fileExists(file) || isLost(file));

/** Opens the store for a tool. Creates a missing store, and applies missing migrations. */
export function openStore(file = storeFile) {
  const store = explainErrors(file, () => forTool(...open(file)));
  try {
    store.updateTotals();
  } catch (error) {
    // If the store cannot be written, the last rows are left out.
    if (!isUnavailable(error)) throw error;
  }
  return store;
}

/** An empty store in memory, for tools that only read. */
export function openEmptyStore(): Store {
  const db = new Database(':memory:');
  migrateStore(db);
  return forTool(db, () => {});
}

/** Opens the store for the server. Creates a missing store, and applies missing migrations. */
export const openServerStore = (file = storeFile) =>
  explainErrors(file, () => forServer(...open(file)));

function open(file: string): [db: Database.Database, release: () => void] {
  const folder = path.dirname(file);
  // SQLite puts the WAL beside the link's target, but the commit queue opens it beside the link.
  if (fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new StoreError(
      `${file} is a link; put the file itself into ${folder}, or let ${folder} be a link to another folder`,
    );
  const release = claimStore(file, 'open');
  try {
    // Left by an interrupted restore. This claim excludes a running one.
    files.removeDatabase(restoreDraftPath(file));
    // SQLite copies this file's mode to its side files.
    files.createPrivateFile(file);
    return [connectToStore(file, BUSY_TIMEOUT, migrateStore), release];
  } catch (error) {
    release();
    throw error;
  }
}

function forServer(db: Database.Database, release: () => void) {
  const readers = makeReaders(db);
  const memory = sessionMemory(db);
  const writer = makeWriter(db, memory.invalidate);
  const counter = backgroundCounter(db);
  const queue = commitQueue(db, writer, memory.refresh, counter.countSoon);
  writer.invites.foldNames();
  // The event loop waits for a lock for 2 ms. Then the commit queue retries.
  db.pragma('busy_timeout = 2');

  return {
    ...readers,
    findVisitor: memory.find,
    write: queue.write,
    synced: queue.synced,
    /** Counts all rows. If the store cannot be written, the last ones are left out. */
    updateTotals: counter.countNow,
    /** Begins a read transaction on its own connection. Until its end, the WAL only grows. */
    async beginRead() {
      await counter.countNow();
      const own = new Database(db.name, { readonly: true });
      // SQLite begins the snapshot at the first read.
      own.exec('begin; select count(*) from sqlite_schema');
      return { ...makeReaders(own), close: () => void own.close() };
    },
    async close(): Promise<void> {
      await queue.close();
      await counter.stop();
      db.close();
      release();
    },
  };
}

function forTool(db: Database.Database, release: () => void) {
  const readers = { ...makeReaders(db), personalData: personalDataReader(db) };
  const writer = { ...makeWriter(db), erasure: erasureWriter(db) };
  const { step } = logCounter(db);
  return {
    ...readers,
    /** Counts all rows, in the current transaction or in several. */
    updateTotals(): void {
      while (step());
    },
    transaction: <T>(job: (given: typeof writer) => T): T =>
      db.transaction(() => job(writer)).immediate(),
    /** Runs a job in a read transaction. */
    read: <T>(job: () => T): T => db.transaction(job)(),
    close(): void {
      // The tool may have read, and printed, a commit that the server has not synced yet.
      const wal = `${db.name}-wal`;
      if (!db.memory && files.fileExists(wal)) files.fsync(wal);
      db.close();
      release();
    },
  };
}

function makeReaders(db: Database.Database) {
  db.function('fold_person', { deterministic: true }, foldPerson);
  return {
    invites: inviteReader(db),
    joins: joinReader(db),
    events: eventReader(db),
    people: peopleReader(db),
    totals: totalsReader(db),
    changes: changeReader(db),
  };
}

function makeWriter(db: Database.Database, invalidate?: Invalidate) {
  const recordChange = changeWriter(db, invalidate);
  return {
    invites: inviteWriter(db, recordChange),
    sessions: sessionWriter(db, recordChange, invalidate),
    joins: joinWriter(db),
    events: eventWriter(db),
    recordChange,
  };
}
