/** Counts rows in the server: before a total is read, and in the background. */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { isBusy, isUnavailable } from './errors.ts';
import { logCounter } from './rows/counting.ts';

/** @param db the connection that writes */
export function backgroundCounter(db: Database) {
  const { step } = logCounter(db);
  let waiting = 0;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  /** Counts all rows, in steps. If the store cannot be written, the last ones are left out. */
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
    let steps = 0;
    for (let tries = 0; tries < 10; ) {
      try {
        // After 20 steps, rows come as quickly as they are counted. Longer steps, of 8 ms, end it.
        if (!step(steps < 20 ? undefined : 8)) return;
        steps += 1;
        tries = 0;
        await nextTurn();
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        if (!isBusy(error)) return;
        // Another program holds the lock.
        tries += 1;
        await pause(20);
      }
    }
  }

  /** Logs a bug. Requests that read a total report it too. */
  const background = (): void => void now().catch(console.error);

  return {
    now,
    /** Counts 3000 rows, or fewer after a second, in the background. @param rows the new ones */
    soon(rows: number): void {
      waiting += rows;
      if (waiting >= 3000) background();
      else timer ??= setTimeout(background, 1000);
    },
    async stop(): Promise<void> {
      clearTimeout(timer);
      await running;
    },
  };
}
