/** Counts rows in the server: before a total is read, and in the background. */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { isBusy, isUnavailable } from './errors.ts';
import { logCounter } from './counting.ts';

/** Uncounted rows that start a background count. */
const MAX_WAITING_ROWS = 3000;

/** Longest wait of fewer rows, in ms. */
const MAX_WAIT = 1000;

/**
 * Steps of a count after which its steps take LONG_STEP_TIME, in ms. Long steps count more rows in
 * the same time, so that the count overtakes the writers.
 */
const SHORT_STEPS = 20;
const LONG_STEP_TIME = 8;

/** Attempts while another program holds the lock, and the pause between them, in ms. */
const LOCK_RETRIES = 10;
const LOCK_RETRY_PAUSE = 20;

/** @param db the connection that writes */
export function backgroundCounter(db: Database) {
  const { step } = logCounter(db);
  let waiting = 0;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  /** Counts all rows, in steps. If the store cannot be written, the last ones are left out. */
  const countNow = (): Promise<void> => {
    running ??= countAll().finally(() => {
      running = undefined;
    });
    return running;
  };

  async function countAll(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    waiting = 0;
    let steps = 0;
    for (let tries = 0; tries < LOCK_RETRIES; ) {
      try {
        if (!step(steps < SHORT_STEPS ? undefined : LONG_STEP_TIME)) return;
        steps += 1;
        tries = 0;
        await nextTurn();
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        if (!isBusy(error)) return;
        tries += 1;
        await pause(LOCK_RETRY_PAUSE);
      }
    }
  }

  /** Logs a bug. Requests that read a total report it too. */
  const background = (): void => void countNow().catch(console.error);

  return {
    countNow,
    /** Counts in the background. @param rows how many were committed */
    countSoon(rows: number): void {
      waiting += rows;
      if (waiting >= MAX_WAITING_ROWS) background();
      else timer ??= setTimeout(background, MAX_WAIT);
    },
    async stop(): Promise<void> {
      clearTimeout(timer);
      await running;
    },
  };
}
