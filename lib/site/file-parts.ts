/** Reads the parts of a picture or film, and leaves the rest on the disk. */
import fs from 'node:fs';

/** Larger pictures are refused, so no more bytes of one are searched. */
export const MAX_PICTURE = 20e6;

/** An open file. A read after its end is no error: it returns fewer bytes, or none. */
export type Source = {
  /** In bytes. */
  readonly size: number;
  readonly read: (at: number, length: number) => Buffer;
};

export type Part = {
  /** A JPEG marker such as `ffe1`, or four letters such as `IHDR`, `VP8X` and `moov`. */
  readonly name: string;
  /** The position where the content begins, and the one where it should end, in bytes. */
  readonly start: number;
  readonly end: number;
};

/** `boxes` are those of MP4 and QuickTime; `heif` is a picture in such boxes. */
export type Kind = 'jpeg' | 'png' | 'webp' | 'tiff' | 'pdf' | 'webm' | 'heif' | 'boxes' | 'other';

/** The largest number of parts that are read. A damaged file may seem to have more. */
const MAX_PARTS = 20_000;

/** Opens a file, reads it with a function, and closes it. @throws the errors of the file system */
export function withFile<T>(file: string, look: (source: Source) => T): T {
  const opened = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  try {
    const read = (at: number, length: number) => {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, fs.readSync(opened, bytes, 0, length, at));
    };
    return look({ size: fs.fstatSync(opened).size, read });
  } finally {
    fs.closeSync(opened);
  }
}

/** A file that is already in memory. */
export function sourceOf(file: Buffer): Source {
  return { size: file.length, read: (at, length) => file.subarray(at, at + length) };
}

/** Photographs of iPhones, and AVIF: `????ftypheic`, not `????ftypisom`. */
const HEIF = /^.{4}ftyp(hei|hev|mif1|msf1|avi)/s;

/** The first box of a film: `????ftyp`, or one of older films, not `RIFF`. */
const FIRST_BOX = /^.{4}(ftyp|moov|mdat|wide|free|skip|pnot)/s;

/** The kind of a file, by its first bytes and not by its name. */
export function kindOf(source: Source): Kind {
  const head = source.read(0, 12).toString('latin1');
  if (head.startsWith('\xff\xd8')) return 'jpeg';
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return 'webp';
  if (head.startsWith('II*\0') || head.startsWith('MM\0*')) return 'tiff';
  if (head.startsWith('%PDF-')) return 'pdf';
  // EBML begins with these bytes.
  if (head.startsWith('\x1a\x45\xdf\xa3')) return 'webm';
  if (HEIF.test(head)) return 'heif';
  return FIRST_BOX.test(head) ? 'boxes' : 'other';
}

/** The position of the first part of a file, in bytes. Other kinds have no parts to read. */
const FIRST_PARTS: Readonly<Partial<Record<Kind, number>>> = {
  jpeg: 2,
  png: 8,
  webp: 12,
  boxes: 0,
};

/**
 * The parts of a picture, or the boxes between two positions of a film. A JPEG is read up to its
 * SOS.
 */
export function* partsOf(
  source: Source,
  kind: Kind,
  from?: number,
  to?: number,
): Generator<Part, void, undefined> {
  const end = to ?? source.size;
  let at = from ?? FIRST_PARTS[kind] ?? end;
  for (let count = 0; count < MAX_PARTS && at < end; count += 1) {
    const head = source.read(at, 16);
    const part = head.length < 4 ? undefined : readPart(head, at, kind, end);
    if (!part || part.end < part.start) return;
    yield part;
    if (part.name === 'ffda') return;
    at = part.end;
    // In a PNG, a checksum of 4 bytes follows each part.
    if (kind === 'png') at += 4;
    // In a WebP, each part is padded to an even number of bytes.
    if (kind === 'webp') at += part.end % 2;
  }
}

/** Boxes that contain others: the formats of a track, or texts about the film. */
const CONTAINERS = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'udta'];

/** Boxes at a deeper level are not read. `stsd` is inside five others. */
const MAX_DEPTH = 6;

/** The boxes of a film and the boxes inside them, in the order of the file. */
export function* boxesOf(
  source: Source,
  from = 0,
  to = source.size,
  depth = 0,
): Generator<Part, void, undefined> {
  for (const box of partsOf(source, 'boxes', from, Math.min(to, source.size))) {
    if (!CONTAINERS.includes(box.name)) yield box;
    else if (depth < MAX_DEPTH) yield* boxesOf(source, box.start, box.end, depth + 1);
  }
}

/**
 * @param head the first 16 bytes of the part, or fewer
 * @returns `undefined` without one
 */
function readPart(head: Buffer, at: number, kind: Kind, end: number): Part | undefined {
  if (kind === 'jpeg') {
    const marker = head.toString('hex', 0, 2);
    if (!marker.startsWith('ff')) return undefined;
    return { name: marker, start: at + 4, end: at + 2 + head.readUInt16BE(2) };
  }
  if (head.length < 8) return undefined;
  const name = head.toString('latin1', 4, 8);
  if (kind === 'png') return { name, start: at + 8, end: at + 8 + head.readUInt32BE(0) };
  if (kind === 'webp') {
    const length = head.readUInt32LE(4);
    return { name: head.toString('latin1', 0, 4), start: at + 8, end: at + 8 + length };
  }
  // The length of a box. 0 means the rest of the file. 1 means that a length of 64 bits follows.
  const size = head.readUInt32BE(0);
  if (size === 0) return { name, start: at + 8, end };
  if (size !== 1) return { name, start: at + 8, end: at + size };
  if (head.length < 16) return undefined;
  return { name, start: at + 16, end: at + Number(head.readBigUInt64BE(8)) };
}

/** The content of a part, up to a number of bytes. */
export const contentOf = (source: Source, { start, end }: Part, most: number): Buffer =>
  source.read(start, Math.max(0, Math.min(end, source.size, start + most) - start));
