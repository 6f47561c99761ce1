/** Reads the size of an image from its header, so that pages can reserve its space. */
import { readExif } from './exif.ts';
import { kindOf, partsOf, sourceOf } from './file-parts.ts';
import { decodeSvg, sizeOfSvg } from './svg.ts';

export type Size = { readonly width: number; readonly height: number };

/**
 * The size of a PNG, JPEG, WebP (in pixels) or SVG (in the units of its viewBox, or in px).
 *
 * @param ending of the name. Only `.svg` is an SVG, because browsers need its Content-Type.
 * @returns `undefined` for other or damaged files
 */
export function readImageSize(file: Buffer, ending: string): Size | undefined {
  try {
    const size = ending.toLowerCase() === '.svg' ? sizeOfSvg(decodeSvg(file)) : sizeOfRaster(file);
    return size && size.width > 0 && size.height > 0 ? size : undefined;
  } catch (error) {
    // The data end too early.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function sizeOfRaster(file: Buffer): Size | undefined {
  const kind = kindOf(sourceOf(file));
  if (kind === 'png') return { width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
  if (kind === 'jpeg') return sizeOfJpeg(file);
  if (kind === 'webp') return sizeOfWebp(file);
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

/**
 * The size is in the frame header (SOF): https://www.w3.org/Graphics/JPEG/itu-t81.pdf, B.2.2. The
 * EXIF before it says whether browsers turn the picture by 90°.
 */
function sizeOfJpeg(file: Buffer): Size | undefined {
  let isTurned: boolean | undefined;
  for (const { name, start, end } of partsOf(sourceOf(file), 'jpeg')) {
    const isExif = name === 'ffe1' && file.toString('latin1', start, start + 4) === 'Exif';
    // Browsers read only the first EXIF. The orientations 5 to 8 are turned by 90°.
    if (isExif) isTurned ??= readExif(file.subarray(start, end)).orientation >= 5;
    if (!isFrameHeader(name)) continue;
    const height = file.readUInt16BE(start + 1);
    const width = file.readUInt16BE(start + 3);
    return isTurned ? { width: height, height: width } : { width, height };
  }
  return undefined;
}

/** `ffc0` to `ffcf`, without the markers among them that begin tables. */
const isFrameHeader = (marker: string): boolean =>
  marker.startsWith('ffc') && !['ffc4', 'ffc8', 'ffcc'].includes(marker);
