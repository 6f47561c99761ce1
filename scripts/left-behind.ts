/** Finds and removes the processes and mounted volumes that a test run leaves behind. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Processes whose environment has the folder as TMPDIR. They are found only on Linux. */
export function processesOf(folder: string): readonly { pid: number; command: string }[] {
  if (process.platform !== 'linux') return [];
  return fs.readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
    try {
      const environment = fs.readFileSync(`/proc/${name}/environ`, 'latin1').split('\0');
      if (!environment.some((pair) => isInside(folder, pair))) return [];
      const command = fs.readFileSync(`/proc/${name}/cmdline`, 'latin1').replaceAll('\0', ' ');
      return command === '' ? [] : [{ pid: Number(name), command: command.trim() }];
    } catch {
      // It has ended meanwhile, or belongs to another user.
      return [];
    }
  });
}

const isInside = (folder: string, pair: string): boolean =>
  pair === `TMPDIR=${folder}` || pair.startsWith(`TMPDIR=${folder}/`);

/** Waits until those processes have ended, for 10 s at most. @param urge called for each, again and again */
export async function untilEnded(folder: string, urge = (_: number) => {}): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const running = processesOf(folder);
    if (running.length === 0) return;
    for (const { pid } of running) urge(pid);
    await sleep(50);
  }
}

/** Kills those processes, and waits until they have ended. */
export const endProcesses = (folder: string): Promise<void> => untilEnded(folder, kill);

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/** Unmounts the volumes in a folder, and removes the folder with its contents. */
export function removeFolder(folder: string): void {
  if (fs.existsSync('/proc/self/mounts')) {
    for (const line of fs.readFileSync('/proc/self/mounts', 'utf8').split('\n')) {
      const place = line.split(' ')[1]?.replaceAll('\\040', ' ') ?? '';
      if (place.startsWith(folder + path.sep)) spawnSync('umount', ['-l', place]);
    }
  }
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
