/** Volumes that a test may fill or make read-only. Only root can mount them. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';

export type Volume = {
  setWritable(writable: boolean): void;
  /** Unmounts it. No file may be open in it. */
  release(): void;
};

/** Mounts an empty volume at `folder`. @returns `undefined` if this user may not mount */
export function mountSmall(folder: string, mebibytes: number): Volume | undefined {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const options = `size=${mebibytes}m,mode=0700`;
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).status !== 0)
    return undefined;
  return {
    setWritable(writable) {
      const mode = writable ? 'rw' : 'ro';
      const { status, stderr } = spawnSync('mount', ['-o', `remount,${mode}`, folder]);
      if (status !== 0) throw new Error(`remount: ${stderr}`);
    },
    release: () => void spawnSync('umount', [folder]),
  };
}
