/** The processes that hold a lock on a file, as far as Linux names them in /proc. */
import fs from 'node:fs';
import path from 'node:path';
import { installationName } from '../config.ts';

/** A process that holds a lock. */
export type Holder = {
  readonly pid: number;
  /** The words of its command line; empty if they cannot be read. */
  readonly command: readonly string[];
  /** Its systemd unit, such as `guestlist`; `undefined` for a process without one. */
  readonly unit: string | undefined;
  /** Whether it runs in a terminal. */
  readonly hasTerminal: boolean;
};

/** A process, and whether one of its locks is exclusive, as a writer's is. */
type LockHolder = Holder & { readonly isExclusive: boolean };

/** Other processes that hold a lock. @param files a missing file has no locks */
export function findHolders(files: readonly string[]): readonly LockHolder[] {
  const locked = new Set<string>();
  for (const file of files) {
    const state = fs.statSync(file, { throwIfNoEntry: false });
    if (state) locked.add(nameOfInode(state));
  }
  const holders = new Map<number, LockHolder>();
  for (const line of readProc('locks').split('\n')) {
    const lock = HELD_LOCK.exec(line)?.groups;
    const pid = Number(lock?.pid);
    if (lock === undefined || !locked.has(lock.inode ?? '') || pid === process.pid) continue;
    const isExclusive = lock.access === 'WRITE' || holders.get(pid)?.isExclusive === true;
    holders.set(pid, { ...describeProcess(pid), isExclusive });
  }
  return [...holders.values()];
}

/** The running server of a store; `undefined` without one, or if the system does not tell it. */
export function findServer(store: string): Holder | undefined {
  const [holder] = findHolders([`${store}.lock`]);
  return holder?.command.includes('restore') ? undefined : holder;
}

/** The words after `restart it` in a message; empty if the server has no unit. */
export const wayToRestart = ({ unit }: Holder): string =>
  unit === undefined ? '' : `: systemctl restart ${unit}`;

/**
 * A line of /proc/locks: `2: POSIX  ADVISORY  WRITE 4711 08:01:131 0 EOF`. A process that waits for
 * a lock does not match: `2: -> POSIX  ADVISORY  WRITE 4711 08:01:131 0 EOF`.
 */
const HELD_LOCK =
  /^\d+: \w+ +\w+ +(?<access>\w+) +(?<pid>[1-9]\d*) (?<inode>[\da-f]+:[\da-f]+:\d+) /;

/** An inode as /proc/locks names it: `08:01:131`, with its device in hexadecimal. */
function nameOfInode({ dev, ino }: fs.Stats): string {
  const { major, minor } = splitDevice(BigInt(dev));
  return `${toHex(major)}:${toHex(minor)}:${ino}`;
}

/** At least two digits. */
const toHex = (number: bigint): string => number.toString(16).padStart(2, '0');

/** The two numbers of a device. Linux lays them out as makedev(3) says. */
function splitDevice(device: bigint): { readonly major: bigint; readonly minor: bigint } {
  const lowMajor = (device >> 8n) & 0xfffn;
  const highMajor = (device >> 32n) & 0xfffff000n;
  const lowMinor = device & 0xffn;
  const highMinor = (device >> 12n) & 0xffffff00n;
  return { major: highMajor | lowMajor, minor: highMinor | lowMinor };
}

function describeProcess(pid: number): Holder {
  const command = readProc(`${pid}/cmdline`).split('\0').slice(0, -1);
  // `4711 (node) S 1 4711 4711 34816 …`: without a terminal, 0 instead of 34816
  const terminal = /\) \S+ -?\d+ -?\d+ -?\d+ (-?\d+) /.exec(readProc(`${pid}/stat`))?.[1] ?? '0';
  return {
    pid,
    command,
    unit: findOwnUnit(readProc(`${pid}/cgroup`)),
    hasTerminal: terminal !== '0',
  };
}

/**
 * The unit of an installation that runs a process. A process that cron or ssh started belongs to
 * their units.
 *
 * @param groups the process's control groups: `0::/system.slice/guestlist.service`, or
 *   `0::/user.slice/user-0.slice/session-3.scope`
 */
export function findOwnUnit(groups: string): string | undefined {
  const service = /\/([^/]+)\.service$/m.exec(groups)?.[1];
  const isOwn = service === installationName() || service?.startsWith('guestlist');
  return isOwn ? service : undefined;
}

/** A process in a message: `process 4711 (sqlite3)`. */
export function nameHolder({ pid, command }: Holder): string {
  const program = command[0];
  return program === undefined ? `process ${pid}` : `process ${pid} (${path.basename(program)})`;
}

/** The content of a file in /proc; empty if it is missing, or this user may not read it. */
function readProc(name: string): string {
  try {
    return fs.readFileSync(`/proc/${name}`, 'utf8');
  } catch {
    return '';
  }
}
