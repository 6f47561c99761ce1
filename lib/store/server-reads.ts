/** Reads counted numbers and lists for the server: first all rows are counted, in steps. */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { countsFile } from './counting.ts';
import { isBusy, isUnavailable, StoreUnavailable } from './errors.ts';
import { NotCounted, openedCounts, type Sliced } from './opened-counts.ts';
import type Database from './sqlite.ts';

/** Duration of a step of counting, in ms. */
const STEP = 2.5;

/** How long the server waits before it counts what nobody reads, in ms. */
const BACKGROUND_WAIT = 1000;

/** How long a read waits for counting, in ms. */
const TIMEOUT = 5000;

/** Exports at once, each on a connection. */
const EXPORTS = 4;

/** Attempts while another program holds the lock, and the pause between them, in ms. */
const LOCK_RETRIES = 10;
const LOCK_RETRY_PAUSE = 20;

/** Reads for the server: the event loop waits for no lock, and for no long count. */
export function serverReads<R>(store: string, makeReaders: (db: Database.Database) => R) {
  const counts = openedCounts(store, 2, makeReaders);
  /** For exports, which hold a transaction. */
  const exporting = Array.from({ length: EXPORTS }, () => openedCounts(store, 2, makeReaders));
  const free = [...exporting];
  let stepping: Promise<unknown> | undefined;
  let checking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  /** Counts some rows, in a step that all who wait share. @returns a fault of the store */
  const step = (): Promise<unknown> => {
    stepping ??= stepNow().finally(() => {
      stepping = undefined;
    });
    return stepping;
  };

  async function stepNow(): Promise<unknown> {
    try {
      counts.get().counter.step(STEP);
      await nextTurn();
      return undefined;
    } catch (error) {
      if (counts.removeIfDamaged(error)) return undefined;
      if (!isUnavailable(error)) throw error;
      await pause(LOCK_RETRY_PAUSE);
      return error;
    }
  }

  /** Finds rows that were put in by hand while the server did not run. */
  async function check(): Promise<void> {
    for (const _ of counts.get().counter.check()) {
      await nextTurn();
      if (isClosed) return;
    }
  }

  /** Counts all rows that are there now; if counted.db cannot be written, not the last ones. */
  async function count(deadline: number): Promise<void> {
    checking ??= check();
    await checking.catch((error) => {
      checking = undefined;
      throw error;
    });
    const end = counts.get().counter.ends();
    for (let failures = 0; !isClosed && !counts.get().counter.isThrough(end); ) {
      if (performance.now() > deadline)
        throw new StoreUnavailable(`${countsFile(store)}: rows are still being counted`);
      const fault = await step();
      failures = fault ? failures + 1 : 0;
      if (!fault || (isBusy(fault) && failures < LOCK_RETRIES)) continue;
      if (counts.get().counter.making() !== undefined) return;
      if (!isBusy(fault)) throw fault;
    }
  }

  /** Counts, then reads. Repeats both if the counts were made anew meanwhile. */
  async function whenCounted<T>(read: () => T | Promise<T>): Promise<T> {
    const deadline = performance.now() + TIMEOUT;
    for (;;) {
      try {
        await count(deadline);
        return await read();
      } catch (error) {
        if (isClosed) throw new StoreUnavailable('the service stops', { cause: error });
        const again = error instanceof NotCounted || isBusy(error) || counts.removeIfDamaged(error);
        if (!again || performance.now() > deadline) throw error;
        await pause(LOCK_RETRY_PAUSE);
      }
    }
  }

  function beginOn(own: typeof counts) {
    const { db, counter, readers } = own.get();
    db.exec('begin');
    const close = (): void => void db.exec('rollback');
    if (counter.making() === undefined) {
      close();
      throw new NotCounted();
    }
    return {
      ...readers,
      close(): void {
        close();
        free.push(own);
      },
    };
  }

  const inBackground = (): void => {
    timer = undefined;
    // A fault is reported by the requests that read.
    whenCounted(() => undefined).catch((error) => {
      if (!isUnavailable(error) && !(error instanceof StoreUnavailable)) console.error(error);
    });
  };

  return {
    /** Runs a job when all rows are counted, in slices. @throws {StoreUnavailable} after 5 s */
    read: <T>(job: (readers: R) => Sliced<T>): Promise<T> =>
      whenCounted(async () => {
        const { read, readers } = counts.get();
        const slices = job(readers);
        for (let madeBefore: number | undefined; ; await nextTurn()) {
          const [{ done, value }, made] = read(() => slices.next(), madeBefore);
          if (done) return value;
          madeBefore = made;
        }
      }),
    /**
     * Begins a read transaction on one of four connections. Until its end, the WALs only grow.
     *
     * @throws {StoreUnavailable} if none is free for 5 s
     */
    async beginRead() {
      const deadline = performance.now() + TIMEOUT;
      let own = free.pop();
      for (; !own; own = free.pop()) {
        if (performance.now() > deadline) throw new StoreUnavailable('four exports are running');
        await pause(LOCK_RETRY_PAUSE);
      }
      const taken = own;
      try {
        return await whenCounted(() => beginOn(taken));
      } catch (error) {
        free.push(taken);
        throw error;
      }
    },
    /** Counts what nobody reads. */
    countSoon(): void {
      timer ??= setTimeout(inBackground, BACKGROUND_WAIT);
    },
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      await stepping;
      for (const each of [counts, ...exporting]) each.close();
    },
  };
}
