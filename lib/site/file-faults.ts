/**
 * Finds files with a wrong or incomplete content, by their first bytes and the lengths that they
 * name.
 */
import { isUtf8 } from 'node:buffer';
import fs from 'node:fs';
import {
  boxesOf,
  contentOf,
  kindOf,
  MAX_PICTURE,
  partsOf,
  type Source,
  sourceOf,
  withFile,
} from './file-parts.ts';
import {
  decodeSvg,
  findLinkedPicture,
  hasUnknownSpace,
  isSvg,
  isUnclosedSvg,
  readFirstElement,
  SVG_NAMESPACE,
} from './svg.ts';

export type Fault = {
  /**
   * Whether no browser shows anything of the file. Otherwise some browsers show it, or a part of
   * it.
   */
  readonly isMistake: boolean;
  /** A sentence without its subject, the file. */
  readonly text: string;
};

const mistake = (text: string): Fault => ({ isMistake: true, text });
const warning = (text: string): Fault => ({ isMistake: false, text });

/** How a pointer of git LFS begins. */
const POINTER = 'version https://git-lfs.github.com/spec/';

export const POINTER_FAULT = 'is a pointer of git LFS, not the file itself; run: git lfs pull';

const CONVERT = 'convert it again from the original';

const CONVERT_FILM =
  'convert it: ffmpeg -i old -map_metadata -1 -pix_fmt yuv420p -movflags +faststart new.mp4';

/** @param kind of the field that names it. @returns the first fault; `undefined` without any */
export function findFault(file: string, kind: string): Fault | undefined {
  // A theme may be read without its files.
  if (!fs.existsSync(file)) return undefined;
  return withFile(file, (source) => {
    if (isPointer(source)) return mistake(POINTER_FAULT);
    if (source.size === 0 && kind === 'video') return warning('is empty; copy it there again');
    if (kind === 'video') return faultOfFilm(source);
    if (kind === 'font') return faultOfFont(source);
    if (kind === 'captions') return faultOfCaptions(source);
    if (kind === 'pdf') return faultOfPdf(source);
    if (isSvg(file)) return faultOfSvg(source);
    return undefined;
  });
}

export const isPointer = (source: Source): boolean =>
  source.read(0, POINTER.length).toString('latin1') === POINTER;

/**
 * The first bytes of MP3, Ogg and FLAC, not `ftyp` and not `\xff\xff`. Some browsers play the sound
 * of such a film, and show its poster.
 */
const SOUND = /^(ID3|OggS|fLaC|\xff[\xe0-\xfe])/;

function faultOfFilm(source: Source): Fault | undefined {
  if (kindOf(source) === 'webm') return undefined;
  const names = new Set<string>();
  let isCut = false;
  for (const box of partsOf(source, 'boxes')) {
    names.add(box.name);
    if (box.end > source.size) isCut = true;
  }
  const head = source.read(0, 4).toString('latin1');
  if (SOUND.test(head)) return warning('is sound, not a film; convert it to MP4');
  if (!names.has('ftyp') && !names.has('moov'))
    return mistake('is not a film that browsers play, whatever its name says');
  if (isCut && !names.has('moov')) return mistake(`is incomplete, and plays nowhere; ${CONVERT}`);
  if (isCut) return warning(`is incomplete, and ends too early; ${CONVERT}`);
  if (!names.has('ftyp'))
    return warning(`has no ftyp, and does not play in every browser; ${CONVERT}`);
  for (const box of boxesOf(source)) {
    const fault = box.name === 'stsd' ? faultOfFormat(contentOf(source, box, 400)) : undefined;
    if (fault) return fault;
  }
  return undefined;
}

/** Names of HEVC, also in Dolby Vision. */
const HEVC = ['hvc1', 'hev1', 'dvh1', 'dvhe'];

/** MPEG-4 Part 2, H.263 and Motion JPEG, of older cameras and phones. */
const OLD_FORMATS = ['mp4v', 's263', 'jpeg'];

/** H.264 with 10 bits, 4:2:2 or 4:4:4, by the numbers of its profiles. */
const STUDIO_PROFILES = [110, 122, 244];

/** @param stsd the content of this box: the formats of a track, usually one */
function faultOfFormat(stsd: Buffer): Fault | undefined {
  // Before the name, there are a version, a number, and the length of the first format.
  const format = stsd.toString('latin1', 12, 16);
  if (HEVC.includes(format))
    return warning('is HEVC (H.265), which many browsers do not play; convert it to H.264');
  if (OLD_FORMATS.includes(format))
    return warning(`is ${format}, an old format that most browsers do not play; ${CONVERT_FILM}`);
  // Between the name and the profile, there is a version.
  const settings = stsd.indexOf('avcC');
  if (settings >= 0 && STUDIO_PROFILES.includes(stsd[settings + 5] ?? 0))
    return warning(`is H.264 in a form that many browsers do not play; ${CONVERT_FILM}`);
  return undefined;
}

/** The first bytes of fonts that browsers show, whatever the file is called. */
const OTHER_FONTS = ['\0\x01\0\0', 'OTTO', 'true', 'ttcf', 'wOFF'];

function faultOfFont(source: Source): Fault | undefined {
  const first = source.read(0, 12);
  const head = first.toString('latin1', 0, 4);
  if (head === 'wOF2') {
    // The length of the file comes after the kind of the font.
    const isCut = first.length < 12 || first.readUInt32BE(8) > source.size;
    return isCut
      ? warning('is incomplete, and is not shown; copy it again from the original')
      : undefined;
  }
  if (OTHER_FONTS.includes(head))
    return warning('is not WOFF2, whatever its name says, and loads slowly; convert it to WOFF2');
  return mistake('is not a WOFF2 font, whatever its name says; convert it to WOFF2');
}

function faultOfSvg(source: Source): Fault | undefined {
  const svg = decodeSvg(source.read(0, Math.min(source.size, MAX_PICTURE)));
  const first = readFirstElement(svg);
  if (first?.name.replace(/^.*:/, '') !== 'svg')
    return mistake('does not begin with <svg>, so browsers show a broken picture; export it again');
  if (!svg.includes(SVG_NAMESPACE))
    return mistake(
      `lacks its namespace, so browsers show a broken picture; write <svg xmlns="${SVG_NAMESPACE}">`,
    );
  if (hasUnknownSpace(svg))
    return warning('has &nbsp;, where browsers stop drawing; write &#160; in its place');
  if (source.size <= MAX_PICTURE && isUnclosedSvg(svg))
    return warning('is incomplete: its last tag is not closed; export it again');
  const linked = findLinkedPicture(svg);
  if (linked !== undefined)
    return warning(`links to ${linked}, which browsers do not load; embed it in the drawing`);
  return undefined;
}

/** `WEBVTT` and `WEBVTT - fog`, not `WEBVTTX`. */
const WEBVTT = /^WEBVTT([ \t\r\n]|$)/;

/** A time of SRT: `00:00:01,000 --> 00:00:02,000`, not `00:01.000 --> 00:02.000`. */
const COMMA_TIME = /^[ \t]*\d+:[\d:]+,\d{3}[ \t]*-->/m;

/** Captions are small: an hour of speech has about 0.1 MB. */
const MOST_CAPTIONS = 10e6;

function faultOfCaptions(source: Source): Fault | undefined {
  const file = source.read(0, Math.min(source.size, MOST_CAPTIONS));
  const text = file.toString().replace(/^\uFEFF/, '');
  if (WEBVTT.test(text)) {
    if (!isUtf8(file)) return warning('is not UTF-8; save it as UTF-8');
    if (COMMA_TIME.test(text))
      return warning('has times with commas, so browsers show no captions; write 00:00:01.000');
    return undefined;
  }
  if (!isUtf8(file) || text.includes('\0'))
    return mistake('is not UTF-8; save it as WebVTT in UTF-8');
  return mistake(
    'does not begin with WEBVTT; save it as WebVTT, or convert it: ffmpeg -i old.srt new.vtt',
  );
}

/** Larger PDFs are slow to open. In bytes. */
const MOST_PDF = 50e6;

function faultOfPdf(source: Source): Fault | undefined {
  if (kindOf(source) !== 'pdf')
    return mistake('is not a PDF, whatever its name says; save it as PDF');
  if (source.size > MOST_PDF)
    return warning(
      `has ${(source.size / 1e6).toFixed(0)} MB, which is slow to open; make it smaller`,
    );
  return undefined;
}

/** Whether the end of a picture is missing. Browsers show only a part of it. */
export function isCutPicture(file: Buffer): boolean {
  const source = sourceOf(file);
  const kind = kindOf(source);
  if (kind === 'png') return ![...partsOf(source, kind)].some(({ name }) => name === 'IEND');
  // The file has an even number of bytes, but the last one is sometimes missing.
  if (kind === 'webp') return file.readUInt32LE(4) + 8 > file.length + 1;
  return kind === 'jpeg' && isCutJpeg(file, source);
}

/** Whether the mark of the end, `ffd9`, is missing after the first scan (SOS, `ffda`). */
function isCutJpeg(file: Buffer, source: Source): boolean {
  const scan = [...partsOf(source, 'jpeg')].find(({ name }) => name === 'ffda');
  if (scan === undefined) return true;
  for (let at = file.indexOf(0xff, scan.end); at >= 0; at = file.indexOf(0xff, at + 1))
    if (file[at + 1] === 0xd9) return false;
  return true;
}
