/** Clocks of tests. */
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

/** The environment of a server whose clock stands still. @param now epoch ms */
export const stoppedClock = (now: number): Readonly<Record<string, string>> => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`Date.now = () => ${now};`)}`,
});
