/** Reads the size of an image from its header, so that pages reserve its space. */

/**
 * The size of a PNG, JPEG, WebP (in pixels) or SVG (in the units of its viewBox); `undefined` for
 * other or damaged files. Browsers show an SVG only with its own Content-Type, so `ending` decides.
 */
export function readImageSize(file: Buffer, ending: string) {
  try {
    const [width = 0, height = 0] = /^\.svg$/i.test(ending) ? sizeOfSvg(file) : sizeOfRaster(file);
    return width > 0 && height > 0 ? { width, height } : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined; // The file ends too early.
    throw error;
  }
}

/** Width and height; empty for other files. */
function sizeOfRaster(file: Buffer): readonly number[] {
  const head = file.toString('latin1', 0, 16);
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return [file.readUInt32BE(16), file.readUInt32BE(20)];
  if (head.startsWith('\xff\xd8')) return sizeOfJpeg(file);
  const [, webp] = /^RIFF.{4}WEBPVP8([X L])/s.exec(head) ?? [];
  if (webp === 'X') return [file.readUIntLE(24, 3) + 1, file.readUIntLE(27, 3) + 1];
  if (webp === ' ') return [file.readUInt16LE(26) & 0x3fff, file.readUInt16LE(28) & 0x3fff];
  if (webp !== 'L') return [];
  const bits = file.readUInt32LE(21);
  return [(bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1];
}

/** The size is in the frame header (SOF), after segments that each begin with their length. */
function sizeOfJpeg(file: Buffer): readonly number[] {
  let at = 2;
  while (!isFrameHeader(file.readUInt16BE(at))) at += 2 + file.readUInt16BE(at + 2);
  const [height, width] = [file.readUInt16BE(at + 5), file.readUInt16BE(at + 7)];
  return isTurned(file.subarray(0, at)) ? [height, width] : [width, height];
}

const isFrameHeader = (marker: number): boolean =>
  marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);

/** EXIF's orientation entry up to its value, little-endian and big-endian. */
const ORIENTATION = ['1201030001000000', '011200030000000100'].map((hex) =>
  Buffer.from(hex, 'hex'),
);

/** Whether the EXIF orientation is 5 to 8, which browsers rotate by 90°. */
const isTurned = (head: Buffer): boolean =>
  ORIENTATION.some((entry) => {
    const at = head.indexOf(entry);
    return at >= 0 && [5, 6, 7, 8].includes(head[at + entry.length] ?? 0);
  });

const VIEW_BOX =
  /<svg\b[^<>]*\bviewBox\s*=\s*["']\s*[^\s,"']+[\s,]+[^\s,"']+[\s,]+([\d.]+)[\s,]+([\d.]+)\s*["']/;

const sizeOfSvg = (file: Buffer): readonly number[] =>
  VIEW_BOX.exec(file.toString())?.slice(1).map(Number) ?? [];
