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
import { type Entry, type File, type Folder, replay, type Span, setNames } from './disk.ts';
import { type Contents, compare, examine, storeIn } from './examine.ts';
import type { Recording } from './recording.ts';
import { type Call, inTrace } from './trace.ts';

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

/** Writes what a cut leaves into a folder. */
function write(disk: Folder, { at, keeps }: Cut, random: () => number, into: string): void {
  /** The changes of an entry that are on the disk. */
  function survivors<T extends Span>(entry: Entry, changes: readonly T[]): readonly T[] {
    const syncs = entry.syncs.filter(({ returned }) => returned <= at);
    const synced = Math.max(Number.NEGATIVE_INFINITY, ...syncs.map(({ began }) => began));
    return changes.filter(
      (change) =>
        change.began < at && (change.returned < synced || KEEPS[keeps](random, change, at)),
    );
  }

  function contents(file: File): Buffer {
    let bytes = file.before;
    for (const change of survivors(file, file.changes)) {
      const size = 'size' in change ? change.size : change.at + change.bytes.length;
      const grown = Buffer.alloc('size' in change ? size : Math.max(size, bytes.length));
      bytes.copy(grown);
      if ('bytes' in change) change.bytes.copy(grown, change.at);
      bytes = grown;
    }
    return bytes;
  }

  const entries = new Map(disk.before);
  for (const { names } of survivors(disk, disk.changes)) setNames(entries, names);
  fs.mkdirSync(into, { recursive: true, mode: 0o700 });
  for (const [name, entry] of entries) {
    const file = path.join(into, name);
    if (entry.kind === 'folder') write(entry, { at, keeps }, random, file);
    else fs.writeFileSync(file, contents(entry), { mode: 0o600 });
  }
}

/** The moments at which something changes on the disk, and right after. */
export function momentsOf(
  root: string,
  trace: readonly Call[],
  names = /^(?!(read|mmap|fcntl|lseek|open|openat)$)/,
): readonly number[] {
  const data = inTrace(path.join(root, 'data'));
  return trace
    .filter(({ name, args }) => names.test(name) && args.includes(data))
    .flatMap(({ began, returned }) => [began + 1, returned + 1])
    .filter(Number.isFinite);
}

/**
 * @param alter changes what each program did, before it is replayed
 * @param again what an operator does next; it may throw too
 * @returns what was lost, of each cut that lost something
 */
export async function lossesOf(
  { root, before, steps }: Recording,
  cuts: readonly Cut[],
  random: () => number,
  alter: (calls: readonly Call[]) => readonly Call[] = (calls) => calls,
  again?: (store: string) => Promise<unknown>,
): Promise<readonly string[]> {
  const traces = new Set(steps.map(({ trace }) => trace));
  const disk = replay(before, root, [...traces].map(alter));
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-cut-'));
  const left = path.join(folder, 'disk');

  async function attempt<T>(cut: Cut, look: () => Promise<T>): Promise<T> {
    write(disk, cut, random, left);
    return look().finally(() => fs.rmSync(left, { recursive: true }));
  }

  async function lossesAt(at: number, known: Contents): Promise<readonly string[]> {
    for (const { erased, done } of steps) {
      const files = erased !== undefined && done <= at ? filesWith(storeIn(left), erased) : [];
      if (files.length > 0) return [`${erased} is in ${files}`];
    }
    const losses = compare(await examine(left), known, steps, at);
    await again?.(storeIn(left));
    return losses;
  }

  try {
    const known = await attempt({ at: 0, keeps: 'nothing' }, () => examine(left));
    const losses: string[] = [];
    for (const cut of cuts) {
      const lost = await attempt(cut, () => lossesAt(cut.at, known).catch((error) => [`${error}`]));
      const last = steps.findLast(({ done }) => done <= cut.at)?.what ?? 'nothing';
      if (lost.length > 0)
        losses.push(`${cut.keeps} kept after ${last}: ${lost.slice(0, 3)}`.replace(/\s+/g, ' '));
    }
    return losses;
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}
