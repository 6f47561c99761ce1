/**
 * Reads EXIF. It is a TIFF without a picture: directories with entries of 12 bytes, each a tag and
 * a value. https://www.cipa.jp/std/documents/download_e.html?DC-008-Translation-2019-E
 */

export type Exif = {
  /** The orientation of the main picture, 1 to 8; 0 if the file does not tell it. */
  readonly orientation: number;
  /**
   * Latitude and longitude in degrees. South and west are negative if the file names the
   * hemisphere.
   */
  readonly place: readonly [number, number] | undefined;
};

const ORIENTATION = 0x0112;
const GPS = 0x8825;

/** Entries of the GPS directory. */
const LATITUDE = 2;
const LONGITUDE = 4;

/**
 * @param content EXIF from its byte order mark on, or after the mark `Exif\0\0` of a JPEG @returns
 *   what was found, also if the end is missing
 */
export function readExif(content: Buffer): Exif {
  const isMarked = content.toString('latin1', 0, 4) === 'Exif';
  const tiff = isMarked ? content.subarray(6) : content;
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const long = (at: number) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  let orientation = 0;
  let place: Exif['place'];

  /** Where an entry of a directory begins; `undefined` without one. */
  function find(directory: number, tag: number): number | undefined {
    const count = short(directory);
    for (let i = 0; i < count; i += 1) {
      const at = directory + 2 + 12 * i;
      if (short(at) === tag) return at;
    }
    return undefined;
  }

  /** Degrees, minutes and seconds as one number; negative for south and west. */
  function readDegrees(directory: number, tag: number): number | undefined {
    const entry = find(directory, tag);
    if (entry === undefined) return undefined;
    const count = Math.min(3, long(entry + 4));
    const at = long(entry + 8);
    let degrees = 0;
    for (let i = 0; i < count; i += 1) {
      const below = long(at + 8 * i + 4);
      if (i === 0 && below === 0) return undefined;
      if (below > 0) degrees += long(at + 8 * i) / below / 60 ** i;
    }
    const reference = find(directory, tag - 1);
    const letter = reference === undefined ? '' : String.fromCharCode(tiff[reference + 8] ?? 0);
    return letter === 'S' || letter === 'W' ? -degrees : degrees;
  }

  try {
    const main = long(4);
    const turned = find(main, ORIENTATION);
    if (turned !== undefined) orientation = short(turned + 8);
    if (orientation > 8) orientation = 0;
    const gps = find(main, GPS);
    if (gps === undefined) return { orientation, place };
    const latitude = readDegrees(long(gps + 8), LATITUDE);
    const longitude = readDegrees(long(gps + 8), LONGITUDE);
    if (latitude !== undefined && longitude !== undefined) place = [latitude, longitude];
  } catch (error) {
    // The data end too early.
    if (!(error instanceof RangeError)) throw error;
  }
  return { orientation, place };
}
