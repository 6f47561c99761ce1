/** The transactions that the requests of one moment share. */
import { type Database, isUnavailable } from './sqlite.ts';

/** Begins a transaction that reads, unless one is open. SQLite locks once for all that it reads. */
export function beginReading(db: Database): void {
  if (!db.inTransaction) db.prepare('begin').run();
}

export function endReading(db: Database): void {
  if (db.inTransaction) db.prepare('commit').run();
}

export type Job<Result> = {
  readonly run: () => Result;
  /** Makes the result of a job that threw. What it had written is undone. */
  readonly failed: (error: unknown) => Result;
};

/**
 * Runs jobs that write, in one transaction. When this returns, what they wrote is on disk. If one
 * throws, all are undone and run again, each in a transaction of its own.
 *
 * @returns the results, in order
 * @throws if the store is unavailable, for example locked by another program: nothing is written
 */
export function recordTogether<Result>(
  db: Database,
  jobs: readonly Job<Result>[],
): readonly Result[] {
  try {
    return db.transaction(() => jobs.map(({ run }) => run())).immediate();
  } catch (error) {
    if (isUnavailable(error)) throw error;
    return jobs.map((job) => recordAlone(db, job));
  }
}

function recordAlone<Result>(db: Database, { run, failed }: Job<Result>): Result {
  try {
    return db.transaction(run).immediate();
  } catch (error) {
    return failed(error);
  }
}
