/** Volumes that a test may fill. Only root can mount them. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';

/** Mounts an empty volume at `folder`. @returns `undefined` if this user may not mount */
export function mountSmall(folder: string, mebibytes: number) {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const options = `size=${mebibytes}m,mode=0700`;
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).status !== 0)
    return undefined;
  /** Unmounts it. No file may be open in it. */
  return { release: () => void spawnSync('umount', [folder]) };
}
