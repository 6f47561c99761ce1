/**
 * What a power cut leaves of a disk.
 *
 * A sync makes durable what was done to that one file or folder by calls that had returned before
 * it began. All else may be there or not, whatever came first: as strict as ALICE (Pillai et al.,
 * OSDI 2014). File systems promise more: ext4 and XFS keep the order of names, and with the bytes
 * of a new file they sync its name.
 */
import fs from 'node:fs';
import path from 'node:path';
import type { Change, Entry, File, Folder } from './disk.ts';
import { setNames } from './disk.ts';

/** Tells whether a change that was not synced is kept. */
type Policy = (random: () => number, at: number) => (change: Change) => boolean;

/** Ways in which disks lose data. */
export const POLICIES = {
  'all lost': () => () => false,
  'all kept': () => () => true,
  'each by chance': (random) => () => random() < 0.5,
  // Nothing else that was not synced.
  'the last change alone kept':
    (_, at) =>
    ({ began, returned }) =>
      at === began + 1 || at === returned + 1,
} satisfies Record<string, Policy>;

export const pick = <T>(random: () => number, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)] as T;

/**
 * Writes what a power cut leaves into a folder.
 *
 * @param at the moment, in ns: of what began then or later, nothing is on the disk
 */
export function cutPower(
  disk: Folder,
  at: number,
  policy: Policy,
  random: () => number,
  into: string,
): void {
  const isKept = policy(random, at);

  /** The changes of an entry that are on the disk. */
  function survivors<T extends Change>(entry: Entry, changes: readonly T[]): readonly T[] {
    const syncs = entry.syncs.filter(({ returned }) => returned <= at);
    const synced = Math.max(Number.NEGATIVE_INFINITY, ...syncs.map(({ began }) => began));
    return changes.filter(
      (change) => change.began < at && (change.returned < synced || isKept(change)),
    );
  }

  function writeFolder(folder: Folder, place: string): void {
    const entries = new Map(folder.before);
    for (const { names } of survivors(folder, folder.changes)) setNames(entries, names);
    fs.mkdirSync(place, { recursive: true, mode: 0o700 });
    for (const [name, entry] of entries) {
      const file = path.join(place, name);
      if (entry.kind === 'folder') writeFolder(entry, file);
      else fs.writeFileSync(file, contents(entry), { mode: 0o600 });
    }
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

  writeFolder(disk, into);
}
