/**
 * Reads EXIF. It is a TIFF without a picture: directories with entries of 12 bytes, a tag and a
 * value each. https://www.cipa.jp/std/documents/download_e.html?DC-008-Translation-2019-E
 */

const ORIENTATION = 0x0112;

/** The largest number of entries that are read. Other bytes may look like a directory. */
const MOST_ENTRIES = 200;

/** The orientation of the main picture, 1 to 8. @param tiff EXIF from its byte order mark on */
export function orientationOf(tiff: Buffer): number | undefined {
  const { short, long, find } = readerOf(tiff);
  return unlessMissing(() => short(find(long(4), ORIENTATION)));
}

/** Reads numbers, and finds entries. @param tiff EXIF from its byte order mark on */
export function readerOf(tiff: Buffer) {
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const long = (at: number) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  /** The position of an entry's value. Without the entry, it is the end, where a read throws. */
  const find = (directory: number, tag: number): number => {
    const end = directory + 2 + 12 * Math.min(short(directory), MOST_ENTRIES);
    for (let at = directory + 2; at < end; at += 12) if (short(at) === tag) return at + 8;
    return tiff.length;
  };
  return { short, long, find };
}

/** @returns `undefined` if the data end too early */
export function unlessMissing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
