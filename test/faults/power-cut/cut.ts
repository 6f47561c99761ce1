/**
 * Cuts the power of a recording, and reports what is lost.
 *
 * A sync makes durable what was done to that one file or folder by calls that had returned before
 * it began. All else may be there or not, whatever came first: as strict as ALICE (Pillai et al.,
 * OSDI 2014). File systems promise more: ext4 and XFS keep the order of names, and with the bytes
 * of a new file they sync its name.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { filesWith } from '../../support/store-bytes.ts';
import { contentOf, type Entry, replay, type Span } from './disk.ts';
import { compare, examine, storeIn } from './examine.ts';
import type { Recording, Step } from './recording.ts';
import type { Call } from './trace.ts';

/** What a cut keeps of the changes that were not synced. A kill keeps all: the kernel has them. */
const KEEPS = {
  nothing: () => false,
  all: () => true,
  'some by chance': (random: () => number) => random() < 0.5,
  'the last change': (_: unknown, { began, returned }: Span, at: number) =>
    at === began + 1 || at === returned + 1,
} satisfies Record<string, (random: () => number, change: Span, at: number) => boolean>;

/** A moment, in ns: of what began then or later, nothing is on the disk. */
export type Cut = { readonly at: number; readonly keeps: keyof typeof KEEPS };

/** Writes what a cut leaves of an entry. */
function write(entry: Entry, cut: Cut, random: () => number, file: string): void {
  const { at, keeps } = cut;
  const syncs = entry.syncs.filter(({ returned }) => returned <= at);
  const synced = Math.max(Number.NEGATIVE_INFINITY, ...syncs.map(({ began }) => began));
  const kept = entry.changes.filter(
    (change) => change.began < at && (change.returned < synced || KEEPS[keeps](random, change, at)),
  );
  const content = contentOf(entry, kept);
  if (Buffer.isBuffer(content)) {
    fs.writeFileSync(file, content, { mode: 0o600 });
    return;
  }
  fs.mkdirSync(file, { recursive: true, mode: 0o700 });
  for (const [name, each] of content) if (each) write(each, cut, random, path.join(file, name));
}

/** The traces of a recording. */
export const tracesOf = (steps: readonly Step[]) => [...new Set(steps.map(({ trace }) => trace))];

/**
 * @param alter changes what each program did, before it is replayed
 * @param again what an operator does next; it may throw too
 * @returns what was lost, of each cut that lost something
 */
export async function lossesOf(
  { root, before, known, steps }: Recording,
  cuts: readonly Cut[],
  random: () => number,
  alter: (calls: readonly Call[]) => readonly Call[] = (calls) => calls,
  again?: (store: string) => Promise<unknown>,
): Promise<readonly string[]> {
  const disk = replay(before, root, tracesOf(steps).map(alter));

  async function lossesAt(cut: Cut): Promise<readonly string[]> {
    const left = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-cut-'));
    try {
      write(disk, cut, random, left);
      for (const { erased, done } of steps) {
        const files = erased && done <= cut.at ? filesWith(storeIn(left), erased) : [];
        if (files.length > 0) return [`${erased} is in ${files}`];
      }
      const losses = compare(await examine(left), known, steps, cut.at);
      await again?.(storeIn(left));
      return losses;
    } catch (error) {
      return [`${error}`];
    } finally {
      fs.rmSync(left, { recursive: true });
    }
  }

  const losses: string[] = [];
  for (const cut of cuts) {
    const lost = await lossesAt(cut);
    const last = steps.findLast(({ done }) => done <= cut.at)?.what ?? 'nothing';
    if (lost.length > 0)
      losses.push(`${cut.keeps} kept after ${last}: ${lost.slice(0, 3)}`.replace(/\s+/g, ' '));
  }
  return losses;
}
