/** Finds private facts in files: the place of a photograph, and folders of a computer. */
import { inflateSync } from 'node:zlib';
import { quoteForShell } from '../config.ts';
import { readExif } from './exif.ts';
import type { SiteFiles } from './field-readers.ts';
import { isPointer, POINTER_FAULT } from './file-faults.ts';
import {
  boxesOf,
  contentOf,
  kindOf,
  MAX_PICTURE,
  type Part,
  partsOf,
  type Source,
  sourceOf,
  withFile,
} from './file-parts.ts';
import { decodeSvg, embeddedPictures, isSvg } from './svg.ts';

/** The bytes before the EXIF of a JPEG. */
const EXIF_MARK = 'Exif\0\0';

/** How much of a part is searched, in bytes. */
const MOST = 1 << 20;

/** `GPSLatitude="52,31.2N"` and `<exif:GPSLatitude>52,31.2N<`, not `GPSLatitudeRef="N"`. */
const XMP_PLACE =
  /GPS(Latitude|Longitude)\s*(?:=\s*["']|>)\s*([\d.]+)(?:,([\d.]+))?(?:,([\d.]+))?\s*([NSEW]?)/g;

/** `+52.5200+013.4050/` and `-33.8+151.2`, not `2024-05-01`. */
const ISO_6709 = /([+-]\d{2}(?:\.\d+)?)([+-]\d{3}(?:\.\d+)?)/;

/** `export-filename="/home/ada/a.png"` and `absref="C:\Users\ada"`, not `href="/home/a.png"`. */
const HOME =
  /(export-filename|absref)\s*=\s*["'](?:file:\/\/)?((?:[a-z]:)?[\\/](?:home|Users|root)\b[^"']*)/i;

/** Warns of these facts in the served files, in one line a file. */
export function warnOfPlaces(files: SiteFiles): void {
  for (const [url, file] of [...files.public, ...files.gated]) {
    const name = decodeURIComponent(url).slice(1);
    const found = withFile(file, (source) => findTold(source, name));
    if (found !== '') files.warnings.add(`${name} ${found}`);
  }
}

/** @returns a sentence without its subject; empty without such facts */
function findTold(source: Source, name: string): string {
  if (isPointer(source)) return POINTER_FAULT;
  if (isSvg(name)) return findToldInSvg(source);
  if (kindOf(source) === 'pdf') return findToldInPdf(source);
  const inFolder = 'in the folder of the site, run:';
  const placeOfFilm = findPlaceInMotionPhoto(source);
  const place = findPlace(source) ?? placeOfFilm;
  if (place === undefined) return '';
  const where = place === '' ? '' : ` (${place})`;
  if (/\.(mp4|m4v|mov|webm)$/i.test(name)) {
    const made = /\.webm$/i.test(name) ? 'new.webm' : '-movflags +faststart new.mp4';
    const command = `ffmpeg -i ${quoteForShell(name)} -map_metadata -1 -c copy ${made}`;
    const replacing = `put ${made.replace(/.* /, '')} in its place`;
    return `says where it was taken${where}; ${inFolder} ${command}, and ${replacing}`;
  }
  let more = '';
  // Tags of the place in the picture, or of the place of its making. `geotag` does not remove them.
  if (source.read(0, MOST).includes('Iptc4xmpExt:Location')) more += '-xmp-iptcExt:all= ';
  // ExifTool calls all bytes after the picture a trailer, also the film.
  if (placeOfFilm !== undefined) more += '-trailer:all= ';
  const command = `exiftool -overwrite_original -gps:all= -xmp:geotag= ${more}${quoteForShell(name)}`;
  // ExifTool 12.57, which Debian 12 has, cannot write WebP. In a PNG, it does not remove what
  // ImageMagick wrote.
  const strip = `convert ${quoteForShell(name)} -auto-orient -strip ${quoteForShell(name)}`;
  const other = ['webp', 'png'].includes(kindOf(source)) ? ` (or ${strip})` : '';
  return `says where it was taken${where}; ${inFolder} ${command}${other}`;
}

function findToldInSvg(source: Source): string {
  const svg = decodeSvg(source.read(0, Math.min(source.size, MAX_PICTURE)));
  for (const picture of embeddedPictures(svg)) {
    const place = findPlace(sourceOf(picture));
    if (place !== undefined)
      return `${sayWithin(place)}, and put the photograph into the drawing again`;
  }
  const home = HOME.exec(svg);
  if (!home) return '';
  return `names a folder of your computer (${home[2]}); delete ${home[1]} in it`;
}

/** Some programs put a JPEG unchanged into a PDF. */
function findToldInPdf(source: Source): string {
  const file = source.read(0, Math.min(source.size, MAX_PICTURE));
  for (let at = file.indexOf(EXIF_MARK); at >= 0; at = file.indexOf(EXIF_MARK, at + 1)) {
    const place = placeInExif(file.subarray(at));
    if (place !== undefined) return `${sayWithin(place)}, and make the PDF again`;
  }
  return '';
}

function sayWithin(place: string): string {
  const where = place === '' ? '' : ` (${place})`;
  return `holds a photograph that says where it was taken${where}; remove the place from it`;
}

/** @returns the coordinates; empty if they cannot be read; `undefined` without a place */
export function findPlace(source: Source): string | undefined {
  const kind = kindOf(source);
  if (kind === 'tiff') return placeInExif(source.read(0, MOST));
  if (kind === 'webm') return placeInWebm(source);
  if (kind === 'heif') return placeInHeif(source.read(0, MAX_PICTURE));
  if (kind === 'boxes') return placeInBoxes(source);
  for (const part of partsOf(source, kind)) {
    const place = placeInPart(source, part);
    if (place !== undefined) return place;
  }
  return undefined;
}

function placeInPart(source: Source, part: Part): string | undefined {
  if (part.name === 'eXIf' || part.name === 'EXIF' || part.name === 'ffe1') {
    const content = contentOf(source, part, MOST);
    return placeInExif(content) ?? placeInXmp(content);
  }
  if (part.name === 'XMP ') return placeInXmp(contentOf(source, part, MOST));
  if (['tEXt', 'zTXt', 'iTXt'].includes(part.name))
    return placeInText(part.name, contentOf(source, part, MOST));
  return undefined;
}

function placeInExif(content: Buffer): string | undefined {
  const { place } = readExif(content);
  return place === undefined ? undefined : shown(place[0], place[1]);
}

const shown = (latitude: number, longitude: number): string =>
  `${latitude.toFixed(1)}, ${longitude.toFixed(1)}`;

function placeInXmp(packet: Buffer): string | undefined {
  const found = new Map<string, number>();
  const text = packet.toString('latin1');
  for (const [, name = '', degrees, minutes, seconds, letter = ''] of text.matchAll(XMP_PLACE)) {
    const value = Number(degrees) + Number(minutes ?? 0) / 60 + Number(seconds ?? 0) / 3600;
    found.set(name, 'SW'.includes(letter) && letter !== '' ? -value : value);
  }
  const latitude = found.get('Latitude');
  const longitude = found.get('Longitude');
  if (latitude === undefined) return undefined;
  return longitude === undefined ? '' : shown(latitude, longitude);
}

/** `\nexif\n     140`, before the digits that ImageMagick writes. */
const HEAD_OF_DIGITS = /^[^\n]*\n[^\n]*\n\s*\d+/;

/** A text chunk of a PNG. */
function placeInText(name: string, chunk: Buffer): string | undefined {
  const keyword = chunk.toString('latin1', 0, Math.max(0, chunk.indexOf(0)));
  // ImageMagick writes EXIF as one text for each field, or as digits after a name and a length.
  if (keyword === 'exif:GPSLatitude') return '';
  const text = textOf(name, chunk);
  if (!/^Raw profile type (exif|APP1)$/i.test(keyword)) return placeInXmp(text);
  const digits = text.toString('latin1').replace(HEAD_OF_DIGITS, '');
  return placeInExif(Buffer.from(digits.replace(/[^\da-f]/gi, ''), 'hex'));
}

/** The text after the keyword, decompressed: https://www.w3.org/TR/png-3/#11textinfo */
function textOf(name: string, chunk: Buffer): Buffer {
  const behind = chunk.indexOf(0) + 1;
  if (name === 'tEXt') return chunk.subarray(behind);
  let at = behind + 1;
  if (name === 'iTXt') {
    // A language and a translated keyword follow.
    at = chunk.indexOf(0, chunk.indexOf(0, behind + 2) + 1) + 1;
    if (chunk[behind] === 0) return chunk.subarray(at);
  }
  try {
    return inflateSync(chunk.subarray(at), { maxOutputLength: MOST });
  } catch {
    return Buffer.alloc(0);
  }
}

/** A picture in boxes has EXIF and XMP somewhere in its data. */
function placeInHeif(file: Buffer): string | undefined {
  for (const byteOrder of ['MM\0*', 'II*\0']) {
    const at = file.indexOf(byteOrder);
    const place = at < 0 ? undefined : placeInExif(file.subarray(at));
    if (place !== undefined) return place;
  }
  return placeInXmp(file);
}

/**
 * `LOCATION`, the kind and length of its text, then the text. It is at the start or end of a film.
 */
function placeInWebm(source: Source): string | undefined {
  const from = Math.max(MOST, source.size - MOST);
  const ends = Buffer.concat([source.read(0, MOST), source.read(from, MOST)]).toString('latin1');
  for (const [text] of ends.matchAll(/LOCATION[^+-]{0,20}[+-][^/]{0,40}/gi)) {
    const found = ISO_6709.exec(text);
    if (found) return shown(Number(found[1]), Number(found[2]));
  }
  return undefined;
}

/** Boxes of texts about the film. */
const TEXTS = ['\xa9xyz', 'meta', 'loci', 'uuid', 'XMP_'];

function placeInBoxes(source: Source): string | undefined {
  for (const box of boxesOf(source)) {
    if (!TEXTS.includes(box.name)) continue;
    const place = placeInBox(box.name, contentOf(source, box, MOST));
    if (place !== undefined) return place;
  }
  return undefined;
}

/** Phones append a short film to a picture: a motion photo, or live photo. */
function findPlaceInMotionPhoto(source: Source): string | undefined {
  if (kindOf(source) !== 'jpeg') return undefined;
  const file = source.read(0, MAX_PICTURE);
  // The length of the first box is before its name.
  const film = file.indexOf('ftyp') - 4;
  return film < 0 ? undefined : placeInBoxes(sourceOf(file.subarray(film)));
}

function placeInBox(name: string, content: Buffer): string | undefined {
  if (name === 'loci') return placeIn3gpp(content);
  const text = content.toString('latin1');
  const isPlace = name === '\xa9xyz' || /location\.ISO6709|\xa9xyz/.test(text);
  const found = isPlace ? ISO_6709.exec(text) : null;
  if (found) return shown(Number(found[1]), Number(found[2]));
  return placeInXmp(content);
}

/**
 * The box of 3GPP: a name that ends with a zero and a byte, then numbers with 16 bits after the
 * point.
 */
function placeIn3gpp(content: Buffer): string {
  const at = content.indexOf(0, 6) + 2;
  if (at < 2 || content.length < at + 8) return '';
  return shown(content.readInt32BE(at + 4) / 65536, content.readInt32BE(at) / 65536);
}
