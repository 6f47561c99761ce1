/** Reads the size of a picture from its header, so that pages can keep its space. */

import { readExif } from './exif.ts';

/** In pixels; of an SVG in the units of its viewBox. */
export type Size = { readonly width: number; readonly height: number };

/** @returns `undefined` for a file that is no PNG, JPEG, WebP, or SVG with a `viewBox` */
export function imageSize(file: Buffer): Size | undefined {
  try {
    const size = readSize(file);
    return size && size.width > 0 && size.height > 0 ? size : undefined;
  } catch (error) {
    // The file ends too early.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readSize(file: Buffer): Size | undefined {
  const head = file.toString('latin1', 0, 16);
  if (head.startsWith('\x89PNG')) {
    return { width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
  }
  if (head.startsWith('\xff\xd8')) return sizeOfJpeg(file);
  if (head.startsWith('RIFF')) return sizeOfWebp(file, head.slice(12));
  return sizeOfSvg(file.toString());
}

/** A JPEG is a row of segments: a marker, and its length. The frame header (SOF) has the size. */
function sizeOfJpeg(file: Buffer): Size {
  let at = 2;
  let marker = file.readUInt8(at + 1);
  while (!isFrameHeader(marker)) {
    // `ff` fills the space before a marker.
    at += marker === 0xff ? 1 : 2 + file.readUInt16BE(at + 2);
    marker = file.readUInt8(at + 1);
  }
  const height = file.readUInt16BE(at + 5);
  const width = file.readUInt16BE(at + 7);
  return readExif(file).isTurned ? { width: height, height: width } : { width, height };
}

/** `c0` to `cf`, but not the markers among them that begin tables. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** Three kinds of header: https://developers.google.com/speed/webp/docs/riff_container */
function sizeOfWebp(file: Buffer, kind: string): Size {
  if (kind === 'VP8X') {
    return { width: file.readUIntLE(24, 3) + 1, height: file.readUIntLE(27, 3) + 1 };
  }
  if (kind === 'VP8 ') {
    return { width: file.readUInt16LE(26) & 0x3fff, height: file.readUInt16LE(28) & 0x3fff };
  }
  const bits = file.readUInt32LE(21);
  return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
}

/** `<svg viewBox="0 0 640 480">` */
function sizeOfSvg(svg: string): Size | undefined {
  const box = /<svg\b[^>]*?\sviewBox\s*=\s*["']([^"']+)/.exec(svg)?.[1] ?? '';
  const [, , width, height] = box.trim().split(/[\s,]+/);
  if (width === undefined || height === undefined) return undefined;
  return { width: Number(width), height: Number(height) };
}
