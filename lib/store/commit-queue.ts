/**
 * Written before it is said: jobs that arrive while a commit is on its way to the disk share the next one, and each learns its
 * result only when that is on disk. The event loop waits neither for the disk nor for a store that somebody has locked.
 *
 * SQLite commits into its log, the `-wal` file, and the log is synced here, by a thread of libuv's: with `synchronous=NORMAL`
 * and this the log is on disk before a reply, exactly as with `FULL`, but others are served meanwhile.
 */
import fs from 'node:fs';
import type { Database } from 'better-sqlite3';
import { batch, type Outcome } from './batch.ts';
import { asUnavailable, isBusy, StoreUnavailable } from './errors.ts';

type Job = {
  readonly run: () => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** When its caller stops waiting for a locked store, in ms of `performance.now()`. */
  readonly deadline: number;
};

export type CommitQueue = {
  /** Adds a job to the next commit. */
  write<T>(job: () => T): Promise<T>;
  /** Resolves once all that was added is answered; nothing may be added after. */
  close(): Promise<void>;
};

/** How long a job waits for a store that somebody else has locked, in ms. */
const PATIENCE = 5000;

/** Pages of the log after which SQLite copies it into the store, 16 MB: the event loop waits for that, so it is to be seldom. */
const CHECKPOINT = 4000;

/** Pause between two tries to get the lock, in ms. */
const PAUSE = 20;

/** @param db the only connection of this process that writes */
export function commitQueue(db: Database): CommitQueue {
  db.pragma('synchronous = NORMAL');
  db.pragma(`wal_autocheckpoint = ${CHECKPOINT}`);
  // A transaction makes the log, where there is none yet.
  db.exec('begin immediate; commit');
  const log = fs.openSync(`${db.name}-wal`, 'r');
  const commit = batch<unknown>(db);
  let waiting: Job[] = [];
  let busy = false;
  let whenIdle: (() => void) | undefined;

  function next(): void {
    busy = waiting.length > 0;
    // Two turns of the event loop: those whose replies the last commit has just released ask again within the second, and share
    // the commit. Batches twice as large take a tenth off what a view costs at 64 connections.
    if (busy) setImmediate(() => setImmediate(flush));
    else whenIdle?.();
  }

  function flush(): void {
    const jobs = waiting;
    const outcomes = commitOrWait(jobs);
    if (!outcomes) return;
    waiting = [];
    fs.fdatasync(log, (error) => {
      // What a failed sync has lost, a later one does not bring back: only a new start reads what is on disk.
      if (error) throw new Error(`the log of ${db.name} cannot be synced`, { cause: error });
      for (const [i, job] of jobs.entries()) settle(job, outcomes[i]);
      next();
    });
  }

  function commitOrWait(jobs: readonly Job[]): readonly Outcome<unknown>[] | undefined {
    try {
      return commit(jobs.map(({ run }) => run));
    } catch (error) {
      if (!isBusy(error)) return jobs.map(() => ({ error }));
      waitForLock();
      return undefined;
    }
  }

  function waitForLock(): void {
    const now = performance.now();
    const late = waiting.filter(({ deadline }) => deadline <= now);
    waiting = waiting.filter(({ deadline }) => deadline > now);
    for (const { reject } of late) {
      reject(new StoreUnavailable('the store: locked by another program for 5 s'));
    }
    if (waiting.length > 0) setTimeout(flush, PAUSE);
    else next();
  }

  return {
    write: <T>(run: () => T) =>
      new Promise<T>((resolve, reject) => {
        waiting.push({
          run,
          resolve: resolve as (result: unknown) => void,
          reject,
          deadline: performance.now() + PATIENCE,
        });
        if (!busy) next();
      }),
    async close() {
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
