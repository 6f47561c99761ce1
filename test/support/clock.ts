/** Clocks of tests. */
import type { TestContext } from 'node:test';

/** Stops timers and the monotonic clock. @returns a function that lets so many ms pass */
export function holdClock(t: TestContext): (ms: number) => void {
  const begun = Math.ceil(performance.now());
  let passed = 0;
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  t.mock.method(performance, 'now', () => begun + passed);
  return (ms) => {
    passed += ms;
    t.mock.timers.tick(ms);
  };
}

/** The environment of a server that runs a script before itself. */
export const preload = (script: string): Readonly<Record<string, string>> => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}`,
});

/** The environment of a server whose clock stands still. @param now epoch ms */
export const stoppedClock = (now: number) => preload(`Date.now = () => ${now};`);

/** The environment of a server that does each 20 ms what it would do each minute. */
export const SHORT_MINUTES = preload(
  'const real = setInterval; setInterval = (job, ms) => real(job, ms === 60_000 ? 20 : ms);',
);
