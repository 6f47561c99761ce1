/**
 * Reads numbers and lists of people: first all rows are counted, then a job reads. Each read is one
 * transaction, which sees only complete and proven counts. Here is also when the server counts.
 */
import fs from 'node:fs';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { connectToCounts, countsFile, logCounter } from './counting.ts';
import { isBusy, isDamaged, isUnavailable, StoreUnavailable } from './errors.ts';
import { removeDatabase } from './files.ts';
import type Database from './sqlite.ts';

/** What a job reads in one piece, or in slices between which others may work: it yields there. */
export type Sliced<T> = Generator<undefined, T>;

/** Duration of a step of counting, in ms: in the server, in a tool. */
const SERVER_STEP = 2.5;
const TOOL_STEP = 1000;

/** How long the server waits before it counts what nobody reads, in ms. */
const BACKGROUND_WAIT = 1000;

/** How long a read waits for counting, in ms. */
const TIMEOUT = 5000;

/** Attempts while another program holds the lock, and the pause between them, in ms. */
const LOCK_RETRIES = 10;
const LOCK_RETRY_PAUSE = 20;

/** The counts are not complete, or no longer proven. */
class NotCounted extends StoreUnavailable {
  override readonly message = 'counted.db is being made anew';
}

/** Opens the counts when they are first used, and again if their file is replaced. */
function openedCounts<R>(
  store: string,
  busyTimeout: number,
  makeReaders: (db: Database.Database) => R,
) {
  const file = countsFile(store);
  let opened: ReturnType<typeof open> | undefined;

  function open() {
    const db = connectToCounts(store, busyTimeout);
    const counter = closeIfThrown(db, () => logCounter(db));
    /** Runs a job in a read transaction, unless the counts were made anew. @throws {NotCounted} */
    const read = <T>(job: () => T, madeBefore?: number): [result: T, made: number] =>
      db.transaction((): [T, number] => {
        const made = counter.making();
        if (made === undefined || made !== (madeBefore ?? made)) throw new NotCounted();
        return [job(), made];
      })();
    return { db, counter, read, readers: makeReaders(db), inode: inodeOf(file) };
  }

  return {
    get() {
      if (opened?.inode !== inodeOf(file)) opened = undefined;
      opened ??= open();
      return opened;
    },
    /** Removes counted.db if the error came from damage to it. @returns whether it did */
    removeIfDamaged(error: unknown): boolean {
      if (!opened || !isDamaged(error)) return false;
      try {
        if (opened.db.pragma('main.quick_check(1)', { simple: true }) === 'ok') return false;
      } catch {
        // Too damaged for a check.
      }
      console.error(`${file} is damaged; counting from the beginning`);
      if (opened.inode === inodeOf(file)) removeDatabase(file);
      opened = undefined;
      return true;
    },
    close: () => void opened?.db.close(),
  };
}

function closeIfThrown<T>(db: Database.Database, use: () => T): T {
  try {
    return use();
  } catch (error) {
    db.close();
    throw error;
  }
}

const inodeOf = (file: string): number | undefined =>
  fs.statSync(file, { throwIfNoEntry: false })?.ino;

/** Reads for the server: the event loop waits for no lock, and for no long count. */
export function serverReads<R>(store: string, makeReaders: (db: Database.Database) => R) {
  const counts = openedCounts(store, 2, makeReaders);
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
      counts.get().counter.step(SERVER_STEP);
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
    /** Begins a read transaction on a connection of its own. Until its end, the WALs only grow. */
    beginRead: () =>
      whenCounted(() => {
        const own = openedCounts(store, 2, makeReaders);
        const { db, counter, readers } = own.get();
        db.exec('begin');
        if (counter.making() !== undefined) return { ...readers, close: own.close };
        own.close();
        throw new NotCounted();
      }),
    /** Counts what nobody reads. */
    countSoon(): void {
      timer ??= setTimeout(inBackground, BACKGROUND_WAIT);
    },
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      await stepping;
      counts.close();
    },
  };
}

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
        counter.step(TOOL_STEP);
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

/** Runs a sliced job to its end. */
export function runToEnd<T>(slices: Sliced<T>): T {
  for (;;) {
    const { done, value } = slices.next();
    if (done) return value;
  }
}
