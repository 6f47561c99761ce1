/**
 * Finds private facts in files: the place of a photograph, and folders of a computer. It searches
 * the bytes for the marks of a place, whatever the format. So it also finds a photograph inside a
 * PDF, and the film that a phone appends to a photograph.
 */
import { quoteForShell } from '../../config.ts';
import { readerOf, unlessMissing } from '../../site/exif.ts';
import type { ServedFile } from './served-file.ts';

/** `GPSLatitude="52,31.2N"`, `<exif:GPSLatitude>52` and `exif:GPSLatitude\0 52`, not `…Ref="N"`. */
const XMP_PLACE = /^GPSLatitude\s*(?:=\s*["']|>|\0)\s*\d/;

/** `+52.5200+013.4050/` and `-33.8+151.2`, not `2024-05-01`. */
const ISO_6709 = /([+-]\d{2}\.\d+)([+-]\d{3}\.\d+)/;

/** The bytes before a place, and what reads it from there. Short marks are found faster. */
const MARKS: readonly (readonly [mark: string, read: (from: Buffer) => string | undefined])[] = [
  // EXIF in either byte order.
  ['II*\0', placeInExif],
  ['MM\0*', placeInExif],
  // XMP, and the texts that ImageMagick writes into a PNG.
  ['GPSLat', (from) => (XMP_PLACE.test(from.toString('latin1', 0, 40)) ? '' : undefined)],
  // Films: of Android, Apple (which names its texts before it writes them), 3GPP, WebM: `LOCATION`.
  ['\xa9xyz', (from) => placeInText(from, 40)],
  ['ISO6709', (from) => placeInText(from, 4000)],
  ['loci\0\0\0', placeIn3gpp],
  ['OCATION', (from) => placeInText(from, 40)],
  // A photograph in an SVG.
  ['base64,', placeInBase64],
];

/** `export-filename="/home/ada/a.png"` and `absref="C:\Users\ada"`, not `href="/home/a.png"`. */
const HOME =
  /(export-filename|absref)\s*=\s*["'](?:file:\/\/)?((?:[a-z]:)?[\\/](?:home|Users|root)\b[^"']*)/i;

/** @returns a sentence without its subject, the file */
export function describePlace({ name, bytes, svg }: ServedFile): string | undefined {
  const [, attribute, home] = HOME.exec(svg) ?? [];
  if (home !== undefined)
    return `names a folder of your computer (${home}); delete ${attribute} in it`;
  const place = findPlace(bytes);
  if (place === undefined) return undefined;
  const told = `says where it was taken${place === '' ? '' : ` (${place})`}`;
  if (/\.(svg|pdf)$/i.test(name))
    return `holds a photograph that ${told}; remove the place from it, and make the file again`;
  return `${told}; in the folder of the site, run: ${remedyFor(name)}`;
}

/** The command that removes the place from a file. */
function remedyFor(name: string): string {
  const quoted = quoteForShell(name);
  const [film] = /\.(mp4|m4v|mov|webm)$/i.exec(name) ?? [];
  if (film !== undefined) {
    const command = `ffmpeg -i ${quoted} -map_metadata -1 -c copy -movflags +faststart new${film}`;
    return `${command}, and put new${film} in its place`;
  }
  const command = `exiftool -overwrite_original -gps:all= -xmp:geotag= ${quoted}`;
  // It leaves, for example, the place of the film in a motion photo, and the texts of ImageMagick.
  // ExifTool 12.57, which Debian 12 has, cannot write WebP.
  return `${command}; if that leaves it, run: convert ${quoted} -auto-orient -strip ${quoted}`;
}

/** @returns the coordinates; empty if they are not read; `undefined` without a place */
export function findPlace(bytes: Buffer): string | undefined {
  for (const [mark, read] of MARKS) {
    let at = bytes.indexOf(mark, 0, 'latin1');
    for (; at >= 0; at = bytes.indexOf(mark, at + mark.length, 'latin1')) {
      const place = read(bytes.subarray(at));
      if (place !== undefined) return place;
    }
  }
  return undefined;
}

/** Tags of EXIF: the GPS directory, and two of its entries. */
const GPS = 0x8825;
const LATITUDE = 2;
const LONGITUDE = 4;

function placeInExif(tiff: Buffer): string | undefined {
  const { long, find } = readerOf(tiff);
  /** Degrees, minutes and seconds, each a fraction; negative for south and west. */
  const degrees = (directory: number, tag: number): number => {
    const at = long(find(directory, tag));
    if (long(at + 4) === 0) throw new RangeError('no place');
    let sum = 0;
    for (let i = 0; i < 3; i += 1) sum += long(at + 8 * i) / (long(at + 8 * i + 4) || 1) / 60 ** i;
    const letter = String.fromCharCode(tiff[find(directory, tag - 1)] ?? 0);
    return letter === 'S' || letter === 'W' ? -sum : sum;
  };
  return unlessMissing(() => {
    const directory = long(find(long(4), GPS));
    return shown(degrees(directory, LATITUDE), degrees(directory, LONGITUDE));
  });
}

function placeInText(from: Buffer, length: number): string | undefined {
  const found = ISO_6709.exec(from.toString('latin1', 0, length));
  return found ? shown(Number(found[1]), Number(found[2])) : undefined;
}

const shown = (latitude: number, longitude: number): string =>
  `${latitude.toFixed(1)}, ${longitude.toFixed(1)}`;

/** A language, a name that ends with a zero and a byte, then numbers with 16 bits after the point. */
function placeIn3gpp(from: Buffer): string | undefined {
  const end = from.indexOf(0, 10);
  const at = end + 2;
  if (end < 0 || from.length < at + 8) return undefined;
  return shown(from.readInt32BE(at + 4) / 65536, from.readInt32BE(at) / 65536);
}

function placeInBase64(from: Buffer): string | undefined {
  // A comma is no digit, so no other photograph is read with this one.
  const end = from.indexOf(',', 'base64,'.length);
  const text = from.toString('latin1', 'base64,'.length, end < 0 ? from.length : end);
  const [quoted = ''] = text.split(/["')<]/, 1);
  // Inkscape writes its line breaks as `&#10;`.
  return findPlace(Buffer.from(quoted.replaceAll('&#10;', ''), 'base64'));
}
