/** A limit for each wait of a test, so that what hangs fails by its name. */
import fs from 'node:fs';
import path from 'node:path';

/** How long a test waits, in ms. On a busy machine, too, only what hangs takes longer. */
export const LIMIT = 30_000;

// The real ones, also while a test holds the clock.
const { setTimeout, clearTimeout } = globalThis;
const now = performance.now.bind(performance);

/** Where the tests note for scripts/suites.mjs which of them hang. Set for each suite. */
export const NOTES = process.env.GUESTLIST_TEST_NOTES;

/** The test that this process runs, with its file. */
let runningTest = '';

/** Notes which test this process runs now. If the process is killed, the note names the test. */
export function noteRunningTest(folder: string, test: string): void {
  runningTest = test;
  fs.writeFileSync(noteFile(folder), test);
}

/** Deletes the note at the end of the file. */
export const deleteNote = (folder: string): void => fs.rmSync(noteFile(folder), { force: true });

const noteFile = (folder: string): string => path.join(folder, `test-${process.pid}`);

/**
 * Waits for a promise.
 *
 * @param what the test waits for, for the message: `GET / to be answered`
 * @param limit ms
 * @throws after the limit
 */
export async function within<T>(what: string, promise: Promise<T>, limit = LIMIT): Promise<T> {
  const test = runningTest;
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(hung(what, limit, test)), limit);
  });
  try {
    return await Promise.race([promise, expired]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Asks again until a condition holds.
 *
 * @param what the test waits for, for the message
 * @throws after the limit
 */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
): Promise<void> {
  const end = now() + LIMIT;
  while (!(await condition())) {
    if (now() > end) throw hung(what, LIMIT);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Notes that a test hangs. @returns the error to throw */
export function hung(what: string, limit: number, test = runningTest): Error {
  const message = `waited ${limit / 1000} s for ${what}`;
  if (NOTES) fs.appendFileSync(path.join(NOTES, 'hung'), `${test}: ${message}\n`);
  return new Error(message);
}
