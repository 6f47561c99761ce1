/** Reads from a photograph whether it lies on its side, and whether it says where it was taken. */

/** Tags: how to turn the picture; the directory of the position; the latitude in that. */
const ORIENTATION = 0x0112;
const GPS = 0x8825;
const LATITUDE = 2;

export type Exif = {
  /** Browsers turn it by 90 degrees, so that width and height change places. */
  readonly isTurned: boolean;
  readonly hasPosition: boolean;
};

const NONE: Exif = { isTurned: false, hasPosition: false };

/**
 * Reads the EXIF of a JPEG, which is a TIFF: directories with entries of 12 bytes, each a tag and a
 * value. https://exiftool.org/TagNames/EXIF.html
 */
export function readExif(jpeg: Buffer): Exif {
  const exif = jpeg.indexOf('Exif\0\0');
  if (exif < 0) return NONE;
  const tiff = jpeg.subarray(exif + 6);
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const long = (at: number) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));

  /** Where the value of a tag is. */
  function find(directory: number, tag: number): number | undefined {
    const end = directory + 2 + 12 * short(directory);
    for (let at = directory + 2; at < end; at += 12) if (short(at) === tag) return at + 8;
    return undefined;
  }

  try {
    const orientation = find(long(4), ORIENTATION);
    const gps = find(long(4), GPS);
    return {
      isTurned: orientation !== undefined && short(orientation) >= 5,
      hasPosition: gps !== undefined && find(long(gps), LATITUDE) !== undefined,
    };
  } catch (error) {
    // The file ends too early.
    if (error instanceof RangeError) return NONE;
    throw error;
  }
}
