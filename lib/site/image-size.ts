/** Reads the size of an image from its header, so that pages reserve its space. */

/** In pixels, or in the units of an SVG's viewBox. */
export type ImageSize = { readonly width: number; readonly height: number };

/**
 * The size of a PNG, JPEG, WebP or SVG (its viewBox); `undefined` for other or damaged files.
 *
 * @param ending the extension, because browsers show an SVG only with its own Content-Type
 */
export function readImageSize(file: Buffer, ending: string): ImageSize | undefined {
  try {
    const size = /^\.svg$/i.test(ending)
      ? sizeOfSvg(file)
      : (sizeOfPng(file) ?? sizeOfJpeg(file) ?? sizeOfWebp(file));
    return size && size.width > 0 && size.height > 0 ? size : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined; // The file ends too early.
    throw error;
  }
}

function sizeOfPng(file: Buffer): ImageSize | undefined {
  if (file.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n') return undefined;
  return { width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
}

/** The size is in the frame header (SOF), after segments that each begin with their length. */
function sizeOfJpeg(file: Buffer): ImageSize | undefined {
  if (file.readUInt16BE(0) !== 0xffd8) return undefined;
  let at = 2;
  while (!isFrameHeader(file.readUInt16BE(at))) at += 2 + file.readUInt16BE(at + 2);
  const [height, width] = [file.readUInt16BE(at + 5), file.readUInt16BE(at + 7)];
  return isTurned(file.subarray(0, at)) ? { width: height, height: width } : { width, height };
}

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

const isFrameHeader = (marker: number): boolean =>
  marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);

function sizeOfWebp(file: Buffer): ImageSize | undefined {
  if (file.toString('latin1', 0, 4) !== 'RIFF') return undefined;
  switch (file.toString('latin1', 8, 16)) {
    case 'WEBPVP8X':
      return { width: file.readUIntLE(24, 3) + 1, height: file.readUIntLE(27, 3) + 1 };
    case 'WEBPVP8L': {
      const bits = file.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
    }
    case 'WEBPVP8 ':
      return { width: file.readUInt16LE(26) & 0x3fff, height: file.readUInt16LE(28) & 0x3fff };
    default:
      return undefined;
  }
}

const VIEW_BOX =
  /<svg\b[^<>]*\bviewBox\s*=\s*["']\s*[^\s,"']+[\s,]+[^\s,"']+[\s,]+([\d.]+)[\s,]+([\d.]+)\s*["']/;

function sizeOfSvg(file: Buffer): ImageSize | undefined {
  const [, width, height] = VIEW_BOX.exec(file.toString()) ?? [];
  return width && height ? { width: Number(width), height: Number(height) } : undefined;
}
