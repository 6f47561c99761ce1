/** Reads the parts of a picture or film, from the disk without what lies between. */
import fs from 'node:fs';

/** An open file. Reads throw RangeError nowhere: behind the end, they return fewer bytes. */
export type Source = {
  /** In bytes. */
  readonly size: number;
  readonly read: (at: number, length: number) => Buffer;
};

export type Part = {
  /** A JPEG marker such as `ffe1`, else four letters such as `IHDR`, `VP8X` and `moov`. */
  readonly name: string;
  /** Where the content begins, and where it ends by its own account, in bytes. */
  readonly start: number;
  readonly end: number;
};

export type Kind = 'jpeg' | 'png' | 'webp' | 'tiff' | 'webm' | 'boxes' | 'other';

/** A file has at most so many parts that are looked at. */
const MAX_PARTS = 20_000;

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

/** A file that was read already. */
export function sourceOf(file: Buffer): Source {
  return { size: file.length, read: (at, length) => file.subarray(at, at + length) };
}

/** The first box of a film: `????ftyp` and older ones, not `RIFF`. */
const FIRST_BOX = /^.{4}(ftyp|moov|mdat|wide|free|skip|pnot)/s;

export function kindOf(source: Source): Kind {
  const head = source.read(0, 12).toString('latin1');
  if (head.startsWith('\xff\xd8')) return 'jpeg';
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return 'webp';
  if (head.startsWith('II*\0') || head.startsWith('MM\0*')) return 'tiff';
  // The mark of EBML.
  if (head.startsWith('\x1a\x45\xdf\xa3')) return 'webm';
  return FIRST_BOX.test(head) ? 'boxes' : 'other';
}

/** The parts of a picture, or the boxes between two places of a film. A JPEG ends with its SOS. */
export function* partsOf(
  source: Source,
  kind: Kind,
  from?: number,
  to?: number,
): Generator<Part, void, undefined> {
  const end = to ?? source.size;
  let at = from ?? { jpeg: 2, png: 8, webp: 12, tiff: end, webm: end, boxes: 0, other: end }[kind];
  for (let count = 0; count < MAX_PARTS && at < end; count += 1) {
    const head = source.read(at, 16);
    const part = head.length < 4 ? undefined : readPart(head, at, kind, end);
    if (!part || part.end < part.start) return;
    yield part;
    if (part.name === 'ffda') return;
    at = part.end;
    if (kind === 'png') at += 4; // The checksum.
    if (kind === 'webp') at += part.end % 2; // Filled up to an even number.
  }
}

/** @returns `undefined` where there is none */
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
  const size = head.readUInt32BE(0);
  if (size === 0) return { name, start: at + 8, end };
  if (size !== 1) return { name, start: at + 8, end: at + size };
  if (head.length < 16) return undefined;
  return { name, start: at + 16, end: at + Number(head.readBigUInt64BE(8)) };
}

/** The content of a part, at most so many bytes. */
export const contentOf = (source: Source, { start, end }: Part, most: number): Buffer =>
  source.read(start, Math.max(0, Math.min(end, source.size, start + most) - start));
