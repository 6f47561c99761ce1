/** Counts in the server: before a total is read, and in the background. */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { asUnavailable, isBusy, StoreUnavailable } from './errors.ts';

/** Rows that wait before they are counted in the background. */
const MANY = 2000;

/** How long fewer rows wait, in ms. */
const SOON = 1000;

/** How often and when a step is tried again while another program holds the lock, in ms. */
const TRIES = 10;
const PAUSE = 20;

/** @param step counts for at most 8 ms; returns whether more rows wait */
export function countInSteps(step: () => boolean) {
  let appended = 0;
  let timer: NodeJS.Timeout | undefined;
  let next: NodeJS.Immediate | undefined;

  /** If the store cannot be written, the next commit tries again. */
  function background(): void {
    clearTimeout(timer);
    timer = undefined;
    next = undefined;
    appended = 0;
    try {
      if (step()) next = setImmediate(background);
    } catch (error) {
      if (!(asUnavailable(error) instanceof StoreUnavailable)) throw error;
    }
  }

  return {
    /**
     * Counts all rows. The event loop is free between two steps. If the store cannot be written,
     * the last rows are left out.
     */
    async now(): Promise<void> {
      for (let tries = 0; tries < TRIES; tries += 1) {
        try {
          while (step()) await nextTurn();
          return;
        } catch (error) {
          if (!(asUnavailable(error) instanceof StoreUnavailable)) throw error;
          if (!isBusy(error)) return;
          await pause(PAUSE);
        }
      }
    },
    /** Counts in the background after a commit of so many rows. */
    soon(rows: number): void {
      appended += rows;
      timer ??= setTimeout(background, SOON);
      if (appended >= MANY) next ??= setImmediate(background);
    },
    stop(): void {
      clearTimeout(timer);
      clearImmediate(next);
    },
  };
}
