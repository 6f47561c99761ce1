/** Reads counted numbers and lists for the server: first all rows are counted, in steps. */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { countedReads, NotCounted, type Sliced } from './counted-reads.ts';
import { countsFile } from './counting.ts';
import { isBusy, isUnavailable, StoreUnavailable } from './errors.ts';
import type Database from './sqlite.ts';

/** How long SQLite waits for a lock, in ms. */
const BUSY_TIMEOUT = 2;

/** Duration of a step of counting, in ms. */
const STEP = 2.5;

/** How long the server waits before it counts what nobody reads, in ms. */
const BACKGROUND_WAIT = 1000;

/** How long a read waits for counting, in ms. */
const TIMEOUT = 5000;

/** Pause before another attempt, in ms. */
const RETRY_PAUSE = 20;

/** Exports at once, each on a connection. */
const MAX_EXPORTS = 4;

/** Reads for the server: the event loop waits for no lock, and for no long count. */
export function serverReads<R>(store: string, makeReaders: (db: Database.Database) => R) {
  const connect = () => countedReads(store, BUSY_TIMEOUT, makeReaders);
  const counts = connect();
  const exporting = Array.from({ length: MAX_EXPORTS }, connect);
  const free = [...exporting];
  let lastRead: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  /** Counts, then reads. Repeats both if the counts were rebuilt meanwhile. */
  async function countAndRead<T>(read: () => T | Promise<T>, deadline: number): Promise<T> {
    for (;;) {
      if (isClosed) throw new StoreUnavailable('the service stops');
      try {
        for (const fault of counts.count(STEP)) {
          await (fault ? pause(RETRY_PAUSE) : nextTurn());
          if (isClosed || performance.now() > deadline)
            throw new StoreUnavailable(`${countsFile(store)}: rows are still being counted`);
        }
        return await read();
      } catch (error) {
        const again = error instanceof NotCounted || isBusy(error) || counts.removeIfDamaged(error);
        if (!again || performance.now() > deadline) throw error;
        await pause(RETRY_PAUSE);
      }
    }
  }

  /** Reads one after the other, so that each step of counting is for all who wait. */
  function whenCounted<T>(read: () => T | Promise<T>): Promise<T> {
    const deadline = performance.now() + TIMEOUT;
    const result = lastRead.then(() => countAndRead(read, deadline));
    lastRead = result.catch(() => undefined);
    return result;
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
        const slices = job(counts.get().readers);
        for (let madeBefore: number | undefined; ; await nextTurn()) {
          const [{ done, value }, made] = counts.read(() => slices.next(), madeBefore);
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
        await pause(RETRY_PAUSE);
      }
      const taken = own;
      try {
        const { end, ...readers } = await whenCounted(taken.begin);
        /** @param fault of a read, if one has ended the export */
        const close = (fault?: unknown): void => {
          end();
          free.push(taken);
          counts.removeIfDamaged(fault);
        };
        return { ...readers, close };
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
      await lastRead;
      for (const each of [counts, ...exporting]) each.close();
    },
  };
}
