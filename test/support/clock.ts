/** The day of tests that count days, and a clock that a test holds. */
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

const DAY = 86_400_000;

/** Longer than a file of tests takes on a slow machine, in ms. */
const MARGIN = 10 * 60_000;

/** Waits until the next day in UTC, and says so, if this one may end during the tests. */
export async function awayFromMidnight(): Promise<void> {
  const left = DAY - (Date.now() % DAY);
  if (left >= MARGIN) return;
  console.log(`waits ${Math.ceil(left / 60_000)} min for the next day in UTC`);
  await sleep(left);
}

/** Holds timers and the monotonic clock. @returns lets so many ms pass */
export function holdClock(t: TestContext): (ms: number) => void {
  const begun = Math.ceil(performance.now());
  let passed = 0;
  t.mock.timers.enable({ apis: ['setTimeout'] });
  t.mock.method(performance, 'now', () => begun + passed);
  return (ms) => {
    passed += ms;
    t.mock.timers.tick(ms);
  };
}

/** A queue whose writer is its connection. */
