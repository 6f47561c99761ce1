/** Finds files that only look right, by their first bytes and the lengths that they tell. */
import { isUtf8 } from 'node:buffer';
import fs from 'node:fs';
import { contentOf, kindOf, partsOf, type Source, sourceOf, withFile } from './file-parts.ts';
import {
  decodeSvg,
  hasUnknownSpace,
  isUnclosedSvg,
  readFirstElement,
  SVG_NAMESPACE,
} from './svg.ts';

/** Whether browsers show nothing of the file, or a part of it, or only some of them. */
export type Fault = { readonly isMistake: boolean; readonly text: string };

const mistake = (text: string): Fault => ({ isMistake: true, text });
const warning = (text: string): Fault => ({ isMistake: false, text });

const POINTER = 'version https://git-lfs.github.com/spec/';

/** What to say of one. */
export const POINTER_FAULT = 'is a pointer of git LFS, not the file itself; run: git lfs pull';

const CONVERT = 'convert it again from the original';

/** @param kind of the field that names it. @returns what is wrong first; `undefined` for nothing */
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
    if (/\.svg$/i.test(file)) return faultOfSvg(source);
    return undefined;
  });
}

export const isPointer = (source: Source): boolean =>
  source.read(0, POINTER.length).toString('latin1') === POINTER;

/** The first bytes of MP3, Ogg and FLAC: some browsers play their sound, and show the poster. */
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
  if (isCut && !names.has('moov')) return mistake(`is cut, and plays nowhere; ${CONVERT}`);
  if (isCut) return warning(`is cut, and ends too early; ${CONVERT}`);
  if (!names.has('ftyp'))
    return warning(`has no ftyp, and does not play in every browser; ${CONVERT}`);
  if (hasHevc(source, 0, source.size))
    return warning('is HEVC (H.265), which many browsers do not play; convert it to H.264');
  return undefined;
}

/** The boxes around the formats of the tracks. */
const TRACKS = ['moov', 'trak', 'mdia', 'minf', 'stbl'];

function hasHevc(source: Source, from: number, to: number): boolean {
  for (const box of partsOf(source, 'boxes', from, Math.min(to, source.size))) {
    if (TRACKS.includes(box.name) && hasHevc(source, box.start, box.end)) return true;
    const isFormat = box.name === 'stsd';
    // A version, a number, and the length of the first format stand before its name.
    if (isFormat && /^(hvc1|hev1)/.test(contentOf(source, box, 16).toString('latin1', 12)))
      return true;
  }
  return false;
}

/** The first bytes of fonts that browsers show, whatever the name says. */
const OTHER_FONTS = ['\0\x01\0\0', 'OTTO', 'true', 'ttcf', 'wOFF'];

function faultOfFont(source: Source): Fault | undefined {
  const first = source.read(0, 12);
  const head = first.toString('latin1', 0, 4);
  if (head === 'wOF2') {
    // The length of the file stands behind the kind of the font.
    const isCut = first.length < 12 || first.readUInt32BE(8) > source.size;
    return isCut ? warning('is cut, and is not shown; copy it again from the original') : undefined;
  }
  if (OTHER_FONTS.includes(head))
    return warning('is not WOFF2, whatever its name says, and loads slowly; convert it to WOFF2');
  return mistake('is not a WOFF2 font, whatever its name says; convert it to WOFF2');
}

/** A larger picture is refused for its size, in bytes. */
const MOST_SVG = 20e6;

function faultOfSvg(source: Source): Fault | undefined {
  const svg = decodeSvg(source.read(0, Math.min(source.size, MOST_SVG)));
  const first = readFirstElement(svg);
  if (first?.name.replace(/^.*:/, '') !== 'svg')
    return mistake('does not begin with <svg>, so browsers show a broken picture; export it again');
  if (!svg.includes(SVG_NAMESPACE))
    return mistake(
      `lacks its namespace, so browsers show a broken picture; write <svg xmlns="${SVG_NAMESPACE}">`,
    );
  if (hasUnknownSpace(svg))
    return warning('has &nbsp;, where browsers stop drawing; write &#160; in its place');
  if (source.size <= MOST_SVG && isUnclosedSvg(svg))
    return warning('is cut: its last tag is not closed; export it again');
  return undefined;
}

/** Captions are small: an hour of speech has about 0.1 MB. */
const MOST_CAPTIONS = 10e6;

function faultOfCaptions(source: Source): Fault | undefined {
  const file = source.read(0, Math.min(source.size, MOST_CAPTIONS));
  const text = file.toString().replace(/^\uFEFF/, '');
  if (/^WEBVTT([ \t\r\n]|$)/.test(text))
    return isUtf8(file) ? undefined : warning('is not UTF-8; save it as UTF-8');
  if (!isUtf8(file) || text.includes('\0'))
    return mistake('is not UTF-8; save it as WebVTT in UTF-8');
  return mistake(
    'does not begin with WEBVTT; save it as WebVTT, or convert it: ffmpeg -i old.srt new.vtt',
  );
}

/** Larger ones are slow to open, in bytes. */
const MOST_PDF = 50e6;

function faultOfPdf(source: Source): Fault | undefined {
  if (source.read(0, 5).toString('latin1') !== '%PDF-')
    return mistake('is not a PDF, whatever its name says; save it as PDF');
  if (source.size > MOST_PDF)
    return warning(`has ${(source.size / 1e6).toFixed(0)} MB, slow to open; save it smaller`);
  return undefined;
}

/** Whether the end of a picture is missing. Browsers show a part of it. */
export function isCutPicture(file: Buffer): boolean {
  const source = sourceOf(file);
  const kind = kindOf(source);
  if (kind === 'png') return ![...partsOf(source, kind)].some(({ name }) => name === 'IEND');
  // An even number of bytes, whose last one is sometimes left out.
  if (kind === 'webp') return file.readUInt32LE(4) + 8 > file.length + 1;
  return kind === 'jpeg' && isCutJpeg(file, source);
}

/** After each start of a scan (SOS), `ff` is a marker unless 00 or a restart (d0 to d7) follows. */
function isCutJpeg(file: Buffer, source: Source): boolean {
  const scan = [...partsOf(source, 'jpeg')].find(({ name }) => name === 'ffda');
  if (scan === undefined) return true;
  for (let at = file.indexOf(0xff, scan.end); at >= 0; at = file.indexOf(0xff, at + 1))
    if (file[at + 1] === 0xd9) return false;
  return true;
}
