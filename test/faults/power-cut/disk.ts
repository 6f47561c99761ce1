/** A disk: its files and folders, and all that programs did to them, from their system calls. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { bytesOf, type Call, pathsIn, pathsOf } from './trace.ts';

/** When a call began and returned, in ns. */
export type Span = Pick<Call, 'began' | 'returned'>;

/** The bytes of a file, or the entries of a folder. A removed name has none. */
type Content = Buffer | ReadonlyMap<string, Entry | undefined>;
type Change = Span & { readonly apply: (content: Content) => Content };

export type Entry = {
  /** What it held before; all of that is durable. */
  readonly before: Content;
  readonly changes: Change[];
  readonly syncs: Span[];
};

const newEntry = (before: Content): Entry => ({ before, changes: [], syncs: [] });

/** What an entry holds after changes. */
export const contentOf = ({ before, changes }: Entry, kept: readonly Change[] = changes) =>
  kept.reduce((content, { apply }) => apply(content), before);

/** @param size of the file afterwards; by default it only grows */
const put = (bytes: Buffer, at: number, size?: number) => (content: Content) => {
  assert.ok(Buffer.isBuffer(content), 'it is a file');
  const changed = Buffer.alloc(size ?? Math.max(content.length, at + bytes.length));
  content.copy(changed);
  bytes.copy(changed, at);
  return changed;
};

function namesIn(content: Content) {
  assert.ok(!Buffer.isBuffer(content), 'it is a folder');
  return content;
}

/** Gives names to entries, or takes them away. */
const rename =
  (...names: readonly (readonly [string, Entry | undefined])[]) =>
  (content: Content) =>
    new Map([...namesIn(content), ...names]);

/** SQLite does not read the `-shm` of before a start of the machine. */
const counts = (name: string): boolean => !name.endsWith('-shm');

function readEntry(file: string): Entry {
  if (!fs.statSync(file).isDirectory()) return newEntry(fs.readFileSync(file));
  const names = fs.readdirSync(file).filter(counts);
  return newEntry(new Map(names.map((name) => [name, readEntry(path.join(file, name))])));
}

/**
 * The disk with all that programs did to it.
 *
 * @param before a folder that holds `data/` as it was, or nothing
 * @param traces the calls of each program
 */
export function replay(before: string, root: string, traces: readonly (readonly Call[])[]): Entry {
  const disk = readEntry(before);
  const calls = traces.flatMap((trace) => {
    const apply = applier(disk, root);
    return trace.map((call) => ({ call, apply }));
  });
  calls.sort((one, other) => one.call.began - other.call.began);
  for (const { call, apply } of calls) apply(call);
  return disk;
}

/** Calls that change nothing, also where they concern the disk; and those that `apply` has. */
const READS = /^(read|lseek|fcntl|mmap)$/;
const CHANGES = /^(open|p?writev?(64)?$|ftruncate|f(data)?sync|mkdir|unlink|rmdir|rename)/;

/** Flags and calls that the model lacks, on a file of the disk. */
const UNKNOWN = /O_TMPFILE|RENAME_EXCHANGE|F_DUPFD|F_SETFL,|PROT_WRITE.*MAP_SHARED/;

const NOTHING = Buffer.alloc(0);

const reported = new Set<string>();

/** A function that applies the calls of one program. It refuses what it does not know of the disk. */
function applier(disk: Entry, root: string): (call: Call) => void {
  const opened = new Map<number, { readonly entry: Entry; position: number }>();

  const isOnDisk = (file: string): boolean => {
    const relative = path.relative(root, file);
    return relative === '' || (/^data(\/|$)/.test(relative) && counts(relative));
  };

  /** @returns the entry of a path, and where it is named; nothing where it does not count */
  function find(file: string) {
    if (!isOnDisk(file)) return undefined;
    let [parent, entry]: [Entry, Entry | undefined] = [disk, disk];
    const names = path.relative(root, file).split('/').filter(Boolean);
    for (const each of names) {
      assert.ok(entry, `the folder of ${file} is there`);
      parent = entry;
      entry = namesIn(contentOf(parent)).get(each);
    }
    return { parent, called: names.at(-1) ?? '', entry };
  }

  /** @returns whether the model has the call, which concerns the disk */
  function apply(call: Call): boolean {
    const { name, descriptor, target, args, result, began, returned } = call;
    const change = (entry: Entry | undefined, apply: Change['apply']) =>
      entry !== undefined && entry.changes.push({ began, returned, apply }) > 0;
    const lastNumber = () => Number(/(\d+)$/.exec(args)?.[1]);
    // The descriptor may be that of a socket by now.
    const file = isOnDisk(target) ? opened.get(descriptor) : undefined;
    const [place, to] = file ? [] : pathsOf(call).map(find);
    const give = (entry: Entry | undefined) =>
      change(place?.parent, rename([place?.called ?? '', entry]));

    switch (name.replace(/(at2?)$/, '')) {
      case 'open': {
        if (!place || !(place.entry || args.includes('O_CREAT'))) return false;
        const entry = place.entry ?? newEntry(NOTHING);
        opened.set(result, { entry, position: 0 });
        if (!place.entry) return give(entry);
        return !args.includes('O_TRUNC') || change(entry, put(NOTHING, 0, 0));
      }
      case 'pwrite64':
        return change(file?.entry, put(bytesOf(call), lastNumber()));
      case 'write':
      case 'writev': {
        const at = file?.position ?? 0;
        if (file) file.position += result;
        return change(file?.entry, put(bytesOf(call), at));
      }
      case 'ftruncate':
        return change(file?.entry, put(NOTHING, 0, lastNumber()));
      case 'fsync':
      case 'fdatasync':
        return file !== undefined && file.entry.syncs.push({ began, returned }) > 0;
      case 'mkdir':
        return give(newEntry(new Map()));
      case 'unlink':
      case 'rmdir':
        return give(undefined);
      case 'rename':
        if (!place?.entry || place.parent !== to?.parent) return false;
        return change(place.parent, rename([place.called, undefined], [to.called, place.entry]));
      default:
        return READS.test(name);
    }
  }

  return (call) => {
    const { name, target, args, result } = call;
    if (!(result >= 0)) return;
    if (name.startsWith('open')) opened.delete(result);
    // What a program prints can look like a path.
    if ((name.includes('write') ? [target] : pathsIn(call)).some(isOnDisk)) {
      if (UNKNOWN.test(args) || !apply(call))
        throw new Error(`not modelled: ${name}(${args.slice(0, 2000)})`);
    } else if (!READS.test(name) && !CHANGES.test(name) && !reported.has(name)) {
      console.log(`not modelled, and not of the store: ${name}`);
      reported.add(name);
    }
  };
}
