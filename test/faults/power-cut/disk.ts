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

const newFile = (before: Buffer = Buffer.alloc(0)): File => ({
  kind: 'file',
  before,
  changes: [],
  syncs: [],
});

export const newFolder = (before: ReadonlyMap<string, Entry> = new Map()): Folder => ({
  kind: 'folder',
  before,
  changes: [],
  syncs: [],
  entries: new Map(before),
});

/** SQLite does not read the `-shm` of before a start of the machine. */
const counts = (name: string): boolean => !name.endsWith('-shm');

function readFolder(folder: string): Folder {
  const entries = fs.existsSync(folder) ? fs.readdirSync(folder, { withFileTypes: true }) : [];
  return newFolder(
    new Map(
      entries
        .filter(({ name }) => counts(name))
        .map((entry) => {
          const file = path.join(folder, entry.name);
          return [
            entry.name,
            entry.isDirectory() ? readFolder(file) : newFile(fs.readFileSync(file)),
          ];
        }),
    ),
  );
}

/** What an installation has on disk: `data/`, and nothing else that counts. */
export function readDisk(root: string): Folder {
  const data = path.join(root, 'data');
  return newFolder(new Map(fs.existsSync(data) ? [['data', readFolder(data)]] : []));
}

/** The disk with all that programs did to it. @param traces the calls of each program */
export function replay(before: Folder, root: string, traces: readonly (readonly Call[])[]): Folder {
  const disk = copyFolder(before);
  const calls = traces.flatMap((trace) => {
    const apply = applier(disk, root);
    return trace.map((call) => ({ call, apply }));
  });
  calls.sort((one, other) => one.call.began - other.call.began);
  for (const { call, apply } of calls) apply(call);
  return disk;
}

const copyFolder = ({ before }: Folder): Folder =>
  newFolder(
    new Map(
      [...before].map(([name, entry]) => [
        name,
        entry.kind === 'folder' ? copyFolder(entry) : newFile(entry.before),
      ]),
    ),
  );

/** `fcntl` on a file: locks, and questions. */
const FCNTL = /, F_(?:(?:OFD_)?(?:SETLKW?|GETLK)|GETFD|SETFD|GETFL)\b/;

/** What changes the meaning of a call that is modelled. */
const UNKNOWN_FLAG = /\b(?:O_APPEND|O_TMPFILE|RENAME_EXCHANGE|RENAME_WHITEOUT)\b/;

/**
 * A function that applies the calls of one program. It refuses what it does not know, where that
 * concerns the disk: a call, a flag, or a descriptor that no `open` has given.
 */
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
    const refuse = (): never => {
      throw new Error(`not modelled: ${name}(${args.slice(0, 2000)})`);
    };
    const concerns = () => args.includes(prefix) && pathsIn(call).some(isOnDisk);

    /** The file behind the first argument. */
    const file = () => {
      const [first = ''] = target.startsWith(prefix) ? pathsIn(call) : [];
      return isOnDisk(first) ? (opened.get(descriptor) ?? refuse()) : undefined;
    };
    const give = (at: ReturnType<typeof find>, entry: Entry | undefined) => {
      if (at.parent) rename(at.parent, span, [[at.name, entry]]);
    };
    const write = (of: Entry | undefined, bytes: Buffer, at: number) => {
      if (of?.kind === 'file') of.changes.push({ ...span, at, bytes: bytes.subarray(0, result) });
    };

    switch (name.replace(/(at2?)$/, '')) {
      case 'open': {
        opened.delete(result);
        const at = find(pathsOf(call)[0]);
        if (!at.entry && !at.parent) return;
        if (UNKNOWN_FLAG.test(args)) refuse();
        if (!at.entry && args.includes('O_CREAT')) give(at, newFile());
        const entry = at.parent?.entries.get(at.name) ?? at.entry ?? refuse();
        if (entry.kind === 'file' && args.includes('O_TRUNC'))
          entry.changes.push({ ...span, size: 0 });
        opened.set(result, { entry, position: 0 });
        return;
      }
      case 'read':
      case 'write':
      case 'writev': {
        const at = file();
        if (!at) return;
        if (name !== 'read') write(at.entry, Buffer.concat(stringsOf(call)), at.position);
        at.position += result;
        return;
      }
      case 'pwrite64':
        return write(file()?.entry, stringsOf(call)[0] ?? Buffer.alloc(0), lastNumber(call));
      case 'ftruncate': {
        const entry = file()?.entry;
        if (entry?.kind === 'file') entry.changes.push({ ...span, size: lastNumber(call) });
        return;
      }
      case 'fsync':
      case 'fdatasync':
        file()?.entry.syncs.push(span);
        return;
      case 'mkdir':
        return give(find(pathsOf(call)[0]), newFolder());
      case 'unlink':
      case 'rmdir':
        return give(find(pathsOf(call)[0]), undefined);
      case 'link': {
        if (!concerns()) return;
        const [from, to] = pathsOf(call).map(find);
        return from?.entry && to?.parent ? give(to, from.entry) : refuse();
      }
      case 'rename': {
        if (!concerns()) return;
        const [from, to] = pathsOf(call).map(find);
        if (!from?.entry || !from.parent || from.parent !== to?.parent) return refuse();
        if (UNKNOWN_FLAG.test(args)) refuse();
        return rename(from.parent, span, [
          [from.name, undefined],
          [to.name, from.entry],
        ]);
      }
      case 'fcntl':
        if (concerns() && !FCNTL.test(args)) refuse();
        return;
      case 'mmap':
        if (concerns() && args.includes('MAP_SHARED')) refuse();
        return;
      // Each program of `calls` has one table of descriptors.
      case 'clone':
      case 'clone3':
        if (!args.includes('CLONE_FILES')) refuse();
        return;
      // What the system does for a program is not in its calls.
      case 'fork':
      case 'vfork':
      case 'io_setup':
        return refuse();
      // Without a thread of the kernel, Node only tells epoll by it what to wait for.
      case 'io_uring_setup':
        if (args.includes('IORING_SETUP_SQPOLL')) refuse();
        return;
      default:
        if (concerns()) refuse();
    }
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
