/**
 * The system calls of a program, as strace records them, and what a power cut could undo of them.
 * The main thread does all work with the store and with sockets, so the others are not traced.
 */
import fs from 'node:fs';
import path from 'node:path';

export type Call = {
  readonly name: string;
  /** A path, or where the descriptor of the first argument leads. */
  readonly file: string;
  /** The new path of a rename. */
  readonly to: string;
  /** All arguments. Printable bytes are as they are. */
  readonly args: string;
};

/** strace ignores a call with a question mark where the processor has no such call. */
const TRACED = [
  ...['read', 'write', 'writev', 'pwrite64', 'ftruncate', 'fsync', 'fdatasync'],
  ...['?mkdir', 'mkdirat', '?unlink', 'unlinkat', '?rename', '?renameat', 'renameat2'],
];

/** The command that records the program after it into a file. A page of SQLite has 4096 bytes. */
export const traceInto = (file: string): readonly string[] => [
  ...['strace', '-D', '-y', '-a', '1', '-s', '4096', '-e', 'signal=none'],
  ...['-e', `trace=${TRACED.join()}`, '-o', file],
];

/** The calls that succeeded, in their order. */
export function readTrace(file: string): readonly Call[] {
  const calls: Call[] = [];
  for (const line of fs.readFileSync(file, 'latin1').split('\n')) {
    const call = parse(line);
    if (call) calls.push(call);
  }
  return calls;
}

/**
 * @param line `fsync(21</data>) = 0`, `mkdir("/data", 0777) = 0`; not `… = -1 EIO (Input/output
 *   error)`
 */
function parse(line: string): Call | undefined {
  const begin = line.indexOf('(');
  const end = line.lastIndexOf(') = ');
  if (begin < 0 || end < 0 || line.startsWith('-1', end + 4)) return undefined;
  const name = line.slice(0, begin).replace(/at2?$/, '');
  const args = line.slice(begin + 1, end);
  const quoted = [...args.matchAll(/"([^"]*)"/g)].map(([, text = '']) => text);
  const descriptor = args.slice(args.indexOf('<') + 1, args.indexOf('>'));
  const isByPath = /^(mkdir|unlink|rename)$/.test(name);
  return { name, file: (isByPath && quoted[0]) || descriptor, to: quoted[1] ?? '', args };
}

export const isSync = ({ name }: Call): boolean => name === 'fsync' || name === 'fdatasync';

/** A request without a reply: the bytes of its row, and whether they are in the WAL. */
type Asked = { readonly row: string; state: 'asked' | 'written' | 'synced' };

/** The rows that requests name in a header `X-Row`. */
type Replies = { readonly all: readonly string[]; readonly beforeSync: readonly string[] };

/**
 * Finds the replies whose first byte is written before a sync of the WAL that follows their row.
 */
export function repliesIn(calls: readonly Call[]): Replies {
  const all: string[] = [];
  const beforeSync: string[] = [];
  const askedBySocket = new Map<string, Asked>();
  for (const call of calls) {
    const { name, file, args } = call;
    // As in `X-Row: loginada@example.com\r\n`, where strace writes two letters for each of the two
    // bytes.
    const [, row] = /X-Row: (\S+?)\\r/.exec(args) ?? [];
    if (name === 'read' && row) askedBySocket.set(file, { row, state: 'asked' });
    if (file.endsWith('-wal'))
      for (const asked of askedBySocket.values()) {
        const isWritten = name === 'pwrite64' && args.includes(asked.row);
        if (isWritten && asked.state === 'asked') asked.state = 'written';
        if (isSync(call) && asked.state === 'written') asked.state = 'synced';
      }
    const answered = name.startsWith('write') ? askedBySocket.get(file) : undefined;
    if (!answered) continue;
    askedBySocket.delete(file);
    all.push(answered.row);
    if (answered.state !== 'synced') beforeSync.push(answered.row);
  }
  return { all, beforeSync };
}

/** Whether the content of a file matters after a power cut. */
const isDurable = (file: string): boolean => !/-shm$|\.lock$/.test(file);

/**
 * Finds what a power cut could undo after a program has printed a line, and renames that could be
 * on disk without what came before them.
 *
 * @param existing the paths of before
 */
export function missingSyncs(calls: readonly Call[], existing: Iterable<string>): string[] {
  const missing: string[] = [];
  const known = new Set(existing);
  const synced = new Set<string>();
  /** Files whose content has changed, and folders in which a name has. */
  const unsynced = new Set<string>();
  /** The folders in which a file was renamed. They are among the changed ones. */
  const renamed = new Set<string>();

  for (const call of calls) {
    const { name, file, to, args } = call;
    if (isSync(call)) {
      synced.add(file);
      unsynced.delete(file);
      renamed.delete(file);
    }
    const isWritten = (name === 'pwrite64' || name === 'ftruncate') && isDurable(file);
    if (isWritten) {
      synced.delete(file);
      unsynced.add(file);
    }
    // The name of a draft or a journal does not matter.
    const isNamed = name === 'mkdir' || (isWritten && /\.db(-wal)?$/.test(file));
    if (isNamed && !known.has(file)) unsynced.add(path.dirname(file));
    if (isNamed) known.add(file);
    if (name === 'unlink') unsynced.delete(file);
    if (name === 'rename') {
      for (const folder of renamed) missing.push(`${folder} before the next rename`);
      if (!synced.has(file)) missing.push(`${file} before its rename`);
      for (const folder of [path.dirname(file), path.dirname(to)]) {
        renamed.add(folder);
        unsynced.add(folder);
      }
    }
    if (name === 'write' && args.startsWith('1<'))
      for (const each of unsynced) missing.push(`${each} before the printed line`);
  }
  return missing;
}
