/** An open connection to the counts, on which a job reads in a transaction that sees only proven counts. */
import fs from 'node:fs';
import { connectToCounts, countsFile, logCounter } from './counting.ts';
import { isDamaged, StoreUnavailable } from './errors.ts';
import { removeDatabase } from './files.ts';
import type Database from './sqlite.ts';

/** What a job reads, in slices between which others may work: it yields there. */
export type Sliced<T> = Generator<undefined, T>;

/** Runs a sliced job to its end. */
export function runToEnd<T>(slices: Sliced<T>): T {
  for (;;) {
    const { done, value } = slices.next();
    if (done) return value;
  }
}

/** The counts are not complete, or no longer proven. */
export class NotCounted extends StoreUnavailable {
  override readonly message = 'counted.db is being made anew';
}

/** Opens the counts when they are first used, and again if their file is replaced. */
export function openedCounts<R>(
  store: string,
  busyTimeout: number,
  makeReaders: (db: Database.Database) => R,
) {
  const file = countsFile(store);
  let opened: ReturnType<typeof open> | undefined;

  function open() {
    const db = connectToCounts(store, busyTimeout);
    const counter = closeIfThrown(db, () => logCounter(db));
    /** Runs a job in a read transaction, unless the counts were made anew. @throws {NotCounted} */
    const read = <T>(job: () => T, madeBefore?: number): [result: T, made: number] =>
      db.transaction((): [T, number] => {
        const made = counter.making();
        if (made === undefined || made !== (madeBefore ?? made)) throw new NotCounted();
        return [job(), made];
      })();
    return { db, counter, read, readers: makeReaders(db), inode: inodeOf(file) };
  }

  return {
    get() {
      if (opened?.inode !== inodeOf(file)) opened = undefined;
      opened ??= open();
      return opened;
    },
    /** Removes counted.db if the error came from damage to it. @returns whether it did */
    removeIfDamaged(error: unknown): boolean {
      if (!opened || !isDamaged(error)) return false;
      try {
        if (opened.db.pragma('main.quick_check(1)', { simple: true }) === 'ok') return false;
      } catch {
        // Too damaged for a check.
      }
      console.error(`${file} is damaged; counting from the beginning`);
      if (opened.inode === inodeOf(file)) removeDatabase(file);
      opened = undefined;
      return true;
    },
    close: () => void opened?.db.close(),
  };
}

function closeIfThrown<T>(db: Database.Database, use: () => T): T {
  try {
    return use();
  } catch (error) {
    db.close();
    throw error;
  }
}

const inodeOf = (file: string): number | undefined =>
  fs.statSync(file, { throwIfNoEntry: false })?.ino;
