/** Runs jobs together in one transaction, and so with one fsync; a job that fails costs the others nothing. */
import type { Database } from 'better-sqlite3';

export type Job<T> = () => T;

/** What a job returned, or what it or its commit threw. */
export type Outcome<T> = { readonly result: T } | { readonly error: unknown };

/**
 * Makes a function that runs jobs and returns their outcomes, in their order, once they are on disk.
 *
 * @throws where the store is locked; no job has run then
 */
export function batch<T>(db: Database): (jobs: readonly Job<T>[]) => readonly Outcome<T>[] {
  const begin = db.prepare('begin immediate');
  const commit = db.prepare('commit');
  const rollback = db.prepare('rollback');

  /** Runs the jobs in the transaction that has begun. If one fails none of them counts, and each runs again alone. */
  function commitAll(jobs: readonly Job<T>[]): readonly Outcome<T>[] {
    try {
      const outcomes = jobs.map((job) => ({ result: job() }));
      commit.run();
      return outcomes;
    } catch (error) {
      // SQLite has rolled back by itself where the disk is full or failing.
      if (db.inTransaction) rollback.run();
      return jobs.length === 1 ? [{ error }] : jobs.map(commitAlone);
    }
  }

  function commitAlone(job: Job<T>): Outcome<T> {
    try {
      begin.run();
    } catch (error) {
      return { error };
    }
    return commitAll([job])[0] ?? { error: new Error('a job without an outcome') };
  }

  return (jobs) => {
    begin.run();
    return commitAll(jobs);
  };
}
