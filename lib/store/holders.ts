/** The processes that hold a lock on a file, as far as Linux names them in /proc. */
import fs from 'node:fs';
import path from 'node:path';

/** A process that holds a lock. */
export type Holder = {
  readonly pid: number;
  /** The words of its command line; empty if they cannot be read. */
  readonly command: readonly string[];
  /** The systemd unit that it belongs to, as `guestlist`; `undefined` for another process. */
  readonly unit: string | undefined;
};

/** Other processes that hold a lock. @param files those that are missing have none */
export function findHolders(files: readonly string[]): readonly Holder[] {
  const locked = new Set<string>();
  for (const file of files) {
    const state = fs.statSync(file, { throwIfNoEntry: false });
    if (state) locked.add(nameInode(state));
  }
  const holders = new Map<number, Holder>();
  for (const line of readProc('locks').split('\n')) {
    // `2: POSIX  ADVISORY  WRITE 4711 08:01:131 0 EOF`; one that waits has `->` behind the number.
    const [, , , , pid = '', inode = ''] = line.split(/\s+/);
    const isHeld = locked.has(inode) && Number(pid) > 0 && Number(pid) !== process.pid;
    if (isHeld) holders.set(Number(pid), describeProcess(Number(pid)));
  }
  return [...holders.values()];
}

/** As /proc/locks names it: `08:01:131`, the numbers of the device in hexadecimal. */
function nameInode({ dev, ino }: fs.Stats): string {
  const device = BigInt(dev);
  const major = ((device >> 8n) & 0xfffn) | ((device >> 32n) & ~0xfffn);
  const minor = (device & 0xffn) | ((device >> 12n) & 0xffffff00n);
  const numbers = [major, minor].map((number) => number.toString(16).padStart(2, '0'));
  return `${numbers.join(':')}:${ino}`;
}

function describeProcess(pid: number): Holder {
  const command = readProc(`${pid}/cmdline`).split('\0').slice(0, -1);
  // `0::/system.slice/guestlist.service`, not `0::/user.slice/user-0.slice/session-3.scope`
  const unit = /\/(guestlist[\w-]*)\.service$/m.exec(readProc(`${pid}/cgroup`))?.[1];
  return { pid, command, unit };
}

/** A process in a message: `process 4711 (sqlite3)`. */
export function nameHolder({ pid, command }: Holder): string {
  const program = command[0];
  return program === undefined ? `process ${pid}` : `process ${pid} (${path.basename(program)})`;
}

/** A file of /proc; empty if there is none, or this user may not read it. */
function readProc(name: string): string {
  try {
    return fs.readFileSync(`/proc/${name}`, 'utf8');
  } catch {
    return '';
  }
}
