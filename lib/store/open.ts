/** Opens the store, a SQLite file, and puts together the modules that read and write its rows. */
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../config.ts';
import { commitQueue } from './commit-queue.ts';
import { countInSteps } from './count-in-steps.ts';
import { explainErrors, isUnavailable, StoreError } from './errors.ts';
import { connect } from './file/connect.ts';
import { claim } from './file/lock.ts';
import { migrate } from './file/migrate.ts';
import { createPrivate, exists, removeDatabase, sync } from './file/private-files.ts';
import { draftOf } from './file/restore.ts';
import Database from './file/sqlite.ts';
import { changes, writeChanges } from './rows/changes.ts';
import { counting } from './rows/counting.ts';
import { appendVisits, events, type Visit, writeEvents } from './rows/events.ts';
import { foldPerson } from './rows/fold.ts';
import { invites, writeInvites } from './rows/invites.ts';
import { joins, writeJoins } from './rows/joins.ts';
import { people } from './rows/people.ts';
import { erasure, personalData } from './rows/personal-data.ts';
import { rememberSessions, sessions, writeSessions } from './rows/sessions.ts';
import { totals } from './rows/totals.ts';

/** Reads rows. */
export type Readers = ReturnType<typeof makeReaders>;

/** Writes rows. Only transactions receive it. */
export type Writer = ReturnType<typeof makeWriter>;

/** The store for the tools. Each call blocks. */
export type Store = ReturnType<typeof openStore>;

/** The store for the server. Reads do not wait for locks, and writes use the commit queue. */
export type ServerStore = ReturnType<typeof openServerStore>;

export const storeFile = path.join(root, 'data', 'guestlist.db');

/** How long a tool or a start waits for a lock, in ms. */
const BUSY_TIMEOUT = 5000;

/** How long the server's event loop waits for a lock, in ms; the commit queue tries again later. */
const SERVER_BUSY_TIMEOUT = 2;

/** Whether there is a store. @throws {StoreError} if this user may not know */
export const storeExists = (file = storeFile): boolean => explainErrors(file, () => exists(file));

/** Opens the store for a tool. Creates it if there is none, and applies missing migrations. */
export function openStore(file = storeFile) {
  const store = explainErrors(file, () => forTool(...open(file)));
  store.count();
  return store;
}

/** An empty store in memory, for tools that only read. */
export function openEmptyStore(): Store {
  const db = new Database(':memory:');
  migrate(db);
  return forTool(db, () => {});
}

/** Opens the store for the server. Creates it if there is none, and applies missing migrations. */
export const openServerStore = (file = storeFile) =>
  explainErrors(file, () => forServer(...open(file)));

function open(file: string): [db: Database.Database, release: () => void] {
  const folder = path.dirname(file);
  // SQLite puts the WAL beside the target of a link, where the commit queue would miss it.
  if (fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new StoreError(
      `${file} is a link; put the file itself into ${folder}, or let ${folder} be a link to another folder`,
    );
  const release = claim(file, 'open');
  try {
    // SQLite would create an empty store, and delete the WAL, which may hold rows.
    if (sizeOf(file) === 0 && sizeOf(`${file}-wal`) > 0)
      throw new StoreError(
        `${file} is gone, but ${file}-wal is still there; restore a snapshot from data/backups, ` +
          'or move the -wal away to begin with an empty store',
      );
    // Left by an interrupted restore. No restore runs beside this claim.
    removeDatabase(draftOf(file));
    // SQLite creates its side files with the mode of this file.
    createPrivate(file);
    return [connect(file, BUSY_TIMEOUT, migrate), release];
  } catch (error) {
    release();
    throw error;
  }
}

const sizeOf = (file: string): number => fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;

function forServer(db: Database.Database, release: () => void) {
  const readers = makeReaders(db);
  const memory = rememberSessions(db, readers.sessions.prove);
  const writer = makeWriter(db, memory.forget);
  const append = appendVisits(memory.find, writer);
  const count = countInSteps(db);
  const queue = commitQueue(db, writer, memory.refresh, count.soon);
  writer.invites.foldNames();
  db.pragma(`busy_timeout = ${SERVER_BUSY_TIMEOUT}`);

  return {
    ...readers,
    findVisitor: memory.find,
    /** Records a visit. Resolves with `done`, or with `refused` if its session is not valid. */
    append: <T>(visit: Visit, done: T, refused: T): Promise<T> =>
      queue.write<unknown>(() => (append(visit) ? done : refused)) as Promise<T>,
    write: queue.write,
    synced: queue.synced,
    /** Counts what was recorded so far. If the store cannot be written, the last rows are left out. */
    count: count.now,
    /** A read transaction on a connection of its own. While it is open the WAL only grows. */
    async beginRead() {
      await count.now();
      const own = new Database(db.name, { readonly: true });
      // SQLite takes the snapshot at the first read.
      own.exec('begin; select count(*) from sqlite_schema');
      return { ...makeReaders(own), close: () => void own.close() };
    },
    async close(): Promise<void> {
      await queue.close();
      await count.stop();
      db.close();
      release();
    },
  };
}

function forTool(db: Database.Database, release: () => void) {
  const readers = { ...makeReaders(db), personalData: personalData(db) };
  const { countRows, step } = counting(db);
  const writer = {
    ...makeWriter(db, () => {}),
    erasure: erasure(db),
    /** Counts all rows in this transaction. */
    count(): void {
      while (countRows() > 0);
    },
  };
  return {
    ...readers,
    /** Counts what was recorded so far. If the store cannot be written, the last rows are left out. */
    count(): void {
      try {
        while (step());
      } catch (error) {
        if (!isUnavailable(error)) throw error;
      }
    },
    transaction: <T>(job: (given: typeof writer) => T): T =>
      db.transaction(() => job(writer)).immediate(),
    /** Runs a job in a read transaction, so that it sees no later writes. */
    read: <T>(job: () => T): T => db.transaction(job)(),
    close(): void {
      // What a tool has read, and now says, may be a commit that the server has yet to sync.
      const wal = `${db.name}-wal`;
      if (!db.memory && exists(wal)) sync(wal);
      db.close();
      release();
    },
  };
}

function makeReaders(db: Database.Database) {
  db.function('fold_person', { deterministic: true }, foldPerson);
  return {
    invites: invites(db),
    sessions: sessions(db),
    joins: joins(db),
    events: events(db),
    people: people(db),
    totals: totals(db),
    changes: changes(db),
  };
}

function makeWriter(db: Database.Database, forget: (email: string) => void) {
  const log = writeChanges(db);
  return {
    invites: writeInvites(db, log, forget),
    sessions: writeSessions(db, log, forget),
    joins: writeJoins(db),
    events: writeEvents(db),
    log,
  };
}
