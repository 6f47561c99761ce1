/** The two transactions of a turn: one that reads, and one that records. */
import type { Database } from './sqlite.ts';

export type Job<T> = {
  readonly run: () => T;
  /** Makes the result of a job that threw, and so was undone. */
  readonly failed: (error: unknown) => T;
};

export type Transactions<T> = {
  /** Runs a job that only reads. It sees one state of the store. */
  readonly read: (job: () => void) => void;
  /**
   * Runs jobs that write, each in a savepoint, so that one that throws undoes only itself. When
   * this returns, what they wrote is on disk.
   *
   * @returns the results, in order
   * @throws if the transaction as a whole failed, for example at once if another program locks the
   *   store: then nothing is written
   */
  readonly record: (jobs: readonly Job<T>[]) => readonly T[];
};

/** @param db in WAL mode, with `synchronous = full` and without a busy timeout */
export function createTransactions<T>(db: Database): Transactions<T> {
  const inSavepoint = db.transaction((job: () => T): T => job());

  function attempt({ run, failed }: Job<T>): T {
    try {
      return inSavepoint(run);
    } catch (error) {
      // A full disk ends the whole transaction, with what the jobs before had written.
      if (!db.inTransaction) throw error;
      return failed(error);
    }
  }

  const recordAll = db.transaction((jobs: readonly Job<T>[]) => jobs.map(attempt));

  return {
    read: db.transaction((job: () => void) => job()),
    record: (jobs) => recordAll.immediate(jobs),
  };
}
