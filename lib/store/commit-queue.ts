/**
 * The commit queue. Jobs that arrive during a commit share the next one. A job's promise resolves
 * after its commit is on disk: SQLite writes the WAL (`synchronous=NORMAL`), and a libuv thread
 * syncs it. That is as durable as `FULL`, and the event loop waits for no disk and no lock.
 */
import fs from 'node:fs';
import type { Database } from 'better-sqlite3';
import { isBusy, StoreUnavailable, toStoreError } from './errors.ts';

/** Settles the promise of a job that has run. */
type Settle = () => void;

/** The deadline is on the monotonic clock, in ms. */
type Job = { run: () => Settle; deadline: number; reject: (error: unknown) => void };

/** Not a promise: an asynchronous job would continue after its commit. */
type Synchronous<T> = T extends PromiseLike<unknown> ? never : T;

/** How long a job waits for its transaction, and the pause between two tries of the lock, in ms. */
const COMMIT_TIMEOUT = 5000;
const LOCK_RETRY_PAUSE = 20;

/**
 * @param db the only connection of this process that writes
 * @param writer passed to each job; it writes on this connection
 */
export function commitQueue<Writer>(db: Database, writer: Writer) {
  db.pragma('synchronous = NORMAL');
  // 16 MB, because a checkpoint blocks the event loop.
  db.pragma('wal_autocheckpoint = 4000');
  // A transaction creates the WAL.
  db.exec('begin immediate; commit');
  const wal = fs.openSync(`${db.name}-wal`, 'r');
  const transaction = db.transaction((jobs: readonly Job[]): readonly Settle[] =>
    jobs.map(({ run }) => run()),
  );
  let waiting: Job[] = [];
  let busy = false;
  let syncing = Promise.resolve();
  let whenIdle: (() => void) | undefined;

  function next(): void {
    busy = waiting.length > 0;
    // In two turns of the event loop, clients that just got a reply can send a request that shares
    // the commit.
    if (busy) setImmediate(() => setImmediate(flush));
    else whenIdle?.();
  }

  function flush(): void {
    rejectExpired();
    const settles = runAll(waiting);
    waiting = waiting.slice(settles.length);
    if (settles.length > 0) sync(settles);
    else if (waiting.length > 0) setTimeout(flush, LOCK_RETRY_PAUSE);
    else next();
  }

  /**
   * Runs jobs in one transaction; if one fails, each in its own.
   *
   * @returns what settles them, in order; fewer if another program holds the lock, and the rest wait
   * @throws if a rollback fails: the connection is unusable
   */
  function runAll(jobs: readonly Job[]): readonly Settle[] {
    try {
      return transaction.immediate(jobs);
    } catch (error) {
      if (db.inTransaction) throw error;
      if (isBusy(error)) return [];
      const [job, ...others] = jobs;
      if (job && others.length === 0) return [() => job.reject(toStoreError(error))];
    }
    const settles: Settle[] = [];
    for (const job of jobs) {
      const [settle] = runAll([job]);
      if (!settle) break;
      settles.push(settle);
    }
    return settles;
  }

  function sync(settles: readonly Settle[]): void {
    syncing = new Promise((resolve) => {
      fs.fdatasync(wal, (error) => {
        // Fatal: a later sync would not write the lost pages.
        if (error) throw new Error(`the WAL of ${db.name} cannot be synced`, { cause: error });
        resolve();
        for (const settle of settles) settle();
        next();
      });
    });
  }

  /** Rejects jobs that have waited for too long. */
  function rejectExpired(): void {
    const now = performance.now();
    const message = 'the store: locked by another program, or its disk is slow, for 5 s';
    while (waiting[0] && waiting[0].deadline <= now)
      waiting.shift()?.reject(new StoreUnavailable(message));
  }

  return {
    /** Resolves after the job's commit is on disk. @throws {StoreUnavailable} without one in 5 s */
    write: <T>(job: (writer: Writer) => Synchronous<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        const run = (): Settle => {
          const result = job(writer);
          return () => resolve(result);
        };
        waiting.push({ run, deadline: performance.now() + COMMIT_TIMEOUT, reject });
        if (!busy) next();
      }),
    /** Resolves after all earlier commits are on disk. */
    synced: (): Promise<void> => syncing,
    /** Resolves after all jobs are settled. No job may be added after this call. */
    async close(): Promise<void> {
      const idle = new Promise<void>((resolve) => {
        whenIdle = resolve;
      });
      if (busy) await idle;
      fs.closeSync(wal);
    },
  };
}
