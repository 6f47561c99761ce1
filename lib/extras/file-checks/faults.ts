/** Finds files with a wrong or incomplete content, by their first bytes and the lengths in them. */
import { isUtf8 } from 'node:buffer';
import { unlessMissing } from '../../site/exif.ts';
import type { Fault } from '../../site/field-readers.ts';
import { findFrame, isSvg } from '../../site/image-size.ts';
import { isPointer, POINTER_FAULT } from '../../site/json.ts';
import type { ServedFile } from './served-file.ts';

const mistake = (text: string) => ({ isMistake: true, text });
const warning = (text: string) => ({ isMistake: false, text });

type Check = (file: ServedFile) => { isMistake: boolean; text: string } | undefined;

/** The files that a check looks at, and whether a link to such a file shows it as a page would. */
const CHECKS: readonly (readonly [names: RegExp, alsoInLinks: boolean, check: Check])[] = [
  [/\.(mp4|webm)$/i, false, faultOfFilm],
  [/\.woff2$/i, false, faultOfFont],
  [/\.vtt$/i, false, faultOfCaptions],
  [/\.pdf$/i, true, faultOfPdf],
  [/\.svg$/i, true, faultOfSvg],
  [/^images\//, false, faultInDarkScheme],
  [/\.(jpe?g|png|webp)$/i, false, faultOfPicture],
];

export function findFaults(file: ServedFile): readonly Fault[] {
  if (isPointer(file.bytes)) return [{ ...mistake(POINTER_FAULT), alsoInLinks: true }];
  const faults: Fault[] = [];
  for (const [names, alsoInLinks, check] of CHECKS) {
    const fault = names.test(file.name) ? check(file) : undefined;
    if (fault) faults.push({ ...fault, alsoInLinks });
  }
  return faults;
}

/** The first bytes of WebM, not of MP4, which are a length and `ftyp`. */
const EBML = '\x1a\x45\xdf\xa3';

/** The first bytes of MP3, Ogg, FLAC and WAV, not `\xff\xff`. Some browsers play the sound. */
const SOUND = /^(ID3|OggS|fLaC|RIFF....WAVE|\xff[\xe0-\xfe])/s;

/** Films that many browsers do not play, by their format, or the profile of H.264. */
const UNPLAYED: readonly (readonly [RegExp, string])[] = [
  [/stsd.{12}(hvc1|hev1|dvh1|dvhe)/s, 'HEVC (H.265)'],
  [/stsd.{12}(mp4v|s263|jpeg)/s, 'in an old format'],
  [/avcC.[\x6e\x7a\xf4]/s, 'H.264 with 10 bits or without 4:2:0'],
];

const CONVERT_FILM =
  'convert it: ffmpeg -i old -map_metadata -1 -pix_fmt yuv420p -movflags +faststart new.mp4';

/** A film has some boxes. One for streaming has two for each part of some seconds. */
const MOST_BOXES = 20_000;

/** A film is a list of boxes, each of which begins with its length and name. */
function faultOfFilm({ size, read }: ServedFile) {
  const head = read(0, 12).toString('latin1');
  if (head === '') return warning('is empty; copy it there again');
  if (head.startsWith(EBML)) return undefined;
  if (SOUND.test(head)) return warning('is sound, not a film; convert it to MP4');
  let hasFtyp = false;
  let moov: string | undefined;
  let at = 0;
  for (let boxes = 0; boxes < MOST_BOXES && at + 8 <= size; boxes += 1) {
    const box = read(at, 16);
    const name = box.toString('latin1', 4, 8);
    if (name === 'ftyp') hasFtyp = true;
    if (name === 'moov') moov ??= read(at, 4e6).toString('latin1');
    at += lengthOfBox(box, size - at);
  }
  if (moov === undefined)
    return mistake(
      'is not a film that browsers play, or is incomplete; convert it again from the original',
    );
  if (at > size)
    return warning('is incomplete, and ends too early; convert it again from the original');
  if (!hasFtyp) return warning(`has no ftyp, and does not play in every browser; ${CONVERT_FILM}`);
  for (const [pattern, format] of UNPLAYED)
    if (pattern.test(moov))
      return warning(`is ${format}, which many browsers do not play; ${CONVERT_FILM}`);
  return undefined;
}

/** 0 means the rest of the file. 1 means that a length of 64 bits follows. */
function lengthOfBox(box: Buffer, left: number): number {
  const length = box.readUInt32BE(0);
  if (length === 0) return left;
  if (length !== 1 || box.length < 16) return Math.max(8, length);
  return Math.max(16, Number(box.readBigUInt64BE(8)));
}

/** The first bytes of fonts that browsers show, whatever the file is called. */
const OTHER_FONTS = ['\0\x01\0\0', 'OTTO', 'true', 'ttcf', 'wOFF'];

function faultOfFont({ bytes }: ServedFile) {
  const head = bytes.toString('latin1', 0, 4);
  if (head === 'wOF2') return undefined;
  const fault = 'is not WOFF2, whatever its name says; convert it to WOFF2';
  return OTHER_FONTS.includes(head) ? warning(fault) : mistake(fault);
}

/** `WEBVTT` and `WEBVTT - fog`, not `WEBVTTX`. */
const WEBVTT = /^WEBVTT([ \t\r\n]|$)/;

/** A time of SRT: `00:00:01,000 --> 00:00:02,000`, not `00:01.000 --> 00:02.000`. */
const COMMA_TIME = /^[ \t]*\d+:[\d:]+,\d{3}[ \t]*-->/m;

function faultOfCaptions({ bytes }: ServedFile) {
  const text = bytes.toString().replace(/^\uFEFF/, '');
  const hasMark = WEBVTT.test(text);
  if (!isUtf8(bytes)) {
    const fault = 'is not UTF-8; save it as WebVTT in UTF-8';
    return hasMark ? warning(fault) : mistake(fault);
  }
  if (!hasMark) return mistake('does not begin with WEBVTT; convert it: ffmpeg -i old.srt new.vtt');
  if (COMMA_TIME.test(text))
    return warning('has times with commas, so browsers show no captions; write 00:00:01.000');
  return undefined;
}

/** The declarations, comments and DOCTYPE before the first element. */
const PROLOG = /^(?:[^<]*<(?:\?.*?\?>|!--.*?-->|![^>]*>))*/s;

/** `<svg ` and `<svg:svg>`, not `<svgx>` and not `<html>`. */
const SVG_ELEMENT = /^[^<]*<(?:[^\s<>/:]+:)?svg[\s/>]/;

/** The namespace, or one with references, which are not decoded: `xmlns="http&#58;//…"`. */
const NAMESPACE = /http:\/\/www\.w3\.org\/2000\/svg|xmlns[^\s<>=]*\s*=\s*["'][^"'<>]*&/;

/** `</svg>`, `</svg:svg>`, or the only tag of an empty drawing, `<svg/>`; not `<svg><g/>`. */
const LAST_TAG = /<\/[^\s<>]*svg\s*>|^[^<]*<[^<]*\/>\s*$/;

/** A picture in its own file: `<image href="a.jpg"`, not `<image href="data:…"` or `"#a"`. */
const LINKED_PICTURE = /<(?:[\w-]+:)?image\s[^<>]*?\bhref\s*=\s*["'](?!\s*data:|#)([^"']+)/i;

function faultOfSvg({ svg }: ServedFile) {
  const isBroken = 'so browsers show a broken picture';
  // A declaration may contain elements: `<!ENTITY a "<g/>">`.
  const elements = svg.replace(PROLOG, '');
  const isSvgElement = svg.includes('<!ENTITY') || SVG_ELEMENT.test(elements);
  if (!isSvgElement) return mistake(`does not begin with <svg>, ${isBroken}; export it again`);
  if (!NAMESPACE.test(svg))
    return mistake(
      `lacks its namespace, ${isBroken}; write <svg xmlns="http://www.w3.org/2000/svg">`,
    );
  if (svg.includes('&nbsp;') && !/<!ENTITY\s+nbsp\s/.test(svg))
    return warning('has &nbsp;, where browsers stop drawing; write &#160; in its place');
  if (!LAST_TAG.test(elements))
    return warning('is incomplete: its last tag is not closed; export it again');
  const [, linked] = LINKED_PICTURE.exec(svg) ?? [];
  if (linked === undefined) return undefined;
  return warning(`links to ${linked}, which browsers do not load; embed it in the drawing`);
}

/** Browsers show a PDF if this many bytes contain its mark: some programs write a line before it. */
const MOST_BEFORE_PDF = 1024;

/** Larger PDFs are slow to open. In bytes. */
const MOST_PDF = 50e6;

function faultOfPdf({ bytes, size }: ServedFile) {
  if (!bytes.subarray(0, MOST_BEFORE_PDF).includes('%PDF-'))
    return mistake('is not a PDF, whatever its name says; save it as PDF');
  if (size <= MOST_PDF) return undefined;
  return warning(`has ${(size / 1e6).toFixed(0)} MB, which is slow to open; make it smaller`);
}

/** Browsers show only a part of a picture whose end is missing. */
function faultOfPicture({ bytes }: ServedFile) {
  if (!unlessMissing(() => isCut(bytes))) return undefined;
  return warning('is incomplete: its end is missing; copy it again from the original');
}

/** @throws {RangeError} if the file ends before its picture begins */
function isCut(file: Buffer): boolean {
  const head = file.toString('latin1', 0, 4);
  if (head === '\x89PNG') return !file.includes('IEND');
  // The file has an even number of bytes, but the last one is sometimes missing.
  if (head === 'RIFF') return file.readUInt32LE(4) + 8 > file.length + 1;
  const isJpeg = head.startsWith('\xff\xd8');
  return isJpeg && file.indexOf('\xff\xd9', findFrame(file), 'latin1') < 0;
}

function faultInDarkScheme({ name, bytes, svg }: ServedFile) {
  const isTransparent = isSvg(name) ? !FOLLOWS_SCHEME.test(svg) : hasAlpha(bytes);
  if (!isTransparent) return undefined;
  return warning('is transparent; in the dark scheme it stands on a dark background');
}

/** Signs that an SVG follows the scheme: `@media (prefers-color-scheme: dark)`, `var(--ink)`. */
const FOLLOWS_SCHEME = /prefers-color-scheme|var\(--/;

/** Whether the page behind a PNG or WebP may be visible. */
function hasAlpha(file: Buffer): boolean {
  const head = file.toString('latin1', 0, 16);
  if (head.startsWith('\x89PNG')) {
    // Types 4 and 6 have an alpha channel. The others may have a transparent colour.
    const hasChannel = file[25] === 4 || file[25] === 6;
    return hasChannel || file.subarray(0, file.indexOf('IDAT')).includes('tRNS');
  }
  let flags = 0;
  if (head.endsWith('WEBPVP8X')) flags = file[20] ?? 0;
  if (head.endsWith('WEBPVP8L')) flags = file[24] ?? 0;
  return (flags & 0x10) !== 0;
}
