/** The system calls of programs, as strace has recorded them, and the disk that they have written. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

/** Calls that are not recorded: they change no file and give no further descriptor of one. */
const HARMLESS =
  '%signal,%clock,%creds,%process,%network,/^(f?access.*|.*stat.*|getdents.*|readlink.*|chdir|pread.*|' +
  'close|f?ch(mod|own)(at)?|umask|flock|fadvise64|munmap|mprotect|madvise|mremap|brk|futex|.*poll.*|p?select.*|' +
  'utimensat|eventfd2|pipe2?|ioctl|nanosleep|[gs]et.*|prlimit64|rseq|arch_.*|sched_.*|sysinfo|uname|pkey_.*)$';

/**
 * The command that records the command after it: whole writes in hexadecimal, times in ns, a file for
 * each thread. strace does not see what io_uring does.
 */
export const recordInto = (folder: string): readonly string[] => [
  ...['env', 'UV_USE_IO_URING=0', 'strace', '-D', '-ff', '--seccomp-bpf'],
  ...['-y', '-xx', '-s', '70000', '--syscall-times=ns'],
  ...['--absolute-timestamps=format:unix,precision:ns', '-e', `trace=!${HARMLESS}`],
  ...['-o', path.join(folder, 'thread')],
];

export type Call = {
  readonly name: string;
  /** The file behind the first argument, where that is a descriptor. */
  readonly target: string;
  /** All arguments, bytes as `\x..`. */
  readonly args: string;
  readonly result: number;
  /** In ns, on a clock that all traces of this process share. */
  readonly began: number;
  readonly returned: number;
};

/** Seconds of the epoch that are left out, so that a number holds each ns. */
const START = Math.floor(Date.now() / 1000) - 3600;

/** The calls of all threads that did not fail, in the order in which they began. */
export const readTrace = (folder: string): readonly Call[] =>
  fs
    .readdirSync(folder)
    .flatMap((name) => fs.readFileSync(path.join(folder, name), 'latin1').split('\n'))
    .flatMap((line) => parse(line) ?? [])
    .sort((one, other) => one.began - other.began);

/** @param line `<time> <name>(<arguments>) = <result> <duration>`; nothing of a call that failed */
function parse(line: string): Call | undefined {
  const equals = line.lastIndexOf(' = ');
  const [head, seconds, fraction, name = ''] = /^(\d+)\.(\d{9}) (\w+)\(/.exec(line) ?? [];
  const [, result, duration] = /^ = (\d+).* <([\d.]+)>$/.exec(line.slice(equals)) ?? [];
  if (head === undefined || result === undefined) return undefined;
  const began = (Number(seconds) - START) * 1e9 + Number(fraction);
  const args = line.slice(head.length, line.lastIndexOf(')', equals));
  const target = fromTrace(/^\d+<([^>]*)>/.exec(args.slice(0, 20_000))?.[1] ?? '');
  const returned = began + Number(duration) * 1e9;
  return { name, args, target, result: Number(result), began, returned };
}

/** The bytes that a call writes. */
function bytesOf({ name, args, result }: Call): Buffer {
  if (args.includes('"...')) throw new Error(`the trace does not have all of a ${name}`);
  return fromHex(/"([^"]*)"/.exec(args)?.[1] ?? '').subarray(0, result);
}

/** The paths among a call's arguments, those of folders and descriptors too. */
const pathsIn = ({ args }: Call): readonly string[] =>
  [...args.matchAll(/[<"](\\x2f[^>"]*)[>"]/g)].map(([, hex = '']) => fromTrace(hex));

/** The paths that a call names, in full. */
const pathsOf = ({ args }: Call): readonly string[] =>
  [...args.matchAll(/(?:<([^>]*)>, )?"([^"]*)"/g)].map(([, folder = '', file = '']) =>
    path.resolve(fromTrace(folder), fromTrace(file)),
  );

const fromHex = (hex: string) => Buffer.from(hex.replaceAll('\\x', ''), 'hex');
const fromTrace = (hex: string) => fromHex(hex).toString();

/** A text as a trace shows it. */
export const inTrace = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');

/** When a call began and returned, in ns. */
export type Span = Pick<Call, 'began' | 'returned'>;

/** The bytes of a file, or the entries of a folder. A removed name has none. */
type Content = Buffer | ReadonlyMap<string, Entry | undefined>;
export type Change = Span & {
  readonly apply: (content: Content) => Content;
  /** Other folders that it changes too: file systems move a name in one transaction. */
  readonly folders: readonly Entry[];
};

export type Entry = {
  /** What it held before; all of that is durable. */
  readonly before: Content;
  readonly changes: Change[];
  readonly syncs: Span[];
};

const newEntry = (before: Content): Entry => ({ before, changes: [], syncs: [] });

/** What an entry holds after those changes that are kept. */
export function contentOf({ before, changes }: Entry, isKept = (_: Change) => true): Content {
  const copy = Buffer.isBuffer(before) ? Buffer.from(before) : before;
  return changes.filter(isKept).reduce<Content>((content, { apply }) => apply(content), copy);
}

/** Writes into a file. @param size afterwards; by default it only grows */
const put = (bytes: Buffer, at: number, size?: number) => (content: Content) => {
  assert.ok(Buffer.isBuffer(content), 'it is a file');
  const length = size ?? Math.max(content.length, at + bytes.length);
  const changed = length === content.length ? content : Buffer.alloc(length);
  if (changed !== content) content.copy(changed);
  bytes.copy(changed, at);
  return changed;
};

function namesIn(content: Content) {
  assert.ok(!Buffer.isBuffer(content), 'it is a folder');
  return content;
}

/** Gives names in a folder, or takes them away. */
const give =
  (...names: readonly (readonly [string, Entry | undefined])[]) =>
  (content: Content) =>
    new Map([...namesIn(content), ...names]);

const NOTHING = Buffer.alloc(0);

/** SQLite does not read the `-shm` of before a start of the machine, and nobody a deleted file. */
const counts = (name: string): boolean => !/(-shm| \(deleted\))$/.test(name);

function readEntry(file: string): Entry {
  if (!fs.statSync(file).isDirectory()) return newEntry(fs.readFileSync(file));
  const names = fs.readdirSync(file).filter(counts);
  return newEntry(new Map(names.map((name) => [name, readEntry(path.join(file, name))])));
}

/** Calls of a file or folder that is open, and calls without a change. */
const OF_OPEN = /^(write|writev|pwrite64|ftruncate|fsync|fdatasync)$/;
const READS = /^(read|lseek|fcntl|mmap)$/;

/** Flags and calls that the model lacks, on a file of the disk. */
const UNKNOWN = /O_TMPFILE|RENAME_EXCHANGE|F_DUPFD|F_SETFL,|PROT_WRITE.*MAP_SHARED/;

/**
 * The disk with all that programs did to it, and the calls that did.
 *
 * @param before a folder that holds `data/` as it was, or nothing
 * @param traces the calls of each program
 * @throws for a call that concerns the disk, and that the model lacks
 */
export function replay(before: string, root: string, traces: readonly (readonly Call[])[]) {
  const disk = readEntry(before);
  const changes: Call[] = [];

  const isOnDisk = (file: string): boolean => {
    const relative = path.relative(root, file);
    return relative === '' || (/^data(\/|$)/.test(relative) && counts(relative));
  };

  /** @returns the entry of a path, and where it is named; nothing where it does not count */
  function find(file: string) {
    if (!isOnDisk(file)) return undefined;
    let [parent, entry]: [Entry, Entry | undefined] = [disk, disk];
    for (const each of path.relative(root, file).split('/').filter(Boolean)) {
      assert.ok(entry, `the folder of ${file} is there`);
      parent = entry;
      entry = namesIn(contentOf(parent)).get(each);
    }
    return { parent, called: path.basename(file), entry };
  }

  /** @returns whether the model has the call, which concerns the disk */
  function apply(call: Call): boolean {
    const { name, target, args, began, returned } = call;
    if (READS.test(name)) return true;
    const paths = OF_OPEN.test(name) ? [target] : pathsOf(call);
    const [at, to] = paths.map(find);
    const entry = at?.entry;
    const change = (entry: Entry | undefined, apply: Change['apply'], folders: Entry[] = []) =>
      entry !== undefined && entry.changes.push({ began, returned, apply, folders }) > 0;
    const place = (entry: Entry | undefined) => change(at?.parent, give([at?.called ?? '', entry]));
    const lastNumber = () => Number(/(\d+)$/.exec(args)?.[1]);

    switch (name.replace(/(at2?)$/, '')) {
      case 'open':
        if (!entry) return args.includes('O_CREAT') && place(newEntry(NOTHING));
        return !args.includes('O_TRUNC') || change(entry, put(NOTHING, 0, 0));
      case 'pwrite64':
        return change(entry, put(bytesOf(call), lastNumber()));
      case 'write': {
        // Programs write so at the end of a file alone.
        const content = entry && contentOf(entry);
        return Buffer.isBuffer(content) && change(entry, put(bytesOf(call), content.length));
      }
      case 'ftruncate':
        return change(entry, put(NOTHING, 0, lastNumber()));
      case 'fsync':
      case 'fdatasync':
        entry?.syncs.push({ began, returned });
        return true;
      case 'mkdir':
        return place(newEntry(new Map()));
      case 'unlink':
        return place(undefined);
      case 'rename':
        if (!at || !entry || !to) return false;
        if (at.parent === to.parent)
          return change(at.parent, give([at.called, undefined], [to.called, entry]));
        change(at.parent, give([at.called, undefined]), [to.parent]);
        return change(to.parent, give([to.called, entry]), [at.parent]);
      default:
        return false;
    }
  }

  for (const call of traces.flat().sort((one, other) => one.began - other.began)) {
    const { name, target, args } = call;
    // What a program writes can look like a path.
    if (!(OF_OPEN.test(name) ? [target] : pathsIn(call)).some(isOnDisk)) continue;
    if (UNKNOWN.test(args) || !apply(call))
      throw new Error(`not modelled: ${name}(${args.slice(0, 2000)})`);
    if (!READS.test(name)) changes.push(call);
  }
  return { disk, changes };
}
