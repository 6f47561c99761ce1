/** Volumes that a test may fill or make read-only. Only root can mount them. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';

/** Mounts an empty volume at `folder`. @returns `undefined` if this user may not mount */
export function mountSmall(folder: string, mebibytes: number) {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const options = `size=${mebibytes}m,mode=0700`;
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).status !== 0)
    return undefined;
  return {
    setWritable(writable: boolean): void {
      const options = `remount,${writable ? 'rw' : 'ro'}`;
      const { status, stderr } = spawnSync('mount', ['-o', options, folder]);
      if (status !== 0) throw new Error(`remount: ${stderr}`);
    },
    /** Unmounts it. No file may be open in it. */
    release: () => void spawnSync('umount', [folder]),
  };
}
