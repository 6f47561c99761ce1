/** Runs jobs in one transaction, which needs one sync. A failed job does not affect the others. */
import type { Database } from 'better-sqlite3';
import { isBusy } from './errors.ts';

export type Job<T> = () => T;

/** The result of a job, or the error of the job or of its commit. */
export type Outcome<T> = { readonly result: T } | { readonly error: unknown };

/**
 * Makes a function that runs jobs and returns their outcomes, in order. If another program holds
 * the lock, it returns fewer outcomes than jobs. The jobs without an outcome were rolled back.
 *
 * @throws if a rollback fails; then the connection cannot be used any more
 */
export function batch<T>(db: Database): (jobs: readonly Job<T>[]) => readonly Outcome<T>[] {
  const begin = db.prepare('begin immediate');
  const commit = db.prepare('commit');
  const rollback = db.prepare('rollback');

  function run(jobs: readonly Job<T>[]): readonly Outcome<T>[] {
    try {
      begin.run();
      const outcomes = jobs.map((job) => ({ result: job() }));
      commit.run();
      return outcomes;
    } catch (error) {
      // SQLite itself rolls back if the disk is full or failing.
      if (db.inTransaction) rollback.run();
      if (isBusy(error)) return [];
      return jobs.length === 1 ? [{ error }] : runEachAlone(jobs);
    }
  }

  function runEachAlone(jobs: readonly Job<T>[]): readonly Outcome<T>[] {
    const outcomes: Outcome<T>[] = [];
    for (const job of jobs) {
      const [outcome] = run([job]);
      if (!outcome) break;
      outcomes.push(outcome);
    }
    return outcomes;
  }

  return run;
}
