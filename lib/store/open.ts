/** Opens the store: one SQLite file, and one small module for each thing kept in it. */
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../root.ts';
import { type CommitQueue, commitQueue } from './commit-queue.ts';
import { connect } from './connect.ts';
import { readingErrors, StoreError } from './errors.ts';
import { type Events, events } from './events.ts';
import { type Invites, invites } from './invites.ts';
import { type Joins, joins } from './joins.ts';
import { claim } from './lock.ts';
import { migrate } from './migrate.ts';
import { type People, people } from './people.ts';
import { type PersonalData, personalData } from './personal-data.ts';
import { createPrivate, draftOf, exists, removeDatabase } from './private-files.ts';
import { type Sessions, sessions } from './sessions.ts';
import Database from './sqlite.ts';
import { type Totals, totals } from './totals.ts';

/** What is kept, each with its own module. */
export type Resources = {
  readonly invites: Invites;
  readonly sessions: Sessions;
  readonly joins: Joins;
  readonly events: Events;
  readonly people: People;
  readonly totals: Totals;
};

/** The store as the tools have it, which have nothing else to do while they wait for it. */
export type Store = Resources & {
  readonly personalData: PersonalData;
  /** Runs a job in a transaction of its own. */
  transaction<T>(job: () => T): T;
  /** Runs a job that sees the store as it was at its beginning, whatever is written meanwhile. */
  read<T>(job: () => Promise<T>): Promise<T>;
  close(): void;
};

/** The store as the server has it, which never waits: it reads at once, and writes through the commit queue. */
export type ServerStore = Resources & {
  /**
   * Runs a job in the next commit, and resolves when that is on disk.
   *
   * @throws {StoreUnavailable} where the store could not be written within 5 s
   */
  readonly write: CommitQueue['write'];
  readonly synced: CommitQueue['synced'];
  /** The store as it is now, whatever is written meanwhile, on a connection that nothing else uses: for lists that take long to send. */
  beginRead(): ReadTransaction;
  close(): Promise<void>;
};

/** While one is open the log only grows: its user closes it. */
export type ReadTransaction = Resources & { close(): void };

/** Where the store lies. */
export const storeFile = path.join(root, 'data', 'guestlist.db');

/** How long a tool, or a start, waits for somebody else's write, in ms. */
const PATIENCE = 5000;

/** How long the server waits for a lock while nothing else can run, in ms; the rest of its patience is a timer's. */
const SERVER_BUSY_TIMEOUT = 2;

/**
 * Whether there is a store yet.
 *
 * @throws {StoreError} where this user may not look
 */
export const storeExists = (file = storeFile): boolean => readingErrors(file, () => exists(file));

/** Opens the store for a tool; makes it where there is none, and brings it up to date. */
export function openStore(file = storeFile): Store {
  const { db, release } = open(file);
  return forTool(db, release);
}

/** An empty store in memory: what a reading tool reads where there is nothing yet. */
export function openEmptyStore(): Store {
  const db = new Database(':memory:');
  migrate(db);
  return forTool(db, () => {});
}

/** Opens the store for the server, where no statement may hold up the event loop. */
export function openServerStore(file = storeFile): ServerStore {
  const { db, release } = open(file);
  const { write, synced, close } = readingErrors(file, () => commitQueue(db));
  const kept = resources(db);
  const readers = readTransactions(file);
  readingErrors(file, kept.invites.foldNames);
  db.pragma(`busy_timeout = ${SERVER_BUSY_TIMEOUT}`);
  return {
    ...kept,
    write,
    synced,
    beginRead: readers.begin,
    async close() {
      await close();
      readers.close();
      db.close();
      release();
    },
  };
}

function open(file: string): { db: Database.Database; release: () => void } {
  return readingErrors(file, () => {
    const release = claim(file, 'open');
    try {
      refuseLost(file);
      // Left by a restore that was interrupted; none is under way beside this claim.
      removeDatabase(draftOf(file));
      // SQLite gives its side files the mode of the store, so it is enough to create that one for its owner only.
      createPrivate(file);
      const db = connect(file, PATIENCE);
      try {
        migrate(db);
        return { db, release };
      } catch (error) {
        db.close();
        throw error;
      }
    } catch (error) {
      release();
      throw error;
    }
  });
}

/** A store that is gone while its log is still there: SQLite would begin anew and throw the log away. */
function refuseLost(file: string): void {
  if (sizeOf(file) > 0 || sizeOf(`${file}-wal`) === 0) return;
  throw new StoreError(
    `${file} is gone, but ${file}-wal is still there; restore a snapshot from data/backups, ` +
      'or move the -wal away to begin with an empty store',
  );
}

const sizeOf = (file: string): number => fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;

function forTool(db: Database.Database, release: () => void): Store {
  const run = db.transaction((job: () => unknown) => job());
  return {
    ...resources(db),
    personalData: personalData(db),
    transaction: <T>(job: () => T) => run.immediate(job) as T,
    async read(job) {
      db.exec('begin');
      try {
        return await job();
      } finally {
        if (db.inTransaction) db.exec('rollback');
      }
    },
    close() {
      db.close();
      release();
    },
  };
}

/** Read transactions side by side, each with a connection. One that has ended is used again: Node 24 collects none of them. */
function readTransactions(file: string): { begin(): ReadTransaction; close(): void } {
  const idle: { db: Database.Database; kept: Resources }[] = [];

  function connectReader(): { db: Database.Database; kept: Resources } {
    const db = new Database(file, { readonly: true });
    try {
      return { db, kept: resources(db) };
    } catch (error) {
      db.close();
      throw error;
    }
  }

  return {
    begin() {
      const { db, kept } = idle.pop() ?? connectReader();
      try {
        // The transaction sees what is there at its first read.
        db.exec('begin; select count(*) from sqlite_schema');
      } catch (error) {
        db.close();
        throw error;
      }
      const close = () => {
        db.exec('rollback');
        idle.push({ db, kept });
      };
      return { ...kept, close };
    },
    close() {
      for (const { db } of idle) db.close();
    },
  };
}

const resources = (db: Database.Database): Resources => ({
  invites: invites(db),
  sessions: sessions(db),
  joins: joins(db),
  events: events(db),
  people: people(db),
  totals: totals(db),
});
