/** Opens a served file, and reads what its checks need. */
import fs from 'node:fs';
import { decodeSvg, isSvg } from '../../site/image-size.ts';
import { MAX_PICTURE } from '../../site/site-files.ts';

export type ServedFile = {
  /** In the site's folder: `images/lamp.jpg`. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /**
   * All bytes of a file up to 20 MB, as large as a picture may be. Of a larger one, the first and
   * the last 10 MB: the place of a film is there, because its index takes about 2 MB an hour.
   */
  readonly bytes: Buffer;
  /** The text of an SVG. It is empty for other files. */
  readonly svg: string;
  /** Reads a part. After the end of the file, it returns fewer bytes, or none. */
  readonly read: (at: number, length: number) => Buffer;
};

/**
 * Opens a file, looks at it, and closes it.
 *
 * @param room for 20 MB. All files share it, because new memory for each takes longer than the read
 * @throws the errors of the file system
 */
export function withFile(
  name: string,
  path: string,
  room: Buffer,
  look: (file: ServedFile) => void,
): void {
  const opened = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  try {
    const { size } = fs.fstatSync(opened);
    const length = fs.readSync(opened, room, 0, Math.min(size, MAX_PICTURE), 0);
    const half = MAX_PICTURE / 2;
    if (size > MAX_PICTURE) fs.readSync(opened, room, half, half, size - half);
    const bytes = room.subarray(0, length);
    const read = (at: number, most: number) => {
      const part = Buffer.alloc(most);
      return part.subarray(0, fs.readSync(opened, part, 0, most, at));
    };
    look({ name, size, bytes, svg: isSvg(name) ? decodeSvg(bytes) : '', read });
  } finally {
    fs.closeSync(opened);
  }
}
