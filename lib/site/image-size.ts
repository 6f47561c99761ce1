/** Reads the size of an image from its header, so that pages can reserve its space. */
import { orientationOf, unlessMissing } from './exif.ts';

export type Size = { readonly width: number; readonly height: number };

/** Judged by the name of the file, because its Content-Type follows from the name. */
export const isSvg = (name: string): boolean => /\.svg$/i.test(name);

/**
 * The size of a PNG, JPEG, WebP (in pixels) or SVG (in the units of its viewBox, or in px).
 *
 * @returns `undefined` for other or damaged files
 */
export function readImageSize(file: Buffer, name: string): Size | undefined {
  const size = unlessMissing(() => (isSvg(name) ? sizeOfSvg(decodeSvg(file)) : sizeOfRaster(file)));
  return size && size.width > 0 && size.height > 0 ? size : undefined;
}

function sizeOfRaster(file: Buffer): Size | undefined {
  const head = file.toString('latin1', 0, 12);
  if (head.startsWith('\x89PNG\r\n\x1a\n'))
    return { width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
  if (head.startsWith('\xff\xd8')) return sizeOfJpeg(file);
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return sizeOfWebp(file);
  return undefined;
}

/** Three kinds of header: https://developers.google.com/speed/webp/docs/riff_container */
function sizeOfWebp(file: Buffer): Size | undefined {
  const format = file.toString('latin1', 12, 16);
  // With features such as alpha: 24 bits each, less 1.
  if (format === 'VP8X')
    return { width: file.readUIntLE(24, 3) + 1, height: file.readUIntLE(27, 3) + 1 };
  // Lossy: the lower 14 bits of 16.
  if (format === 'VP8 ')
    return { width: file.readUInt16LE(26) & 0x3fff, height: file.readUInt16LE(28) & 0x3fff };
  if (format !== 'VP8L') return undefined;
  // Lossless: 14 bits each, less 1.
  const bits = file.readUInt32LE(21);
  return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
}

const EXIF_MARK = 'Exif\0\0';

/** The size is in the frame header. The EXIF before it says whether browsers turn the picture. */
function sizeOfJpeg(file: Buffer): Size {
  const frame = findFrame(file);
  const height = file.readUInt16BE(frame + 5);
  const width = file.readUInt16BE(frame + 7);
  // Browsers read only the first EXIF. The orientations 5 to 8 are turned by 90°.
  const exif = file.subarray(0, frame).indexOf(EXIF_MARK);
  const orientation = exif < 0 ? 1 : orientationOf(file.subarray(exif + EXIF_MARK.length));
  const isTurned = [5, 6, 7, 8].includes(orientation ?? 1);
  return isTurned ? { width: height, height: width } : { width, height };
}

/**
 * The position of the frame header (SOF) of a JPEG, after segments that begin with their length:
 * https://www.w3.org/Graphics/JPEG/itu-t81.pdf, B.2.2.
 *
 * @throws {RangeError} if the file ends before it
 */
export function findFrame(file: Buffer): number {
  let at = 2;
  while (!isFrameHeader(file.readUInt16BE(at))) at += 2 + file.readUInt16BE(at + 2);
  return at;
}

/** `ffc0` to `ffcf`, without the markers among them that begin tables. */
const isFrameHeader = (marker: number): boolean =>
  marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);

/** The text of an SVG. In UTF-16 and UTF-32, zeros stand beside the ASCII characters of XML. */
export const decodeSvg = (file: Buffer): string => file.toString().replaceAll('\0', '');

/** `<svg a=">" ` and `<s:svg `, up to the space before an attribute. */
const BEFORE_ATTRIBUTE = String.raw`<(?:[^\s<>/:]+:)?svg\b(?:[^<>"']|"[^"]*"|'[^']*')*?\s`;

/** `0 0 640 480`: the position of the corner, then the size, which is read. */
const BOX = String.raw`\s*[^\s,"']+[\s,]+[^\s,"']+[\s,]+([\d.]+)[\s,]+([\d.]+)\s*`;

/** `viewBox="0 0 640 480"` */
const VIEW_BOX = new RegExp(`${BEFORE_ATTRIBUTE}viewBox${String.raw`\s*=\s*["']`}${BOX}["']`);

/** `width="640"` and `height = '640px'`, not `100%` and not `12cm`. */
const pixels = (attribute: string): RegExp =>
  new RegExp(`${BEFORE_ATTRIBUTE}${attribute}${String.raw`\s*=\s*["']\s*([\d.]+)(?:px)?\s*["']`}`);

const WIDTH = pixels('width');
const HEIGHT = pixels('height');

function sizeOfSvg(svg: string): Size {
  const [, width, height] = VIEW_BOX.exec(svg) ?? [];
  if (width !== undefined) return { width: Number(width), height: Number(height) };
  return { width: Number(WIDTH.exec(svg)?.[1]), height: Number(HEIGHT.exec(svg)?.[1]) };
}
