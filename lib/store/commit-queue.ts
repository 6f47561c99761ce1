/**
 * The commit queue. Jobs of two turns of the event loop share one transaction. The connection has
 * `synchronous=FULL`, so a transaction that has returned is on disk, and then its jobs' promises
 * resolve. The event loop waits for the disk, but only 2 ms for a lock of another program.
 */
import type { Database } from 'better-sqlite3';
import { isBusy, isUnavailable, StoreUnavailable, toStoreError } from './errors.ts';

/** Settles the promise of a job that is committed. */
type Settle = () => void;

type Job = {
  /** Called in a transaction. */
  readonly run: () => Settle;
  readonly reject: (error: unknown) => void;
  /** On the monotonic clock, in ms. */
  readonly deadline: number;
};

/** Not a promise: an asynchronous job would continue after its commit. */
type Synchronous<T> = T extends PromiseLike<unknown> ? never : T;

export type CommitQueue<Writer> = {
  /**
   * Resolves after the job's commit is on disk. The job runs twice if one that shares its
   * transaction throws.
   *
   * @throws {StoreUnavailable} if the store is locked for 5 s, or fails
   */
  readonly write: <T>(job: (writer: Writer) => Synchronous<T>) => Promise<T>;
  /** Resolves after all jobs are settled. No job may be added after this call. */
  readonly close: () => Promise<void>;
};

/** How long a job waits for its transaction, in ms. */
const COMMIT_TIMEOUT = 5000;

/** The pause between two tries of the lock, in ms. */
const LOCK_RETRY_PAUSE = 20;

/**
 * @param db the only connection of this process that writes, with `synchronous=FULL`
 * @param writer passed to each job; it writes on this connection
 */
export function commitQueue<Writer>(db: Database, writer: Writer): CommitQueue<Writer> {
  const transaction = db.transaction((jobs: readonly Job[]): readonly Settle[] =>
    jobs.map((job) => job.run()),
  );
  let waiting: Job[] = [];
  let busy = false;
  let whenIdle: (() => void) | undefined;

  /** Plans the commit of the waiting jobs. Without jobs, the queue is idle. */
  function scheduleFlush(): void {
    busy = waiting.length > 0;
    // Wait two turns of the event loop. In this time, a client that just got a reply can send a
    // request that shares the commit.
    if (busy) setImmediate(() => setImmediate(flush));
    else whenIdle?.();
  }

  function flush(): void {
    const locked = runTogether(waiting);
    waiting = rejectExpired(locked);
    if (waiting.length > 0) setTimeout(flush, LOCK_RETRY_PAUSE);
    else scheduleFlush();
  }

  /**
   * Runs jobs in one transaction. If one of them throws, runs each in its own.
   *
   * @returns the jobs that must wait, because another program holds the lock
   */
  function runTogether(jobs: readonly Job[]): readonly Job[] {
    try {
      commit(jobs);
      return [];
    } catch (error) {
      requireRollback(error);
      if (isUnavailable(error)) return waitOrReject(jobs, error);
    }
    for (const [index, job] of jobs.entries()) {
      const error = runOne(job);
      // The other jobs would fail in the same way, and each would wait for the disk.
      if (error !== undefined) return waitOrReject(jobs.slice(index), error);
    }
    return [];
  }

  /**
   * Runs a job in its own transaction.
   *
   * @returns an error of the store, with which the job is not settled; else `undefined`
   */
  function runOne(job: Job): unknown {
    try {
      commit([job]);
    } catch (error) {
      requireRollback(error);
      if (isUnavailable(error)) return error;
      job.reject(error);
    }
    return undefined;
  }

  /** Runs jobs in a transaction, and settles them. */
  function commit(jobs: readonly Job[]): void {
    const settles = transaction.immediate(jobs);
    for (const settle of settles) settle();
  }

  /** @throws the error if its transaction is still open, because later commits would not be safe */
  function requireRollback(error: unknown): void {
    if (db.inTransaction) throw error;
  }

  /** Handles an error of the store. @returns the jobs that wait; a fault rejects all of them */
  function waitOrReject(jobs: readonly Job[], error: unknown): readonly Job[] {
    if (isBusy(error)) return jobs;
    for (const job of jobs) job.reject(toStoreError(error));
    return [];
  }

  /** Rejects the jobs that have waited for too long. @returns the others */
  function rejectExpired(jobs: readonly Job[]): Job[] {
    const now = performance.now();
    const isExpired = (job: Job): boolean => job.deadline <= now;
    for (const job of jobs.filter(isExpired))
      job.reject(new StoreUnavailable('the store was locked by another program for 5 s'));
    return jobs.filter((job) => !isExpired(job));
  }

  return {
    write: (job) =>
      new Promise((resolve, reject) => {
        const run = (): Settle => {
          const result = job(writer);
          return () => resolve(result);
        };
        waiting.push({ run, reject, deadline: performance.now() + COMMIT_TIMEOUT });
        if (!busy) scheduleFlush();
      }),
    async close() {
      const idle = new Promise<void>((resolve) => {
        whenIdle = resolve;
      });
      if (busy) await idle;
    },
  };
}
