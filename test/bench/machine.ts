/** The machine of the bench: programs, cores, and the cost of processes. */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';

/** Whether the server and the load each get a core of their own. */
export const pinned = os.availableParallelism() >= 2 && has('taskset');

export const SERVER_CORE = 0;
export const LOAD_CORE = 1;

/** Whether a program is installed. */
export function has(program: string): boolean {
  return spawnSync('which', [program]).status === 0;
}

/** Keeps a process, with all its threads, on one core. */
export function pin(pid: number | undefined, core: number): void {
  if (pinned) execFileSync('taskset', ['-acp', String(core), String(pid)]);
}

/** Command and arguments of a program that makes load, on its own core. */
export function onLoadCore(command: string, args: readonly string[]): [string, string[]] {
  return pinned ? ['taskset', ['-c', String(LOAD_CORE), command, ...args]] : [command, [...args]];
}

/** Clock ticks a second, in which Linux counts CPU time. */
const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** CPU time that a process has used, with all its threads, in µs. */
export const cpuTime = (pid: number): number => readCpuTime(`/proc/${pid}/stat`);

/** CPU time of its first thread, which is the one of the event loop, in µs. */
export const mainThreadTime = (pid: number): number => readCpuTime(`/proc/${pid}/task/${pid}/stat`);

function readCpuTime(file: string): number {
  // The name of the program, in parentheses, may contain any character.
  const [, rest = ''] = fs.readFileSync(file, 'utf8').split(/\) (?!.*\) )/s);
  const fields = rest.split(' ');
  return ((Number(fields[11]) + Number(fields[12])) / TICKS) * 1e6;
}

/** Resident memory of a process, in MB. */
export function residentMemory(pid: number): number {
  const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

const SYNCS = 200;

/** Median time of a write of 4 KiB with its sync, in µs. Like the log of a store, the file has grown before. */
export function syncTime(folder: string): number {
  const file = `${folder}/sync-time`;
  fs.writeFileSync(file, Buffer.alloc(4096 * SYNCS, 1), { flush: true });
  const fd = fs.openSync(file, 'r+');
  const page = Buffer.alloc(4096, 2);
  const times = Array.from({ length: SYNCS }, (_, i) => {
    const start = performance.now();
    fs.writeSync(fd, page, 0, page.length, i * page.length);
    fs.fdatasyncSync(fd);
    return (performance.now() - start) * 1000;
  }).sort((a, b) => a - b);
  fs.closeSync(fd);
  fs.rmSync(file);
  return times[SYNCS / 2] ?? 0;
}

export function describeMachine(): string {
  const { model = 'unknown' } = os.cpus()[0] ?? {};
  const memory = Math.round(os.totalmem() / 2 ** 30);
  return `${os.availableParallelism()} cores (${model.trim()}), ${memory} GB, ${os.type()} ${os.release().split('-')[0]}`;
}
