/**
 * The commit queue. Jobs that arrive during a commit share the next one. A job's promise resolves
 * after its commit is on disk. The event loop waits neither for the disk nor for a lock.
 *
 * SQLite writes each commit to the WAL (`synchronous=NORMAL`), and a libuv thread syncs it before
 * the replies are sent. That is as durable as `FULL`, while other requests are served.
 */
import fs from 'node:fs';
import type { Database } from 'better-sqlite3';
import { batch, type Outcome } from './batch.ts';
import { asUnavailable, StoreUnavailable } from './errors.ts';
import { readTransaction } from './turn.ts';

type Job = {
  readonly run: () => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** Rejects the job, unless it is committed before. */
  readonly deadline: NodeJS.Timeout;
};

/** Anything but a promise: an asynchronous job would go on after its commit. */
type Synchronous<T> = T extends PromiseLike<unknown> ? never : T;

/** How long a job waits for its commit, in ms. */
const COMMIT_TIMEOUT = 5000;

/** WAL pages (16 MB) before a checkpoint. Checkpoints block the event loop, so keep them rare. */
const CHECKPOINT_PAGES = 4000;

/** What a longer WAL is cut to, in bytes, when it begins anew. Beside an export it only grows. */
const WAL_LIMIT = 32 << 20;

/** Pause between two attempts to get the lock, in ms. */
const LOCK_RETRY_PAUSE = 20;

/**
 * @param db the only connection of this process that writes
 * @param writer passed to each job; it writes on that connection
 */
export function commitQueue<Writer>(db: Database, writer: Writer) {
  db.pragma('synchronous = NORMAL');
  db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  db.pragma(`journal_size_limit = ${WAL_LIMIT}`);
  // A transaction creates the WAL.
  db.exec('begin immediate; commit');
  const log = fs.openSync(`${db.name}-wal`, 'r');
  const commit = batch<unknown>(db);
  const reading = readTransaction(db);
  const waiting = new Set<Job>();
  let busy = false;
  let syncing: Promise<void> | undefined;
  let whenIdle: (() => void) | undefined;

  function next(): void {
    busy = waiting.size > 0;
    // After two turns of the event loop, clients that just got a reply may have sent their next
    // request, which then shares the commit.
    if (busy) setImmediate(() => setImmediate(flush));
    else whenIdle?.();
  }

  function flush(): void {
    const jobs = [...waiting];
    reading.end();
    const outcomes = commit(jobs.map(({ run }) => run));
    const committed = jobs.slice(0, outcomes.length);
    for (const job of committed) {
      clearTimeout(job.deadline);
      waiting.delete(job);
    }
    if (committed.length > 0) syncAndSettle(committed, outcomes);
    else if (waiting.size > 0) setTimeout(flush, LOCK_RETRY_PAUSE);
    else next();
  }

  function syncAndSettle(jobs: readonly Job[], outcomes: readonly Outcome<unknown>[]): void {
    syncing = new Promise((resolve) => {
      fs.fdatasync(log, (error) => {
        // A later sync does not restore what this one lost, so the process ends.
        if (error) throw new Error(`the log of ${db.name} cannot be synced`, { cause: error });
        syncing = undefined;
        resolve();
        for (const [i, job] of jobs.entries()) settle(job, outcomes[i]);
        next();
      });
    });
  }

  function refuse(job: Job): void {
    waiting.delete(job);
    const cause = syncing ? 'its disk is slow to sync' : 'locked by another program';
    job.reject(new StoreUnavailable(`the store: ${cause} for 5 s`));
  }

  return {
    /** Begins a read transaction, which lasts a turn of the event loop at most; see turn.ts. */
    beginTurn: reading.begin,
    /**
     * Runs a job in the next commit. Resolves after the commit is on disk.
     *
     * @throws {StoreUnavailable} if the job is not committed within 5 s
     */
    write: <T>(run: (writer: Writer) => Synchronous<T>): Promise<T> =>
      new Promise<T>((resolve, reject) => {
        const job: Job = {
          run: () => run(writer),
          resolve: resolve as (result: unknown) => void,
          reject,
          deadline: setTimeout(() => refuse(job), COMMIT_TIMEOUT),
        };
        waiting.add(job);
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
      fs.closeSync(log);
    },
  };
}

function settle({ resolve, reject }: Job, outcome: Outcome<unknown> | undefined): void {
  if (outcome && 'result' in outcome) resolve(outcome.result);
  else reject(asUnavailable(outcome?.error));
}
