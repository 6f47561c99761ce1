/** Reads parts of a file, and leaves the rest on the disk. */
import fs from 'node:fs';

/** Larger pictures are refused, so no more bytes of one are read. */
export const MAX_PICTURE = 20e6;

/** An open file. A read after its end is no error: it returns fewer bytes, or none. */
export type Source = {
  /** In bytes. */
  readonly size: number;
  readonly read: (at: number, length: number) => Buffer;
};

/** Opens a file, reads it with a function, and closes it. @throws the errors of the file system */
export function withFile<T>(file: string, look: (source: Source) => T): T {
  const opened = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  try {
    const { size } = fs.fstatSync(opened);
    const read = (at: number, length: number) => {
      const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - at)));
      return bytes.subarray(0, fs.readSync(opened, bytes, 0, bytes.length, at));
    };
    return look({ size, read });
  } finally {
    fs.closeSync(opened);
  }
}
