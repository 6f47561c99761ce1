/** Other volumes: some that a test may fill, which only root can mount, and one in memory. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after } from 'node:test';

/** Mounts an empty volume at `folder`. @returns `undefined` if this user may not mount */
export function mountSmall(folder: string, mebibytes: number) {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const options = `size=${mebibytes}m,mode=0700`;
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).status !== 0)
    return undefined;
  /** Unmounts it. No file may be open in it. */
  return { release: () => void spawnSync('umount', [folder]) };
}

const MEMORY = '/dev/shm';

/** Why a test is skipped that needs a second volume, `false` if there is one. */
export const lacksVolume: string | false =
  !(fs.existsSync(MEMORY) && fs.statSync(MEMORY).dev !== fs.statSync(os.tmpdir()).dev) &&
  `needs ${MEMORY} on a volume of its own`;

/** A new folder on another volume than that of temporary files, removed after the tests. */
export function folderOnOtherVolume(): string {
  const folder = fs.mkdtempSync(path.join(MEMORY, 'guestlist-test-'));
  after(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}
