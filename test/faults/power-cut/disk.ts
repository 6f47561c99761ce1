/** A disk: its files and folders, and all that programs did to them, from their system calls. */
import fs from 'node:fs';
import path from 'node:path';
import { type Call, inTrace, pathsIn, pathsOf, stringsOf } from './trace.ts';

/** When a call began and returned, in ns. */
export type Span = { readonly began: number; readonly returned: number };

export type Write = Span & { readonly at: number; readonly bytes: Buffer };
export type Resize = Span & { readonly size: number };
/** Names that are given or taken at once. */
export type Naming = Span & { readonly names: readonly (readonly [string, Entry | undefined])[] };
export type Change = Write | Resize | Naming;

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
  const names = fs.readdirSync(folder).filter(counts);
  return newFolder(
    new Map(
      names.map((name) => {
        const file = path.join(folder, name);
        const isFolder = fs.statSync(file).isDirectory();
        return [name, isFolder ? readFolder(file) : newFile(fs.readFileSync(file))];
      }),
    ),
  );
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

/** Calls that matter where they concern the disk, and then change nothing on it. */
const SILENT =
  /^(read|lseek|fcntl|mmap|clone3?|io_uring.*|exit.*|ioctl|chdir|arch_.*|set_.*|sysinfo|uname|socket|bind|listen|accept4|setpriority)$/;

/** Flags and calls that the model lacks, on a file of the disk. */
const UNKNOWN = /O_TMPFILE|RENAME_EXCHANGE|F_DUPFD|F_SETFL,|PROT_WRITE.*MAP_SHARED/;

/** A function that applies the calls of one program. It refuses what it does not know of the disk. */
function applier(disk: Folder, root: string): (call: Call) => void {
  const opened = new Map<number, { readonly entry: Entry; position: number }>();
  const prefix = inTrace(root);
  const reported = new Set<string>();

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
    if (concerns && UNKNOWN.test(args)) throw new Error(`not modelled: ${name}(${args})`);
    const file = target.startsWith(prefix) ? opened.get(descriptor) : undefined;
    const give = (at: ReturnType<typeof find>, entry: Entry | undefined) => {
      if (at.parent) rename(at.parent, span, [[at.name, entry]]);
    };
    const change = (made: { size: number } | { at: number; bytes: Buffer }) => {
      if (file?.entry.kind === 'file') file.entry.changes.push({ ...span, ...made });
    };
    const bytes = () => Buffer.concat(stringsOf(call)).subarray(0, result);

    switch (name.replace(/(at2?)$/, '')) {
      case 'open': {
        opened.delete(result);
        const at = find(pathsOf(call)[0]);
        const entry = at.entry ?? (args.includes('O_CREAT') && at.parent ? newFile() : undefined);
        if (!entry) return;
        if (!at.entry) give(at, entry);
        else if (args.includes('O_TRUNC') && entry.kind === 'file')
          entry.changes.push({ ...span, size: 0 });
        opened.set(result, { entry, position: 0 });
        return;
      }
      case 'pwrite64':
        if (file) change({ at: lastNumber(call), bytes: bytes() });
        return;
      case 'ftruncate':
        return change({ size: lastNumber(call) });
      case 'fsync':
      case 'fdatasync':
        file?.entry.syncs.push(span);
        return;
      case 'mkdir':
        return give(find(pathsOf(call)[0]), newFolder());
      case 'unlink':
      case 'rmdir':
        return give(find(pathsOf(call)[0]), undefined);
      case 'rename': {
        const [from, to] = pathsOf(call).map(find);
        if (!from?.entry || !from.parent || from.parent !== to?.parent) break;
        return rename(from.parent, span, [
          [from.name, undefined],
          [to.name, from.entry],
        ]);
      }
      case 'write':
      case 'writev':
        if (!file) return;
        change({ at: file.position, bytes: bytes() });
        file.position += result;
        return;
    }
    if (SILENT.test(name)) return;
    if (concerns) throw new Error(`not modelled: ${name}(${args.slice(0, 2000)})`);
    if (!reported.has(name)) console.log(`not modelled, and not of the disk: ${name}`);
    reported.add(name);
  };
}

function enter(folder: Folder, name: string): Folder {
  const entry = folder.entries.get(name);
  if (entry?.kind !== 'folder') throw new Error(`there is no folder ${name}`);
  return entry;
}

function rename(folder: Folder, span: Span, names: Naming['names']): void {
  folder.changes.push({ ...span, names });
  setNames(folder.entries, names);
}

/** Gives and takes names. */
export function setNames(entries: Map<string, Entry>, names: Naming['names']): void {
  for (const [name, entry] of names) {
    if (entry) entries.set(name, entry);
    else entries.delete(name);
  }
}

const lastNumber = ({ args }: Call): number => Number(/(\d+)$/.exec(args)?.[1]);
