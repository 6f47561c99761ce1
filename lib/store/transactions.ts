/** The two transactions of a turn: one that reads, and one that records. */
import { type Database, isUnavailable } from './sqlite.ts';

export type Job<T> = {
  readonly run: () => T;
  /** Makes the result of a job that threw, and so was undone. */
  readonly failed: (error: unknown) => T;
};

export type Transactions<T> = {
  /** Runs a job that only reads. It sees one state of the store. */
  readonly read: (job: () => void) => void;
  /**
   * Runs jobs that write. When this returns, what they wrote is on disk. If one throws, all are
   * undone and run again, each in a transaction of its own, because a savepoint for each job copies
   * the pages that it changes.
   *
   * @returns the results, in order
   * @throws if the store is unavailable, for example at once if another program locks it: then
   *   nothing is written
   */
  readonly record: (jobs: readonly Job<T>[]) => readonly T[];
};

/** @param db in WAL mode, with `synchronous = full` and without a busy timeout */
export function createTransactions<T>(db: Database): Transactions<T> {
  const recordAll = db.transaction((jobs: readonly Job<T>[]) => jobs.map(({ run }) => run()));
  const recordOne = db.transaction((job: () => T): T => job());

  function attempt({ run, failed }: Job<T>): T {
    try {
      return recordOne.immediate(run);
    } catch (error) {
      return failed(error);
    }
  }

  return {
    read: db.transaction((job: () => void) => job()),
    record(jobs) {
      try {
        return recordAll.immediate(jobs);
      } catch (error) {
        if (isUnavailable(error)) throw error;
        return jobs.map(attempt);
      }
    },
  };
}
