/** Looks at the headers of a video, which may have GBs: whether browsers play it. */
import fs from 'node:fs';

/** Codings that the browsers of the last years play. */
const PICTURES = ['avc1', 'av01', 'vp09'];
const SOUND = ['mp4a', 'Opus', 'fLaC'];
const WEBM = ['V_VP8', 'V_VP9', 'V_AV1'];

/** H.264 of 8 bits and 4:2:0: Baseline, Main and High. */
const PROFILES = [66, 77, 100];

/** A film in fragments of a second has two parts in each. */
const MOST_READS = 100_000;

/** The remedy. */
export const CONVERT =
  'convert it: ffmpeg -i old -vf scale=-2:1080 -pix_fmt yuv420p -movflags +faststart new.mp4';

type Read = (at: number, bytes: number) => Buffer;

/** A part of an MP4, without its header. */
type Box = { readonly type: string; readonly at: number; readonly end: number };

type Look = { readonly mistake?: string; readonly warning?: string };

/**
 * @param type the Content-Type with which it is sent; some browsers believe it
 * @returns what keeps browsers from playing the file, or makes them wait for it; with the remedy
 */
export function lookAtVideo(file: string, type: string): Look {
  const descriptor = fs.openSync(file, 'r');
  let reads = 0;
  const read = (at: number, bytes: number) => {
    reads += 1;
    if (reads > MOST_READS) throw new RangeError('too many parts');
    const buffer = Buffer.alloc(bytes);
    return buffer.subarray(0, fs.readSync(descriptor, buffer, 0, bytes, at));
  };
  try {
    const isEbml = read(0, 4).toString('hex') === '1a45dfa3';
    const look: Look = isEbml ? lookAtWebm(read) : lookAtMp4(read, fs.fstatSync(descriptor).size);
    const ending = isEbml ? 'webm' : 'mp4';
    return look.mistake || type === `video/${ending}`
      ? look
      : { mistake: `the name of such a file must end in .${ending}` };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { mistake: 'it is damaged, cut short, or neither an MP4 nor a WebM' };
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Its header and its list of tracks are within the first 64 KB. */
function lookAtWebm(read: Read) {
  const head = read(0, 65_536).toString('latin1');
  const coding = /V_[A-Z]\w*/.exec(head)?.[0] ?? 'no pictures';
  return head.includes('webm') && WEBM.includes(coding) ? {} : unplayable(coding);
}

function lookAtMp4(read: Read, size: number) {
  const parts = [...boxes(read, { type: 'file', at: 0, end: size })];
  const [index, media] = ['moov', 'mdat'].map((kind) => parts.find(({ type }) => type === kind));
  if (parts[0]?.type !== 'ftyp' || !index || !media) throw new RangeError('a part is missing');
  const [pictures = [], sound = []] = ['vmhd', 'smhd'].map((kind) => codings(read, index, kind));
  const wrong = [
    ...pictures.filter(({ type }) => !PICTURES.includes(type)),
    ...sound.filter(({ type }) => !SOUND.includes(type)),
  ].map(({ type }) => type);
  for (const { type, at, end } of pictures) {
    // The 78 bytes before it hold the size of the pictures, among others.
    const [setup] = inside(read, [{ type, at: at + 78, end }], 'avcC');
    const profile = setup && read(setup.at, 2).readUInt8(1);
    if (profile !== undefined && !PROFILES.includes(profile))
      wrong.push(`H.264 profile ${profile}`);
  }
  if (pictures.length === 0) wrong.push('no pictures');
  if (wrong.length > 0) return unplayable(wrong.join(', '));
  if (index.at < media.at) return {};
  const remedy = 'ffmpeg -i old.mp4 -c copy -movflags +faststart new.mp4';
  return { warning: `its index is at its end, so it starts late; move it: ${remedy}` };
}

const unplayable = (coding: string) => ({
  mistake: `not all browsers play it (${coding}); ${CONVERT}`,
});

/** How the tracks of pictures (`vmhd`) or of sound (`smhd`) are coded. */
function codings(read: Read, index: Box, kind: string): readonly Box[] {
  const tracks = inside(read, [index], 'trak', 'mdia', 'minf');
  const ofKind = tracks.filter((track) => inside(read, [track], kind).length > 0);
  // The list begins with a version and a count.
  return inside(read, ofKind, 'stbl', 'stsd').flatMap((list) => [
    ...boxes(read, { ...list, at: list.at + 8 }),
  ]);
}

/** The boxes at a path of types. */
const inside = (read: Read, from: readonly Box[], ...path: readonly string[]): readonly Box[] =>
  path.reduce(
    (found, type) =>
      found.flatMap((box) => [...boxes(read, box)].filter((each) => each.type === type)),
    from,
  );

/** @throws {RangeError} where a box is longer than what holds it */
function* boxes(read: Read, { at, end }: Box): Generator<Box> {
  for (let next = at; next + 8 <= end; ) {
    const header = read(next, 16);
    const size = header.readUInt32BE(0);
    // 1: the size follows in 64 bits. 0: up to the end.
    const length = size === 1 ? Number(header.readBigUInt64BE(8)) : size || end - next;
    const start = next + (size === 1 ? 16 : 8);
    next += length;
    if (next < start || next > end) throw new RangeError('a box is cut short');
    yield { type: header.toString('latin1', 4, 8), at: start, end: next };
  }
}
