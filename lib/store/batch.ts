/** Runs jobs in one transaction, so with one sync; a failed job does not affect the others. */
import type { Database } from 'better-sqlite3';
import { isBusy } from './errors.ts';

export type Job<T> = () => T;

/** What a job returned, or what it or its commit threw. */
export type Outcome<T> = { readonly result: T } | { readonly error: unknown };

/**
 * Makes a function that runs jobs and returns their outcomes, in order. Where another program has
 * the lock, it returns fewer outcomes, mostly none; the other jobs were rolled back and can run
 * again.
 *
 * @throws where a rollback fails; the connection is of no use then
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
      // SQLite has rolled back by itself where the disk is full or failing.
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
