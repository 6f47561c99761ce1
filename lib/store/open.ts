/** Opens the store: one SQLite file, and one small module for each thing kept in it. */
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../config.ts';
import { commitQueue } from './commit-queue.ts';
import { explainErrors, StoreError } from './errors.ts';
import { connect } from './file/connect.ts';
import { claim } from './file/lock.ts';
import { migrate } from './file/migrate.ts';
import { createPrivate, draftOf, exists, removeDatabase, sync } from './file/private-files.ts';
import Database from './file/sqlite.ts';
import { events, writeEvents } from './rows/events.ts';
import { foldPerson } from './rows/fold.ts';
import { invites, writeInvites } from './rows/invites.ts';
import { joins, writeJoins } from './rows/joins.ts';
import { people } from './rows/people.ts';
import { erasure, personalData } from './rows/personal-data.ts';
import { sessions, writeSessions } from './rows/sessions.ts';
import { totals } from './rows/totals.ts';

/** All that can be read. */
export type Readers = ReturnType<typeof makeReaders>;

/** All that can be written. Only a transaction is given it. */
export type Writer = ReturnType<typeof makeWriter>;

/** The store for the tools: each call waits. */
export type Store = ReturnType<typeof openStore>;

/** The store for the server, which never waits: it reads at once and writes by the commit queue. */
export type ServerStore = ReturnType<typeof openServerStore>;

/** Where the store lies. */
export const storeFile = path.join(root, 'data', 'guestlist.db');

/** How long a tool, or a start, waits for another program's write, in ms. */
const BUSY_TIMEOUT = 5000;

/** Rows that a tool writes in one transaction, so that the server never waits for long. */
export const BATCH = 500;

/** How long the server's event loop waits for a lock, in ms; the commit queue tries again later. */
const SERVER_BUSY_TIMEOUT = 2;

/**
 * Whether there is a store yet.
 *
 * @throws {StoreError} where this user may not look
 */
export const storeExists = (file = storeFile): boolean => explainErrors(file, () => exists(file));

/** Opens the store for a tool; makes it where there is none, and brings it up to date. */
export function openStore(file = storeFile) {
  const { db, release } = open(file);
  return forTool(db, release);
}

/** An empty store in memory, for a tool that reads where there is no store yet. */
export function openEmptyStore(): Store {
  const db = new Database(':memory:');
  migrate(db);
  return forTool(db, () => {});
}

/** Opens the store for the server. */
export function openServerStore(file = storeFile) {
  const { db, release } = open(file);
  const readers = makeReaders(db);
  const writer = makeWriter(db);
  const { write, synced, close } = explainErrors(file, () => commitQueue(db, writer));
  const transactions = readTransactions(file);
  explainErrors(file, writer.invites.foldNames);
  db.pragma(`busy_timeout = ${SERVER_BUSY_TIMEOUT}`);
  return {
    ...readers,
    write,
    synced,
    /** A read transaction on a connection of its own. While it is open the WAL only grows. */
    beginRead: transactions.begin,
    async close(): Promise<void> {
      await close();
      transactions.close();
      db.close();
      release();
    },
  };
}

function open(file: string): { db: Database.Database; release: () => void } {
  return explainErrors(file, () => {
    const release = claim(file, 'open');
    try {
      refuseLost(file);
      // An interrupted restore leaves a draft; none is under way beside this claim.
      removeDatabase(draftOf(file));
      // SQLite gives its side files the mode of this one.
      createPrivate(file);
      return { db: connect(file, BUSY_TIMEOUT, migrate), release };
    } catch (error) {
      release();
      throw error;
    }
  });
}

/** Without its store, SQLite would delete the log. */
function refuseLost(file: string): void {
  if (sizeOf(file) > 0 || sizeOf(`${file}-wal`) === 0) return;
  throw new StoreError(
    `${file} is gone, but ${file}-wal is still there; restore a snapshot from data/backups, ` +
      'or move the -wal away to begin with an empty store',
  );
}

const sizeOf = (file: string): number => fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;

function forTool(db: Database.Database, release: () => void) {
  const readers = { ...makeReaders(db), personalData: personalData(db) };
  const writer = { ...makeWriter(db), erasure: erasure(db) };
  return {
    ...readers,
    /** Runs a job in a transaction of its own. */
    transaction: <T>(job: (given: typeof writer) => T): T =>
      db.transaction(() => job(writer)).immediate(),
    /** Runs a job that sees the store as it was at its beginning, whatever is written meanwhile. */
    async read<T>(job: () => Promise<T>): Promise<T> {
      db.exec('begin');
      try {
        return await job();
      } finally {
        if (db.inTransaction) db.exec('rollback');
      }
    },
    close(): void {
      // What a tool has read, and now says, may be a commit that the server has yet to sync.
      if (!db.memory) sync(`${db.name}-wal`);
      db.close();
      release();
    },
  };
}

/**
 * Read transactions side by side, each on a connection of its own. A connection is used again,
 * because Node 24 never frees one (sqlite.ts).
 */
function readTransactions(file: string) {
  type Reader = Readers & { readonly db: Database.Database };
  const idle: Reader[] = [];

  function connectReader(): Reader {
    const db = new Database(file, { readonly: true });
    try {
      return { db, ...makeReaders(db) };
    } catch (error) {
      db.close();
      throw error;
    }
  }

  return {
    begin() {
      const reader = idle.pop() ?? connectReader();
      try {
        // SQLite takes the snapshot at the first read.
        reader.db.exec('begin; select count(*) from sqlite_schema');
      } catch (error) {
        reader.db.close();
        throw error;
      }
      const close = () => {
        reader.db.exec('rollback');
        idle.push(reader);
      };
      return { ...reader, close };
    },
    close() {
      for (const { db } of idle) db.close();
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
  };
}

const makeWriter = (db: Database.Database) => ({
  invites: writeInvites(db),
  sessions: writeSessions(db),
  joins: writeJoins(db),
  events: writeEvents(db),
});
