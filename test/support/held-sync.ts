/** A slow disk for a store in the process of the test. */
import fs from 'node:fs';
import type { TestContext } from 'node:test';

/** Holds back all syncs from now on. @returns lets them go, and holds no more */
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
