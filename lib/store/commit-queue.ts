/**
 * Written before it is said: jobs that arrive in one turn of the event loop share one transaction and one fsync,
 * and each learns its result only when that is on disk.
 */
import type { Database } from 'better-sqlite3';
import { asUnavailable, isBusy, StoreUnavailable } from './errors.ts';

type Job = {
  readonly run: () => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** When its caller stops waiting for a locked store, in ms of `performance.now()`. */
  readonly deadline: number;
};

/** How long a job waits for a store that somebody else has locked, in ms. */
const PATIENCE = 5000;

/** Pause between two tries to get the lock, in ms. */
const PAUSE = 20;

/** Makes the queue: a function that adds a job to the next commit. */
export function commitQueue(db: Database): <T>(job: () => T) => Promise<T> {
  const begin = db.prepare('begin immediate');
  const commit = db.prepare('commit');
  const rollback = db.prepare('rollback');
  let waiting: Job[] = [];

  function flush(): void {
    try {
      begin.run();
    } catch (error) {
      if (isBusy(error)) waitForLock();
      else for (const job of take()) job.reject(asUnavailable(error));
      return;
    }
    commitAll(take());
  }

  function take(): Job[] {
    const jobs = waiting;
    waiting = [];
    return jobs;
  }

  function waitForLock(): void {
    const now = performance.now();
    for (const job of take()) {
      if (job.deadline > now) waiting.push(job);
      else job.reject(new StoreUnavailable('the store: locked by another program for 5 s'));
    }
    if (waiting.length > 0) setTimeout(flush, PAUSE);
  }

  /** Runs the jobs in the transaction that has begun. If one fails none of them counts, and each runs again alone. */
  function commitAll(jobs: readonly Job[]): void {
    let results: unknown[];
    try {
      results = jobs.map((job) => job.run());
      commit.run();
    } catch (error) {
      // SQLite has rolled back by itself where the disk is full or failing.
      if (db.inTransaction) rollback.run();
      const [only, ...others] = jobs;
      if (others.length === 0) only?.reject(asUnavailable(error));
      else for (const job of jobs) commitAlone(job);
      return;
    }
    jobs.forEach((job, i) => void job.resolve(results[i]));
  }

  function commitAlone(job: Job): void {
    try {
      begin.run();
    } catch (error) {
      job.reject(asUnavailable(error));
      return;
    }
    commitAll([job]);
  }

  return <T>(run: () => T) =>
    new Promise<T>((resolve, reject) => {
      // The first job of a turn calls the flush, which comes when the turn's other requests have been read.
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({
        run,
        resolve: resolve as (result: unknown) => void,
        reject,
        deadline: performance.now() + PATIENCE,
      });
    });
}
