/**
 * Opens the store for the server or for a tool: one connection, which writes, counts and reads.
 * `lib/store` has everything that touches SQLite. It knows no HTTP.
 */
import fs from 'node:fs';
import path from 'node:path';
import { commandFor, dataFolder } from '../config.ts';
import { lockServer } from './access.ts';
import { changeReader, changeWriter } from './changes.ts';
import { commitQueue } from './commit-queue.ts';
import { logCounter } from './counting.ts';
import { explainErrors, messageOf, StoreError } from './errors.ts';
import { eventReader, eventWriter } from './events.ts';
import { createFolder, createPrivately, sizeOf } from './files.ts';
import { isEmpty, whyNoStore } from './inspection.ts';
import { inviteReader, inviteWriter } from './invites.ts';
import { joinReader, joinWriter } from './joins.ts';
import { migrateStore } from './migrate.ts';
import { peopleReader } from './people.ts';
import { adminFinder, sessionWriter, visitorFinder } from './sessions.ts';
import { listSnapshots } from './snapshots.ts';
import Database from './sqlite.ts';
import { totalsReader } from './totals.ts';

/** What is read, from the tables and from what is counted of them. */
export type Readers = ReturnType<typeof makeReaders>;

/** Writes rows. Jobs receive it, which run in transactions. */
export type Writer = ReturnType<typeof makeWriter>;

/** The store for a tool. Each call blocks. */
export type Store = ReturnType<typeof openStore>;

/** The store for the server. Writes use the commit queue. */
export type ServerStore = ReturnType<typeof openServerStore>;

export const storeFile = path.join(dataFolder, 'guestlist.db');

/** How long a tool or the server's start waits for a lock, in ms. */
const BUSY_TIMEOUT = 5000;

/**
 * Whether there is a store.
 *
 * @throws {StoreError} if its folder cannot be read, or if it is missing and its WAL, which SQLite
 * would delete, or a snapshot is there
 */
const storeExists = (file = storeFile): boolean =>
  explainErrors(file, () => {
    if (sizeOf(file) > 0) return true;
    if (sizeOf(`${file}-wal`) === 0 && listSnapshots(file).length === 0) return false;
    throw new StoreError(
      `${file} is missing; put it back, or restore a snapshot: ` +
        `${commandFor('backup restore <file>')}; or, to start empty, move ` +
        `${path.basename(file)}-wal and backups/ away`,
    );
  });

/** @throws {StoreError} if there is no store yet */
export function requireStore(file = storeFile): void {
  const command = commandFor('invite add <email>');
  if (!storeExists(file))
    throw new StoreError(
      `there is no store at ${file} yet; the first invite creates it: ${command}`,
    );
}

/** Opens the store for a tool. Creates a missing store, and applies missing migrations. */
export const openStore = (file = storeFile) => explainErrors(file, () => forTool(open(file)));

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
  if (!fs.existsSync(file)) createFolder(path.dirname(file));
}

/** Opens a store. Each commit is on disk when it returns, and before other programs see it. */
function open(file: string): Database.Database {
  prepareFolder(file);
  // SQLite puts the WAL beside the link's target.
  if (fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new StoreError(`${file} is a link; move the file itself here, or let data/ be the link`);
  storeExists(file);
  const db = new Database(file, { timeout: BUSY_TIMEOUT });
  try {
    // In a transaction, because another process may be creating the store.
    const foreign = db.transaction(() => (isEmpty(db) ? undefined : whyNoStore(db)))();
    if (foreign) throw new StoreError(`${file} ${foreign}`);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    // No table of Guestlist has one. That of an added table could forbid a deletion.
    db.pragma('foreign_keys = off');
    migrateStore(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function forServer(db: Database.Database, release: () => void) {
  const { read, ...lookups } = makeReads(db);
  const queue = commitQueue(db, makeWriter(db));
  // 16 MB, because a checkpoint blocks the event loop.
  db.pragma('wal_autocheckpoint = 4000');
  // The event loop waits for a lock for 2 ms. Then the commit queue retries.
  db.pragma('busy_timeout = 2');

  return {
    ...lookups,
    findVisitor: visitorFinder(db),
    write: queue.write,
    read: async <T>(job: (readers: Readers) => T): Promise<T> => read(job),
    /** Counts what is new. A fault is logged, because only administrators need the numbers. */
    countNew(): void {
      try {
        read(() => undefined);
      } catch (error) {
        console.error(`no numbers for administrators: ${messageOf(error)}`);
      }
    },
    async close(): Promise<void> {
      await queue.close();
      db.close();
      release();
    },
  };
}

function forTool(db: Database.Database) {
  const writer = makeWriter(db);
  return {
    ...makeReads(db),
    /** For the SQL of one tool alone, in `read` or `transaction`. */
    db,
    transaction: <T>(job: (given: Writer) => T): T => db.transaction(() => job(writer)).immediate(),
    close(): void {
      db.close();
    },
  };
}

/** @param db has the tables of `logCounter` */
function makeReaders(db: Database.Database) {
  const [totals, people] = [totalsReader(db), peopleReader(db)];
  const joins = joinReader(db, totals, people);
  const [invites, events] = [inviteReader(db), eventReader(db)];
  const changes = changeReader(db);
  const sessions = { isAdmin: adminFinder(db) };
  return { invites, sessions, events, joins, changes, people, totals };
}

function makeReads(db: Database.Database) {
  const count = logCounter(db);
  const readers = makeReaders(db);
  return {
    // These need no counts, so the requests of visitors count nothing.
    invites: readers.invites,
    hasJoined: readers.joins.hasJoined,
    isAdmin: readers.sessions.isAdmin,
    /** Counts what is new, then reads, in one transaction. */
    read: <T>(job: (given: Readers) => T): T =>
      db.transaction(() => {
        count();
        return job(readers);
      })(),
  };
}

/** Prepares what the server prepares, and reads as its start does. @throws if it could not */
export function readAsServer(db: Database.Database): void {
  visitorFinder(db);
  makeWriter(db);
  makeReads(db).read(() => undefined);
}

function makeWriter(db: Database.Database) {
  const recordChange = changeWriter(db);
  return {
    invites: inviteWriter(db, recordChange),
    sessions: sessionWriter(db, recordChange),
    joins: joinWriter(db),
    events: eventWriter(db),
    recordChange,
  };
}
