/**
 * What a power cut leaves of a disk.
 *
 * A sync makes durable what was done to that one file or folder by calls that had returned before
 * it began. All else may be there or not, whatever came first: as strict as ALICE (Pillai et al.,
 * OSDI 2014). File systems promise more: ext4 and XFS keep the order of names, and with the bytes
 * of a new file they sync its name. As in SQLite, a torn write harms only the bytes that it writes.
 */
import fs from 'node:fs';
import path from 'node:path';
import type { Change, Entry, File, Folder } from './disk.ts';
import { setNames } from './disk.ts';

/** What becomes of a change that was not synced. */
type Fate = 'lost' | 'kept' | 'torn';
const FATES = ['lost', 'kept', 'torn'] as const;

const SECTOR = 512;

/** Chooses the fate of each change. */
type Policy = (random: () => number, at: number) => (change: Change) => Fate;

/** Ways in which disks lose data. */
export const POLICIES = {
  'all lost': () => () => 'lost',
  'all kept': () => () => 'kept',
  'each by chance': (random) => () => pick(random, FATES),
  // Nothing else that was not synced.
  'the last change alone kept':
    (_, at) =>
    ({ began, returned }) =>
      at === began + 1 || at === returned + 1 ? 'kept' : 'lost',
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
  const fateOf = policy(random, at);

  /** The changes of an entry that are on the disk, whole or torn. */
  function* survivors<T extends Change>(entry: Entry, changes: readonly T[]): Generator<[T, Fate]> {
    let synced = Number.NEGATIVE_INFINITY;
    for (const { began, returned } of entry.syncs)
      if (returned <= at && began > synced) synced = began;
    for (const change of changes) {
      if (change.began >= at) break;
      const fate = change.returned < synced ? 'kept' : fateOf(change);
      if (fate !== 'lost') yield [change, fate];
    }
  }

  function writeFolder(folder: Folder, place: string): void {
    const entries = new Map(folder.before);
    for (const [{ names }, fate] of survivors(folder, folder.changes))
      if (fate === 'kept' || random() < 0.5) setNames(entries, names);
    fs.mkdirSync(place, { recursive: true, mode: 0o700 });
    for (const [name, entry] of entries) {
      const file = path.join(place, name);
      if (entry.kind === 'folder') writeFolder(entry, file);
      else writeFile(entry, file);
    }
  }

  function writeFile(file: File, place: string): void {
    fs.writeFileSync(place, contents(file), { mode: 0o600 });
  }

  function contents(file: File): Buffer {
    const most = file.changes.reduce(
      (size, change) => Math.max(size, 'size' in change ? change.size : end(change)),
      file.before.length,
    );
    const bytes = Buffer.alloc(most);
    file.before.copy(bytes);
    let size = file.before.length;
    for (const [change, fate] of survivors(file, file.changes)) {
      if ('size' in change) {
        bytes.fill(0, change.size);
        size = change.size;
      } else {
        if (fate === 'torn') tear(bytes, size, change);
        else change.bytes.copy(bytes, change.at);
        size = Math.max(size, end(change));
      }
    }
    return bytes.subarray(0, size);
  }

  /** Writes some sectors. Another sector of a file that has grown may hold anything. */
  function tear(
    bytes: Buffer,
    size: number,
    { at, bytes: written }: { at: number; bytes: Buffer },
  ) {
    for (let from = 0; from < written.length; ) {
      const to = Math.min(written.length, from + SECTOR - ((at + from) % SECTOR));
      const [isWritten, isGarbage] = [random() < 0.5, random() < 0.5];
      if (isWritten) written.copy(bytes, at + from, from, to);
      else if (isGarbage && at + from >= size) bytes.fill(random() * 256, at + from, at + to);
      from = to;
    }
  }

  writeFolder(disk, into);
}

const end = ({ at, bytes }: { readonly at: number; readonly bytes: Buffer }): number =>
  at + bytes.length;
