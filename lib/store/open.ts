/** Opens the store: one SQLite file, and one small module for each thing kept in it. */
import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { root } from '../root.ts';
import { commitQueue } from './commit-queue.ts';
import { readingErrors, StoreError } from './errors.ts';
import { type Events, events } from './events.ts';
import { type Invites, invites } from './invites.ts';
import { type Joins, joins } from './joins.ts';
import { claim } from './lock.ts';
import { migrate } from './migrate.ts';
import { type People, people } from './people.ts';
import { type PersonalData, personalData } from './personal-data.ts';
import { createPrivate } from './private-files.ts';
import { type Sessions, sessions } from './sessions.ts';
import { type Totals, totals } from './totals.ts';

export type Store = {
  readonly invites: Invites;
  readonly sessions: Sessions;
  readonly joins: Joins;
  readonly events: Events;
  readonly people: People;
  readonly totals: Totals;
  readonly personalData: PersonalData;
  /**
   * Runs a job in the next commit and resolves once that is on disk; never blocks the event loop on a locked store.
   *
   * @throws {StoreUnavailable} where the store could not be written within 5 s
   */
  write<T>(job: () => T): Promise<T>;
  /** Runs a job in a transaction of its own and waits for it: for tools, which have nothing else to do. */
  transaction<T>(job: () => T): T;
  /** Runs a job that sees the store as it was at its beginning, whatever is written meanwhile. */
  read<T>(job: () => T): T;
  close(): void;
};

/** Where the store lies. */
export const storeFile = path.join(root, 'data', 'guestlist.db');

/** How long a tool, or a start, waits for somebody else's write, in ms. */
const PATIENCE = 5000;

/** How long the server waits for a lock while nothing else can run, in ms; the rest of its patience is a timer's. */
const SERVER_BUSY_TIMEOUT = 2;

/** Whether there is a store yet. */
export const storeExists = (file = storeFile): boolean => fs.existsSync(file);

/** Opens the store for a tool; makes it where there is none, and brings it up to date. */
export function openStore(file = storeFile): Store {
  return readingErrors(file, () => {
    const { db, release } = connect(file);
    return assemble(db, release);
  });
}

/** An empty store in memory: what a reading tool reads where there is nothing yet. */
export function openEmptyStore(): Store {
  const db = new Database(':memory:');
  migrate(db);
  return assemble(db);
}

/** Opens the store for the server, where no statement may hold up the event loop. */
export function openServerStore(file = storeFile): Store {
  return readingErrors(file, () => {
    const { db, release } = connect(file);
    db.pragma(`busy_timeout = ${SERVER_BUSY_TIMEOUT}`);
    return assemble(db, release);
  });
}

function connect(file: string): { db: Database.Database; release: () => void } {
  // SQLite gives its side files the mode of the store, so it is enough to create that one for its owner only.
  createPrivate(file);
  const release = claim(file, 'open');
  try {
    const db = new Database(file, { timeout: PATIENCE });
    try {
      refuseForeign(db, file);
      db.pragma('journal_mode = WAL');
      db.pragma('synchronous = FULL');
      // What is deleted is overwritten, so that an address that was erased is in no free page.
      db.pragma('secure_delete = on');
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
}

function refuseForeign(db: Database.Database, file: string): void {
  const version = db.pragma('user_version', { simple: true });
  const tables = db.prepare<[], number>('select count(*) from sqlite_schema').pluck().get();
  if (version === 0 && tables !== 0) {
    throw new StoreError(
      `${file} is a SQLite file of something else; move it away, then start again`,
    );
  }
}

function assemble(db: Database.Database, release = () => {}): Store {
  const run = db.transaction((job: () => unknown) => job());
  return {
    invites: invites(db),
    sessions: sessions(db),
    joins: joins(db),
    events: events(db),
    people: people(db),
    totals: totals(db),
    personalData: personalData(db),
    write: commitQueue(db),
    transaction: <T>(job: () => T) => run.immediate(job) as T,
    read: <T>(job: () => T) => run.deferred(job) as T,
    close() {
      db.close();
      release();
    },
  };
}
