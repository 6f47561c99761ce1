/** Reads counted numbers and lists for a tool, which may block: first all rows are counted. */
import { isDamaged, isUnavailable } from './errors.ts';
import { NotCounted, openedCounts } from './opened-counts.ts';
import type Database from './sqlite.ts';

/** Duration of a step of counting, in ms. */
const STEP = 1000;

/** Reads for a tool, which may block. */
export function toolReads<R>(
  store: string,
  busyTimeout: number,
  makeReaders: (db: Database.Database) => R,
) {
  const counts = openedCounts(store, busyTimeout, makeReaders);

  function count(onProgress: (left: number) => void): void {
    const end = counts.get().counter.ends();
    try {
      for (let { counter } = counts.get(); !counter.isThrough(end); { counter } = counts.get()) {
        counter.step(STEP);
        onProgress(counter.left());
      }
    } catch (error) {
      // Without the last rows, if counted.db cannot be written.
      if (isDamaged(error) || !isUnavailable(error) || counts.get().counter.making() === undefined)
        throw error;
    }
  }

  return {
    /** Runs a job in a read transaction, when all rows are counted. */
    read<T>(job: (readers: R) => T, onProgress: (left: number) => void): T {
      for (let hasBegun = false; ; ) {
        try {
          count(onProgress);
          const { read, readers } = counts.get();
          const [value] = read(() => {
            hasBegun = true;
            return job(readers);
          });
          return value;
        } catch (error) {
          const again = error instanceof NotCounted || counts.removeIfDamaged(error);
          if (!again || hasBegun) throw error;
        }
      }
    },
    close: counts.close,
  };
}
