/** A disk that takes as long to sync as a test wants, under a store in the test's own process. */
import fs from 'node:fs';
import type { TestContext } from 'node:test';

/** Holds the next sync back, and any other meanwhile. @returns lets them go, and takes no more */
export function holdSync(t: TestContext): () => void {
  const held: (() => void)[] = [];
  const { fdatasync } = fs;
  const { mock } = t.mock.method(fs, 'fdatasync', (...args: Parameters<typeof fdatasync>) => {
    held.push(() => fdatasync(...args));
  });
  return () => {
    mock.restore();
    for (const sync of held) sync();
  };
}
