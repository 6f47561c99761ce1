/**
 * An open connection to the counts: it counts all rows, and a job reads in a transaction that sees
 * only proven counts. The server (server-reads.ts) and the tools (open.ts) decide who waits.
 */
import fs from 'node:fs';
import { connectToCounts, countsFile, type Ends, logCounter } from './counting.ts';
import { isBusy, isDamaged, isUnavailable, StoreUnavailable } from './errors.ts';
import { removeDatabase } from './files.ts';
import { type default as Database, withDatabase } from './sqlite.ts';

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
  override readonly message = 'counted.db is being rebuilt';
}

/** How long a step waits for a lock before a read does without the last rows, in ms. */
const LOCK_WAIT = 200;

/** Opens the counts when they are first used, and again if their file is replaced. */
export function countedReads<R>(
  store: string,
  busyTimeout: number,
  makeReaders: (db: Database.Database) => R,
) {
  const file = countsFile(store);
  const inodeOf = () => fs.statSync(file, { throwIfNoEntry: false })?.ino;
  let opened: ReturnType<typeof open> | undefined;

  const open = () =>
    connectToCounts(store, busyTimeout, (db) => {
      const counter = logCounter(db);
      return { db, counter, readers: makeReaders(db), inode: inodeOf() };
    });

  function get() {
    if (opened?.inode !== inodeOf()) close();
    opened ??= open();
    return opened;
  }

  function close(): void {
    opened?.db.close();
    opened = undefined;
  }

  /** Removes counted.db if the error came from damage to it. @returns whether it did */
  function removeIfDamaged(error: unknown): boolean {
    const check = (db: Database.Database) => db.pragma('quick_check(1)', { simple: true }) === 'ok';
    if (!isDamaged(error) || withDatabase(file, {}, check, () => false)) return false;
    close();
    console.error(`${file} is damaged; counting from the beginning`);
    removeDatabase(file);
    return true;
  }

  return {
    get,
    close,
    removeIfDamaged,
    /** Runs a job in a read transaction, unless the counts were rebuilt. @throws {NotCounted} */
    read<T>(job: () => T, madeBefore?: number): [result: T, made: number] {
      const { db, counter } = get();
      return db.transaction((): [T, number] => {
        const made = counter.making();
        if (made === undefined || made !== (madeBefore ?? made)) throw new NotCounted();
        return [job(), made];
      })();
    },
    /** Begins a read transaction, which `end` ends. @throws {NotCounted} */
    begin(): R & { end(): void } {
      const { db, counter, readers } = get();
      const end = (): void => void (db.inTransaction && db.exec('rollback'));
      db.exec('begin');
      try {
        if (counter.making() === undefined) throw new NotCounted();
        return { ...readers, end };
      } catch (error) {
        end();
        throw error;
      }
    },
    /**
     * Counts all rows that are there now; if counted.db cannot be written, not the last ones.
     * Yields after each step; an error if a lock has prevented it, and it is tried again.
     *
     * @param duration of a step, in ms
     */
    *count(duration: number, onProgress = (_left: number) => {}): Generator<unknown, void> {
      let end: Ends | undefined;
      for (let lastStep = performance.now(); ; ) {
        try {
          const { counter } = get();
          end ??= counter.ends();
          if (counter.left(end) === 0) return;
          counter.step(duration);
          onProgress(counter.left(end));
          lastStep = performance.now();
          yield undefined;
        } catch (error) {
          if (removeIfDamaged(error)) continue;
          if (!isUnavailable(error)) throw error;
          const isShort = isBusy(error) && performance.now() < lastStep + LOCK_WAIT;
          if (!isShort && opened?.counter.making() !== undefined) return;
          if (!isBusy(error)) throw error;
          yield error;
        }
      }
    },
  };
}
