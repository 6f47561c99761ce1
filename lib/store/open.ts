/**
 * Opens the store for the server or for a tool. `lib/store` has everything that touches SQLite. One
 * connection writes the store; another counts and reads what is counted. It knows no HTTP.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from '../config.ts';
import { changeReader, changeWriter } from './changes.ts';
import { commitQueue } from './commit-queue.ts';
import { checkpointer, connectToStore, isLost } from './connect.ts';
import { countedReads, NotCounted } from './counted-reads.ts';
import { explainErrors, StoreError } from './errors.ts';
import { eventReader, eventWriter } from './events.ts';
import { createFolder, createPrivately, fsync } from './files.ts';
import { inviteReader, inviteWriter } from './invites.ts';
import { joinLookup, joinReader, joinWriter } from './joins.ts';
import { lockServer } from './lock.ts';
import { migrateStore } from './migrate.ts';
import { peopleReader } from './people.ts';
import { erasureWriter, personalDataReader } from './personal-data.ts';
import { serverReads } from './server-reads.ts';
import { sessionReader, sessionWriter } from './sessions.ts';
import { refuseLostStore } from './snapshots.ts';
import type Database from './sqlite.ts';
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

/** Duration of a step of counting by a tool, in ms. */
const STEP = 1000;

/** How long the server has written nothing when it moves the WAL into the store, in ms. */
const IDLE = 2000;

/** Whether there is a store. @throws {StoreError} if its folder cannot be read */
export const storeExists = (file = storeFile): boolean =>
  explainErrors(
    file,
    () => fs.statSync(file, { throwIfNoEntry: false }) !== undefined || isLost(file),
  );

/** Opens the store for a tool. Creates a missing store, and applies missing migrations. */
export const openStore = (file = storeFile) => explainErrors(file, () => forTool(open(file)));

/** An empty store in a temporary folder, for tools that only read. */
export function openEmptyStore(): Store {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-'));
  const store = openStore(path.join(folder, 'guestlist.db'));
  const close = () => {
    store.close();
    fs.rmSync(folder, { recursive: true });
  };
  return { ...store, close };
}

/**
 * Opens the store for the server. Creates a missing store, and applies missing migrations.
 *
 * @throws {StoreError} if another server runs
 */
export const openServerStore = (file = storeFile) =>
  explainErrors(file, () => {
    prepareFolder(file);
    const release = lockServer(file, BUSY_TIMEOUT);
    try {
      return forServer(open(file), release);
    } catch (error) {
      release();
      throw error;
    }
  });

function prepareFolder(file: string): void {
  createPrivately();
  const folder = path.dirname(file);
  if (!fs.existsSync(file)) createFolder(folder);
}

function open(file: string): Database.Database {
  prepareFolder(file);
  const folder = path.dirname(file);
  // SQLite puts the WAL beside the link's target, but the commit queue opens it beside the link.
  if (fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new StoreError(
      `${file} is a link; put the file itself into ${folder}, or let ${folder} be a link to another folder`,
    );
  refuseLostStore(file);
  return connectToStore(file, BUSY_TIMEOUT, migrateStore);
}

function forServer(db: Database.Database, release: () => void) {
  const sessions = sessionReader(db);
  const reads = serverReads(db.name, makeReaders);
  const checkpoint = checkpointer(db);
  // So that the store is not only in its WAL.
  checkpoint();
  const idle: NodeJS.Timeout = setTimeout(() => {
    // A reader can keep rows in the WAL.
    if (!checkpoint()) idle.refresh();
  }, IDLE).unref();
  const queue = commitQueue(db, makeWriter(db, sessions.forget), () => {
    reads.countSoon();
    idle.refresh();
  });
  // The event loop waits for a lock for 2 ms. Then the commit queue retries.
  db.pragma('busy_timeout = 2');

  return {
    invites: inviteReader(db),
    changes: changeReader(db),
    findVisitor: sessions.find,
    hasJoined: joinLookup(db),
    write: queue.write,
    synced: queue.synced,
    read: reads.read,
    beginRead: reads.beginRead,
    async close(): Promise<void> {
      await queue.close();
      clearTimeout(idle);
      await reads.close();
      db.close();
      release();
    },
  };
}

function forTool(db: Database.Database) {
  const makeToolReaders = (counts: Database.Database) => ({
    ...makeReaders(counts),
    personalData: personalDataReader(counts),
  });
  const counts = countedReads(db.name, BUSY_TIMEOUT, makeToolReaders);
  const writer = { ...makeWriter(db), erasure: erasureWriter(db) };
  return {
    invites: inviteReader(db),
    /** Runs a job in a read transaction, when all rows are counted. */
    read<T>(
      job: (readers: ReturnType<typeof makeToolReaders>) => T,
      onProgress: (left: number) => void,
    ): T {
      for (;;) {
        for (const fault of counts.count(STEP, onProgress)) if (fault) throw fault;
        try {
          return counts.read(() => job(counts.get().readers))[0];
        } catch (error) {
          // Only a job that has not begun runs again.
          counts.removeIfDamaged(error);
          if (!(error instanceof NotCounted)) throw error;
        }
      }
    },
    transaction: <T>(job: (given: typeof writer) => T): T =>
      db.transaction(() => job(writer)).immediate(),
    close(): void {
      counts.close();
      // Syncs the WAL too: the tool may have printed a commit that the server has not synced yet.
      checkpointer(db)();
      const wal = `${db.name}-wal`;
      if (fs.existsSync(wal)) fsync(wal);
      db.close();
    },
  };
}

function makeReaders(db: Database.Database) {
  const people = peopleReader(db);
  return {
    people,
    invites: inviteReader(db),
    joins: joinReader(db, people),
    events: eventReader(db),
    totals: totalsReader(db),
    changes: changeReader(db),
  };
}

function makeWriter(db: Database.Database, forget = () => {}) {
  const recordChange = changeWriter(db, forget);
  return {
    invites: inviteWriter(db, recordChange),
    sessions: sessionWriter(db, recordChange, forget),
    joins: joinWriter(db),
    events: eventWriter(db),
    recordChange,
  };
}
