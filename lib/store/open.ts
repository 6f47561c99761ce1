/**
 * Opens the store for the server or for a tool: one connection, which writes, counts and reads.
 * Everything that uses SQLite is in `lib/store`, which knows no HTTP.
 */
import { lockServer } from './access.ts';
import { type CommitQueue, commitQueue } from './commit-queue.ts';
import { logCounter } from './counting.ts';
import { messageOf, StoreError, whileOpening } from './errors.ts';
import { isEmpty, whyNoStore } from './inspection.ts';
import type { InviteReader } from './invites.ts';
import type { JoinReader } from './joins.ts';
import { migrateStore } from './migrate.ts';
import { type SessionReader, type Visitor, visitorFinder } from './sessions.ts';
import Database from './sqlite.ts';
import { prepareFolder, refuseLink, refuseLostStore, storeFile } from './store-file.ts';
import { makeReaders, makeWriter, type Readers, type Writer } from './tables.ts';

/** The reads of visitors' requests. They need no numbers. */
type Lookups = {
  readonly invites: InviteReader;
  /** Whether a person has ever joined. */
  readonly hasJoined: JoinReader['hasJoined'];
  /** Whether a session is an administrator's. */
  readonly isAdmin: SessionReader['isAdmin'];
};

/** The store for a tool. Each call blocks. */
export type Store = Lookups & {
  /** Counts new rows, then reads, in one transaction. */
  readonly read: <T>(job: (readers: Readers) => T) => T;
  /** Writes in one transaction. It is on disk when the call returns. */
  readonly transaction: <T>(job: (writer: Writer) => T) => T;
  /** For SQL that only one tool needs. Use it in `read` or `transaction`. */
  readonly db: Database.Database;
  readonly close: () => void;
};

/** The store for the server. Writes use the commit queue. */
export type ServerStore = Lookups & {
  /** The visitor whose valid session a token proves. */
  readonly findVisitor: (token: string) => Visitor | undefined;
  readonly write: CommitQueue<Writer>['write'];
  /** Counts new rows, then reads, in one transaction. */
  readonly read: <T>(job: (readers: Readers) => T) => Promise<T>;
  /** Counts new rows. A fault is only logged, because only administrators need the numbers. */
  readonly countNew: () => void;
  /** Resolves after all writes are settled. */
  readonly close: () => Promise<void>;
};

/** How long a tool or the server's start waits for a lock, in ms. */
const BUSY_TIMEOUT = 5000;

/** Opens the store for a tool. Creates a missing store, and applies missing migrations. */
export const openStore = (file = storeFile): Store =>
  whileOpening(file, () => {
    prepareFolder(file);
    return forTool(open(file));
  });

/**
 * Opens the store for the server. Creates a missing store, and applies missing migrations.
 *
 * @throws {StoreError} if another server runs
 */
export const openServerStore = (file = storeFile): ServerStore =>
  whileOpening(file, () => {
    prepareFolder(file);
    const release = lockServer(file, BUSY_TIMEOUT);
    try {
      return forServer(open(file), release);
    } catch (error) {
      release();
      throw error;
    }
  });

/**
 * Opens a store in an existing folder. A commit is on disk when it returns, and before other
 * programs see it.
 */
function open(file: string): Database.Database {
  refuseLink(file);
  refuseLostStore(file);
  const db = new Database(file, { timeout: BUSY_TIMEOUT });
  try {
    // In a transaction, because another process may be creating the store.
    const foreign = db.transaction(() => (isEmpty(db) ? undefined : whyNoStore(db)))();
    if (foreign) throw new StoreError(`${file} ${foreign}`);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    // The tables of Guestlist have no foreign keys. An added table may have some, and could forbid
    // a deletion.
    db.pragma('foreign_keys = off');
    migrateStore(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function forServer(db: Database.Database, release: () => void): ServerStore {
  const readers = makeReaders(db);
  const read = countingReads(db, readers);
  const queue = commitQueue(db, makeWriter(db));
  // 4,000 pages are 16 MB. A checkpoint blocks the event loop, so it must be rare.
  db.pragma('wal_autocheckpoint = 4000');
  // In ms. A longer wait for a lock would block the event loop. The commit queue tries again.
  db.pragma('busy_timeout = 2');

  return {
    invites: readers.invites,
    hasJoined: readers.joins.hasJoined,
    isAdmin: readers.sessions.isAdmin,
    findVisitor: visitorFinder(db),
    write: queue.write,
    async read(job) {
      return read(job);
    },
    countNew() {
      try {
        read(() => undefined);
      } catch (error) {
        console.error(`no numbers for administrators: ${messageOf(error)}`);
      }
    },
    async close() {
      await queue.close();
      db.close();
      release();
    },
  };
}

function forTool(db: Database.Database): Store {
  const readers = makeReaders(db);
  const writer = makeWriter(db);
  return {
    invites: readers.invites,
    hasJoined: readers.joins.hasJoined,
    isAdmin: readers.sessions.isAdmin,
    read: countingReads(db, readers),
    transaction(job) {
      return db.transaction(() => job(writer)).immediate();
    },
    db,
    close() {
      db.close();
    },
  };
}

/** Prepares all statements of the server, and counts as its start does. @throws if that fails */
export function readAsServer(db: Database.Database): void {
  visitorFinder(db);
  makeWriter(db);
  const read = countingReads(db, makeReaders(db));
  read(() => undefined);
}

/** Makes a function that counts new rows, then reads, in one transaction. */
function countingReads(db: Database.Database, readers: Readers): Store['read'] {
  const count = logCounter(db);
  return (job) =>
    db.transaction(() => {
      count();
      return job(readers);
    })();
}
