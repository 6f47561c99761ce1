/** Finds out whether a photograph says where it was taken. */

/** Tags of EXIF: the directory of the position, and the latitude in it. */
const GPS = 0x8825;
const LATITUDE = 2;

/**
 * Whether a JPEG has a position in its EXIF, which is a TIFF: directories with entries of 12 bytes,
 * each a tag and a value. https://exiftool.org/TagNames/EXIF.html
 */
export function hasPosition(jpeg: Buffer): boolean {
  const exif = jpeg.indexOf('Exif\0\0');
  if (exif < 0) return false;
  const tiff = jpeg.subarray(exif + 6);
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const long = (at: number) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  const find = (directory: number, tag: number): number | undefined => {
    const end = directory + 2 + 12 * short(directory);
    for (let at = directory + 2; at < end; at += 12) if (short(at) === tag) return long(at + 8);
    return undefined;
  };
  try {
    const gps = find(long(4), GPS);
    return gps !== undefined && find(gps, LATITUDE) !== undefined;
  } catch (error) {
    // The file ends too early.
    if (error instanceof RangeError) return false;
    throw error;
  }
}
