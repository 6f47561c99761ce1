/** A disk: its files and folders, and all that programs did to them, from their system calls. */
import fs from 'node:fs';
import path from 'node:path';
import { bytesOf, type Call, inTrace, pathsIn, pathsOf } from './trace.ts';

/** When a call began and returned, in ns. */
export type Span = { readonly began: number; readonly returned: number };

type Write = Span & { readonly at: number; readonly bytes: Buffer };
type Resize = Span & { readonly size: number };
/** Names that are given or taken at once. */
type Naming = Span & { readonly names: readonly (readonly [string, Entry | undefined])[] };

export type File = {
  readonly kind: 'file';
  /** What it held before; all of that is durable. */
  readonly before: Buffer;
  readonly changes: (Write | Resize)[];
  readonly syncs: Span[];
};
export type Folder = {
  readonly kind: 'folder';
  readonly before: ReadonlyMap<string, Entry>;
  readonly changes: Naming[];
  readonly syncs: Span[];
  /** What it holds after all changes. */
  readonly entries: Map<string, Entry>;
};
export type Entry = File | Folder;

const newFile = (before = Buffer.alloc(0)): File => ({
  kind: 'file',
  before,
  changes: [],
  syncs: [],
});
const newFolder = (before: ReadonlyMap<string, Entry> = new Map()): Folder => ({
  kind: 'folder',
  before,
  changes: [],
  syncs: [],
  entries: new Map(before),
});

/** SQLite does not read the `-shm` of before a start of the machine. */
const counts = (name: string): boolean => !name.endsWith('-shm');

function readFolder(folder: string): Folder {
  const entries = fs.readdirSync(folder, { withFileTypes: true });
  const read = (name: string, isFolder: boolean) => {
    const file = path.join(folder, name);
    return isFolder ? readFolder(file) : newFile(fs.readFileSync(file));
  };
  const counted = entries.filter(({ name }) => counts(name));
  return newFolder(new Map(counted.map((e) => [e.name, read(e.name, e.isDirectory())])));
}

/**
 * The disk with all that programs did to it.
 *
 * @param before a copy of `data/`
 * @param traces the calls of each program
 */
export function replay(before: string, root: string, traces: readonly (readonly Call[])[]): Folder {
  const disk = newFolder(new Map(fs.existsSync(before) ? [['data', readFolder(before)]] : []));
  const calls = traces.flatMap((trace) => {
    const apply = applier(disk, root);
    return trace.map((call) => ({ call, apply }));
  });
  calls.sort((one, other) => one.call.began - other.call.began);
  for (const { call, apply } of calls) apply(call);
  return disk;
}

/** Calls that change nothing, also where they concern the disk. */
const READS = /^(read|lseek|fcntl|mmap)$/;

/** Flags and calls that the model lacks, on a file of the disk. */
const UNKNOWN = /O_TMPFILE|RENAME_EXCHANGE|F_DUPFD|F_SETFL,|PROT_WRITE.*MAP_SHARED/;

const reported = new Set<string>();

/** A function that applies the calls of one program. It refuses what it does not know of the disk. */
function applier(disk: Folder, root: string): (call: Call) => void {
  const opened = new Map<number, { readonly entry: Entry; position: number }>();
  const prefix = inTrace(root);

  const isOnDisk = (file: string): boolean => {
    const relative = path.relative(root, file);
    return relative === '' || (/^data(\/|$)/.test(relative) && counts(relative));
  };

  /** @returns the entry of a path, and where it is named; nothing where it does not count */
  function find(file = '') {
    if (!isOnDisk(file)) return {};
    const names = path.relative(root, file).split('/');
    const name = names.pop() ?? '';
    if (name === '') return { entry: disk };
    const parent = names.reduce(enter, disk);
    return { entry: parent.entries.get(name), parent, name };
  }

  return (call) => {
    if (!(call.result >= 0)) return;
    const { name, descriptor, target, args, result, began, returned } = call;
    const span = { began, returned };
    const concerns = args.includes(prefix) && pathsIn(call).some(isOnDisk);
    const unknown = `not modelled: ${name}(${args.slice(0, 2000)})`;
    if (concerns && UNKNOWN.test(args)) throw new Error(unknown);
    const file = target.startsWith(prefix) ? opened.get(descriptor) : undefined;
    const at = () => find(pathsOf(call)[0]);
    const give = ({ parent, name }: ReturnType<typeof find>, entry: Entry | undefined) => {
      if (parent) change(parent, { ...span, names: [[name, entry]] });
    };
    const write = (made: { size: number } | { at: number; bytes: Buffer }) => {
      if (file?.entry.kind === 'file') file.entry.changes.push({ ...span, ...made });
    };
    const lastNumber = () => Number(/(\d+)$/.exec(args)?.[1]);

    switch (name.replace(/(at2?)$/, '')) {
      case 'open': {
        opened.delete(result);
        const place = at();
        const isNew = !place.entry && place.parent && args.includes('O_CREAT');
        const entry = isNew ? newFile() : place.entry;
        if (!entry) return;
        if (isNew) give(place, entry);
        else if (args.includes('O_TRUNC') && entry.kind === 'file')
          entry.changes.push({ ...span, size: 0 });
        opened.set(result, { entry, position: 0 });
        return;
      }
      case 'pwrite64':
        return file && write({ at: lastNumber(), bytes: bytesOf(call) });
      case 'write':
      case 'writev':
        if (!file) return;
        write({ at: file.position, bytes: bytesOf(call) });
        file.position += result;
        return;
      case 'ftruncate':
        return write({ size: lastNumber() });
      case 'fsync':
      case 'fdatasync':
        file?.entry.syncs.push(span);
        return;
      case 'mkdir':
        return give(at(), newFolder());
      case 'unlink':
      case 'rmdir':
        return give(at(), undefined);
      case 'rename': {
        const [from, to] = pathsOf(call).map(find);
        if (!from?.entry || !from.parent || from.parent !== to?.parent) break;
        const names = [[from.name, undefined] as const, [to.name, from.entry] as const];
        return change(from.parent, { ...span, names });
      }
    }
    if (READS.test(name)) return;
    if (concerns) throw new Error(unknown);
    if (!reported.has(name)) console.log(`not modelled, and not of the store: ${name}`);
    reported.add(name);
  };
}

function enter(folder: Folder, name: string): Folder {
  const entry = folder.entries.get(name);
  if (entry?.kind !== 'folder') throw new Error(`there is no folder ${name}`);
  return entry;
}

function change(folder: Folder, naming: Naming): void {
  folder.changes.push(naming);
  setNames(folder.entries, naming.names);
}

/** Gives and takes names. */
export function setNames(entries: Map<string, Entry>, names: Naming['names']): void {
  for (const [name, entry] of names) {
    if (entry) entries.set(name, entry);
    else entries.delete(name);
  }
}
