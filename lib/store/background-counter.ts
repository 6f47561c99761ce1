/** Counts in the server: before a total is read, and in the background. */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { isBusy, isUnavailable } from './errors.ts';
import { logCounter } from './rows/counting.ts';

/** Rows that wait before they are counted in the background. */
const MAX_WAITING_ROWS = 3000;

/** How long fewer rows wait, in ms. */
const MAX_WAIT = 1000;

/** How often and when a step is tried again while another program holds the lock, in ms. */
const LOCK_RETRIES = 10;
const LOCK_RETRY_PAUSE = 20;

/** @param db the connection that writes */
export function backgroundCounter(db: Database) {
  const { step } = logCounter(db);
  let waiting = 0;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  /**
   * Counts all rows. The event loop is free between two steps. If the store cannot be written, the
   * last rows are left out.
   */
  const now = (): Promise<void> => {
    running ??= countAll().finally(() => {
      running = undefined;
    });
    return running;
  };

  async function countAll(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    waiting = 0;
    for (let tries = 0; tries < LOCK_RETRIES; tries += 1) {
      try {
        for (; step(); tries = 0) await nextTurn();
        return;
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        if (!isBusy(error)) return;
        await pause(LOCK_RETRY_PAUSE);
      }
    }
  }

  /** A bug in it is logged, and the requests that read a total report it. */
  const background = (): void => void now().catch(console.error);

  return {
    now,
    /** Counts in the background after a commit of so many rows. */
    soon(rows: number): void {
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
