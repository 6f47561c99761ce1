/** A disk: its files and folders, and all that programs did to them, from their system calls. */
import fs from 'node:fs';
import path from 'node:path';
import { type Call, inTrace, stringsOf } from './trace.ts';

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

const SLASH = 47;

/** A function that applies the calls of one program. */
function applier(disk: Folder, root: string): (call: Call) => void {
  const opened = new Map<number, { readonly entry: Entry; position: number }>();

  /** @returns the entry of a path, and where it is named; nothing where it does not count */
  function find(file: Buffer | undefined) {
    if (file?.[0] !== SLASH) throw new Error(`the relative path ${file} is not modelled`);
    const relative = path.relative(root, String(file));
    if (relative === '') return { entry: disk };
    if (!/^data(\/|$)/.test(relative) || !counts(relative)) return {};
    const parent = relative.split('/').slice(0, -1).reduce(enter, disk);
    const name = path.basename(relative);
    return { entry: parent.entries.get(name), parent, name };
  }

  return (call) => {
    if (!(call.result >= 0)) return;
    const { name, descriptor, target, result, began, returned } = call;
    const span = { began, returned };
    // The number may be that of a socket by now.
    const file = target.startsWith(inTrace('/')) ? opened.get(descriptor) : undefined;

    const give = (at: ReturnType<typeof find>, entry: Entry | undefined) => {
      if (at.parent) rename(at.parent, span, [[at.name, entry]]);
    };
    const write = (bytes: Buffer, at: number) => {
      if (file?.entry.kind === 'file')
        file.entry.changes.push({ ...span, at, bytes: bytes.subarray(0, result) });
    };

    switch (name.replace(/(at2?)$/, '')) {
      case 'open': {
        opened.delete(result);
        const [file] = stringsOf(call);
        // Programs open other files by relative paths.
        const at = file?.[0] === SLASH ? find(file) : {};
        if (!at.entry && at.parent && call.args.includes('O_CREAT')) give(at, newFile());
        const entry = at.parent?.entries.get(at.name) ?? at.entry;
        if (!entry) return;
        if (entry.kind === 'file' && call.args.includes('O_TRUNC'))
          entry.changes.push({ ...span, size: 0 });
        opened.set(result, { entry, position: 0 });
        return;
      }
      case 'write':
      case 'writev':
        if (!file) return;
        write(Buffer.concat(stringsOf(call)), file.position);
        file.position += result;
        return;
      case 'pwrite64':
        if (file) write(stringsOf(call)[0] ?? Buffer.alloc(0), lastNumber(call));
        return;
      case 'ftruncate':
        if (file?.entry.kind === 'file')
          file.entry.changes.push({ ...span, size: lastNumber(call) });
        return;
      case 'fsync':
      case 'fdatasync':
        file?.entry.syncs.push(span);
        return;
      case 'mkdir':
        return give(find(stringsOf(call)[0]), newFolder());
      case 'unlink':
      case 'rmdir':
        return give(find(stringsOf(call)[0]), undefined);
      case 'link': {
        const [from, to] = stringsOf(call).map(find);
        if (from && to) give(to, from.entry);
        return;
      }
      case 'rename': {
        const [from, to] = stringsOf(call).map(find);
        if (!from?.parent || !to?.parent) return;
        if (from.parent !== to.parent) throw new Error('a rename between folders is not modelled');
        const names = [[from.name, undefined] as const, [to.name, from.entry] as const];
        return rename(from.parent, span, names);
      }
      case 'read':
      case 'sendto':
      case 'sendmsg':
        return;
      default:
        if (file) throw new Error(`${name} is not modelled`);
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
