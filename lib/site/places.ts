/** Finds what a file tells of its owner: where it was taken, and the folders of a computer. */
import { inflateSync } from 'node:zlib';
import { readExif } from './exif.ts';
import type { SiteFiles } from './field-readers.ts';
import { isPointer, POINTER_FAULT } from './file-faults.ts';
import { contentOf, kindOf, type Part, partsOf, type Source, withFile } from './file-parts.ts';

/** Photographs of iPhones, and AVIF: `????ftypheic`, not `????ftypisom`. */
const HEIF = /^.{4}ftyp(hei|hev|mif1|msf1|avi)/s;

/** In bytes. */
const MOST_HEIF = 20e6;

/** How much of a part is looked through, in bytes. */
const MOST = 1 << 20;

/** `GPSLatitude="52,31.2N"` and `<exif:GPSLatitude>52,31.2N<`, not `GPSLatitudeRef="N"`. */
const XMP_PLACE =
  /GPS(Latitude|Longitude)\s*(?:=\s*["']|>)\s*([\d.]+)(?:,([\d.]+))?(?:,([\d.]+))?\s*([NSEW]?)/g;

/** `+52.5200+013.4050/` and `-33.8+151.2`, not `2024-05-01`. */
const ISO_6709 = /([+-]\d{2}(?:\.\d+)?)([+-]\d{3}(?:\.\d+)?)/;

/** `export-filename="/home/ada/a.png"` and `absref="C:\Users\ada"`, not `href="/home/a.png"`. */
const HOME =
  /(export-filename|absref)\s*=\s*["'](?:file:\/\/)?((?:[a-z]:)?[\\/](?:home|Users|root)\b[^"']*)/i;

/** Warns, in one line a file, of what the served files tell. */
export function warnOfPlaces(files: SiteFiles): void {
  for (const [url, file] of [...files.public, ...files.gated]) {
    const name = decodeURIComponent(url).slice(1);
    const found = withFile(file, (source) => findTold(source, name));
    if (found !== '') files.warnings.add(`${name} ${found}`);
  }
}

/** @returns a sentence without its subject; empty if nothing is told */
function findTold(source: Source, name: string): string {
  if (isPointer(source)) return POINTER_FAULT;
  const inFolder = 'in the folder of the site, run:';
  if (/\.svg$/i.test(name)) {
    const home = HOME.exec(source.read(0, MOST).toString());
    if (!home) return '';
    return `names a folder of your computer (${home[2]}); delete ${home[1]} in it`;
  }
  const place = findPlace(source);
  if (place === undefined) return '';
  const where = place === '' ? '' : ` (${place})`;
  if (/\.(mp4|m4v|mov|webm)$/i.test(name)) {
    const made = /\.webm$/i.test(name) ? 'new.webm' : '-movflags +faststart new.mp4';
    const command = `ffmpeg -i ${quoted(name)} -map_metadata -1 -c copy ${made}`;
    const replacing = `put ${made.replace(/.* /, '')} in its place`;
    return `says where it was taken${where}; ${inFolder} ${command}, and ${replacing}`;
  }
  const command = `exiftool -overwrite_original -gps:all= -xmp:geotag= ${quoted(name)}`;
  // ExifTool 12.57, that of Debian 12, does not write WebP, and leaves what ImageMagick wrote in a PNG.
  const strip = `convert ${quoted(name)} -auto-orient -strip ${quoted(name)}`;
  const other = ['webp', 'png'].includes(kindOf(source)) ? ` (or ${strip})` : '';
  return `says where it was taken${where}; ${inFolder} ${command}${other}`;
}

/** A name for a shell: `'a b.jpg'`. */
const quoted = (name: string): string =>
  /^[\w./-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;

/** @returns the coordinates, empty if they cannot be read, `undefined` without a place */
export function findPlace(source: Source): string | undefined {
  const kind = kindOf(source);
  if (kind === 'tiff') return placeInExif(source.read(0, MOST));
  if (kind === 'webm') return placeInWebm(source);
  if (kind === 'boxes' && HEIF.test(source.read(0, 12).toString('latin1')))
    return placeInHeif(source.read(0, MOST_HEIF));
  if (kind === 'boxes') return placeInBoxes(source, 0, source.size, 0);
  for (const part of partsOf(source, kind)) {
    const place = placeInPart(source, part);
    if (place !== undefined) return place;
  }
  return undefined;
}

function placeInPart(source: Source, part: Part): string | undefined {
  if (part.name === 'eXIf' || part.name === 'EXIF' || part.name === 'ffe1') {
    const content = contentOf(source, part, MOST);
    const isMarked = content.toString('latin1', 0, 4) === 'Exif';
    const place = placeInExif(isMarked ? content.subarray(6) : content);
    return place ?? placeInXmp(content);
  }
  if (part.name === 'XMP ') return placeInXmp(contentOf(source, part, MOST));
  if (['tEXt', 'zTXt', 'iTXt'].includes(part.name))
    return placeInText(part.name, contentOf(source, part, MOST));
  return undefined;
}

function placeInExif(tiff: Buffer): string | undefined {
  const { place } = readExif(tiff);
  return place && shown(place[0], place[1]);
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

/** A text chunk of a PNG. */
function placeInText(name: string, chunk: Buffer): string | undefined {
  const keyword = chunk.toString('latin1', 0, Math.max(0, chunk.indexOf(0)));
  // ImageMagick writes EXIF as one text for each field, or as digits, behind a name and a length.
  if (keyword === 'exif:GPSLatitude') return '';
  const text = textOf(name, chunk);
  if (!/^Raw profile type (exif|APP1)$/i.test(keyword)) return placeInXmp(text);
  const digits = text.toString('latin1').replace(/^[^\n]*\n[^\n]*\n\s*\d+/, '');
  const bytes = Buffer.from(digits.replace(/[^\da-f]/gi, ''), 'hex');
  return placeInExif(bytes.toString('latin1', 0, 4) === 'Exif' ? bytes.subarray(6) : bytes);
}

/** What stands behind the keyword, decompressed: https://www.w3.org/TR/png-3/#11textinfo */
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

/** A picture among boxes has its EXIF and XMP somewhere in its data. */
function placeInHeif(file: Buffer): string | undefined {
  for (const byteOrder of ['MM\0*', 'II*\0']) {
    const at = file.indexOf(byteOrder);
    const place = at < 0 ? undefined : placeInExif(file.subarray(at));
    if (place !== undefined) return place;
  }
  return placeInXmp(file);
}

/** `LOCATION`, the kind and length of its text, then the text: at the beginning or end of the film. */
function placeInWebm(source: Source): string | undefined {
  const from = Math.max(MOST, source.size - MOST);
  const ends = Buffer.concat([source.read(0, MOST), source.read(from, MOST)]).toString('latin1');
  for (const [text] of ends.matchAll(/LOCATION[^+-]{0,20}[+-][^/]{0,40}/gi)) {
    const found = ISO_6709.exec(text);
    if (found) return shown(Number(found[1]), Number(found[2]));
  }
  return undefined;
}

/** Boxes that hold others. */
const CONTAINERS = ['moov', 'trak', 'udta'];

function placeInBoxes(source: Source, from: number, to: number, depth: number): string | undefined {
  for (const box of partsOf(source, 'boxes', from, Math.min(to, source.size))) {
    let place: string | undefined;
    if (CONTAINERS.includes(box.name) && depth < 4)
      place = placeInBoxes(source, box.start, box.end, depth + 1);
    else if (['\xa9xyz', 'meta', 'loci', 'uuid', 'XMP_'].includes(box.name))
      place = placeInBox(box.name, contentOf(source, box, MOST));
    if (place !== undefined) return place;
  }
  return undefined;
}

function placeInBox(name: string, content: Buffer): string | undefined {
  if (name === 'loci') return placeIn3gpp(content);
  const text = content.toString('latin1');
  const isPlace = name === '\xa9xyz' || /location\.ISO6709|\xa9xyz/.test(text);
  const found = isPlace ? ISO_6709.exec(text) : null;
  if (found) return shown(Number(found[1]), Number(found[2]));
  return placeInXmp(content);
}

/** The box of 3GPP: after a name that ends with a zero and a byte, numbers of 16.16 bits. */
function placeIn3gpp(content: Buffer): string {
  const at = content.indexOf(0, 6) + 2;
  if (at < 2 || content.length < at + 8) return '';
  return shown(content.readInt32BE(at + 4) / 65536, content.readInt32BE(at) / 65536);
}
