/**
 * The commit queue. Jobs that arrive during a commit share the next one. A job's promise resolves
 * after its commit is on disk: SQLite writes the WAL (`synchronous=NORMAL`), and a libuv thread
 * syncs it. That is as durable as `FULL`, and the event loop waits for no disk and no lock.
 */
import fs from 'node:fs';
import type { Database } from 'better-sqlite3';
import { asUnavailable, isBusy, StoreUnavailable } from './errors.ts';

type Job<Writer> = {
  readonly run: (writer: Writer) => unknown;
  /** Its arrival, on the monotonic clock in ms. */
  readonly since: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
};

/** The result of a failed job, with the error as its cause. */
class Failure extends Error {}

/** Not a promise: an asynchronous job would continue after its commit. */
type Synchronous<T> = T extends PromiseLike<unknown> ? never : T;

/** How long a job waits for its commit, in ms. */
const COMMIT_TIMEOUT = 5000;

/** WAL pages (16 MB) before a checkpoint, which blocks the event loop. */
const CHECKPOINT_PAGES = 4000;

/** A longer WAL is truncated to this when it restarts, in bytes. */
const WAL_LIMIT = 32 << 20;

/** Pause before another attempt to get the lock, in ms. */
const LOCK_RETRY_PAUSE = 20;

/**
 * @param db the only connection of this process that writes
 * @param writer passed to each job; it writes on this connection
 * @param begun called before the jobs of each transaction
 * @param committed called with the number of committed jobs, before the sync
 */
export function commitQueue<Writer>(
  db: Database,
  writer: Writer,
  begun: () => void,
  committed: (jobs: number) => void,
) {
  db.pragma('synchronous = NORMAL');
  db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  db.pragma(`journal_size_limit = ${WAL_LIMIT}`);
  // A transaction creates the WAL.
  db.exec('begin immediate; commit');
  const log = fs.openSync(`${db.name}-wal`, 'r');
  const transaction = db.transaction((jobs: readonly Job<Writer>[]): readonly unknown[] => {
    begun();
    return jobs.map(({ run }) => run(writer));
  });
  let waiting: Job<Writer>[] = [];
  let deadline: NodeJS.Timeout | undefined;
  let busy = false;
  let syncing: Promise<void> | undefined;
  let whenIdle: (() => void) | undefined;

  function next(): void {
    busy = waiting.length > 0;
    // In two turns of the event loop, clients that just got a reply can send a request that shares
    // the commit.
    if (busy) setImmediate(() => setImmediate(flush));
    else whenIdle?.();
  }

  function flush(): void {
    const jobs = waiting;
    const results = runAll(jobs);
    waiting = jobs.slice(results.length);
    if (results.length > 0) {
      syncAndSettle(jobs, results);
      committed(results.length);
    } else if (waiting.length > 0) setTimeout(flush, LOCK_RETRY_PAUSE);
    else next();
  }

  /**
   * Runs jobs in one transaction; if one fails, each in its own.
   *
   * @returns the results, in order; fewer if another program holds the lock
   * @throws if a rollback fails: the connection is unusable
   */
  function runAll(jobs: readonly Job<Writer>[]): readonly unknown[] {
    try {
      return transaction.immediate(jobs);
    } catch (error) {
      if (db.inTransaction) throw error;
      if (isBusy(error)) return [];
      if (jobs.length === 1) return [new Failure('', { cause: error })];
    }
    const results: unknown[] = [];
    for (const job of jobs) {
      const result = runAll([job]);
      if (result.length === 0) break;
      results.push(...result);
    }
    return results;
  }

  function syncAndSettle(jobs: readonly Job<Writer>[], results: readonly unknown[]): void {
    syncing = new Promise((resolve) => {
      fs.fdatasync(log, (error) => {
        // Fatal: a later sync would not write the lost pages.
        if (error) throw new Error(`the log of ${db.name} cannot be synced`, { cause: error });
        syncing = undefined;
        resolve();
        for (const [i, result] of results.entries()) {
          if (result instanceof Failure) jobs[i]?.reject(asUnavailable(result.cause));
          else jobs[i]?.resolve(result);
        }
        next();
      });
    });
  }

  /** Rejects late jobs that are not being committed. */
  function refuseLate(): void {
    const now = performance.now();
    const cause = syncing ? 'its disk is slow to sync' : 'locked by another program';
    while (waiting[0] && waiting[0].since + COMMIT_TIMEOUT <= now)
      waiting.shift()?.reject(new StoreUnavailable(`the store: ${cause} for 5 s`));
    const rest = waiting[0] && waiting[0].since + COMMIT_TIMEOUT - now;
    deadline = rest === undefined ? undefined : setTimeout(refuseLate, rest);
  }

  return {
    /**
     * Runs a job in the next commit. Resolves after the commit is on disk.
     *
     * @throws {StoreUnavailable} if the job is not committed within 5 s
     */
    write: <T>(run: (writer: Writer) => Synchronous<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        const settle = resolve as (result: unknown) => void;
        waiting.push({ run, since: performance.now(), resolve: settle, reject });
        deadline ??= setTimeout(refuseLate, COMMIT_TIMEOUT);
        if (!busy) next();
      }),
    /** Resolves after all earlier commits are on disk. */
    synced: async (): Promise<void> => syncing,
    /** Resolves after all jobs are settled. No job may be added after this call. */
    async close(): Promise<void> {
      if (busy) {
        await new Promise<void>((resolve) => {
          whenIdle = resolve;
        });
      }
      clearTimeout(deadline);
      fs.closeSync(log);
    },
  };
}
