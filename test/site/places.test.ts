/** What files tell: where they were taken, and folders of a computer. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { root } from '../../lib/config.ts';
import { withFile } from '../../lib/site/file-parts.ts';
import { findPlace, warnOfPlaces } from '../../lib/site/places.ts';
import { loadSite } from '../../lib/site/site.ts';
import { temporaryFolder } from '../support/temporary.ts';

const folder = temporaryFolder();

function placeOf(content: Buffer): string | undefined {
  const file = path.join(folder, 'file');
  fs.writeFileSync(file, content);
  return withFile(file, findPlace);
}

const image = (name: string) => fs.readFileSync(path.join(root, 'test/site/images', name));
const jpeg = image('321x123.jpg');
const png = image('321x123.png');

/** EXIF with a GPS directory. @param below the denominators of the latitude */
function exif(order: 'II' | 'MM', reference = 'N', below = 1, tags = [1, 2, 3, 4]): Buffer {
  const data = Buffer.alloc(140);
  const short = (value: number, at: number) =>
    order === 'II' ? data.writeUInt16LE(value, at) : data.writeUInt16BE(value, at);
  const long = (value: number, at: number) =>
    order === 'II' ? data.writeUInt32LE(value, at) : data.writeUInt32BE(value, at);
  data.write(order, 0, 'latin1');
  short(42, 2);
  long(8, 4);
  short(1, 8);
  short(0x8825, 10);
  long(26, 18);
  short(tags.length, 26);
  tags.forEach((tag, i) => {
    const at = 28 + 12 * i;
    short(tag, at);
    short(tag % 2 === 0 ? 5 : 2, at + 2);
    long(tag % 2 === 0 ? 3 : 2, at + 4);
    if (tag % 2 === 0) long(tag === 2 ? 84 : 108, at + 8);
    else data.write(tag === 1 ? reference : 'E', at + 8, 'latin1');
  });
  [52, 30, 0, 13, 24, 0].forEach((value, i) => {
    long(value, 84 + 8 * i);
    long(i < 3 ? below : 1, 88 + 8 * i);
  });
  return data;
}

function segment(content: Buffer): Buffer {
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}
const withSegments = (...contents: readonly Buffer[]) =>
  Buffer.concat([jpeg.subarray(0, 2), ...contents.map(segment), jpeg.subarray(2)]);
const inJpeg = (data: Buffer) =>
  withSegments(Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), data]));

function inPng(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length);
  head.write(name, 4, 'latin1');
  const end = png.length - 12;
  return Buffer.concat([png.subarray(0, end), head, content, Buffer.alloc(4), png.subarray(end)]);
}

function inWebp(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 0, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([image('321x123-extended.webp'), head, content]);
}

function box(name: string, ...contents: readonly (Buffer | string)[]): Buffer {
  const content = Buffer.concat(contents.map((each) => Buffer.from(each as string, 'latin1')));
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length + 8);
  head.write(name, 4, 'latin1');
  return Buffer.concat([head, content]);
}
const FTYP = box('ftyp', 'isom\0\0\0\0');
const LARGE_MDAT = Buffer.from('000000016d64617400000000000000140000abcd', 'hex');
const ISO = '\x12\0\x15\xc7+52.5000+013.4000/';

const XMP = Buffer.from('<x:xmpmeta><rdf exif:GPSLatitude="52,30N" exif:GPSLongitude="13,24,0E"/>');
const AS_ELEMENT = '<exif:GPSLatitude>52,30.0N</exif:GPSLatitude><exif:GPSLongitude>13,24E<';
const ITXT = 'XML:com.adobe.xmp\0';
const DIGITS = `Raw profile type exif\0\0`;

const HEIC = box('ftyp', 'heic\0\0\0\0mif1');
const EBML = '\x1a\x45\xdf\xa3';

const BERLIN = '52.5, 13.4';
const TOLD: readonly (readonly [string, Buffer, string])[] = [
  ['EXIF of a JPEG, little-endian', inJpeg(exif('II')), BERLIN],
  ['EXIF of a JPEG, big-endian', inJpeg(exif('MM', 'S')), '-52.5, 13.4'],
  ['EXIF of a PNG', inPng('eXIf', exif('MM')), BERLIN],
  ['EXIF of a WebP', inWebp('EXIF', exif('II')), BERLIN],
  ['EXIF of a TIFF', exif('II'), BERLIN],
  [
    'a second EXIF',
    withSegments(Buffer.from('Exif\0\0'), inJpeg(exif('II')).subarray(6, 152)),
    BERLIN,
  ],
  ['XMP of a JPEG', withSegments(XMP), BERLIN],
  ['XMP as elements', withSegments(Buffer.from(AS_ELEMENT)), BERLIN],
  ['XMP of a PNG', inPng('iTXt', Buffer.concat([Buffer.from(`${ITXT}\0\0\0\0`), XMP])), BERLIN],
  [
    'compressed XMP of a PNG',
    inPng('iTXt', Buffer.concat([Buffer.from(`${ITXT}\x01\0\0\0`), deflateSync(XMP)])),
    BERLIN,
  ],
  [
    'EXIF that ImageMagick wrote into a PNG',
    inPng(
      'zTXt',
      Buffer.concat([
        Buffer.from(DIGITS),
        deflateSync(`\nexif\n     140\n${exif('MM').toString('hex')}`),
      ]),
    ),
    BERLIN,
  ],
  ['EXIF as text fields of a PNG', inPng('tEXt', Buffer.from('exif:GPSLatitude\x0052/1')), ''],
  ['EXIF of a HEIC', Buffer.concat([HEIC, box('mdat', 'Exif\0\0', exif('MM'))]), BERLIN],
  ['EXIF of an AVIF', Buffer.concat([box('ftyp', 'avif'), box('mdat', exif('II'))]), BERLIN],
  ['XMP of a HEIC', Buffer.concat([HEIC, box('mdat', exif('II', 'N', 0), XMP)]), BERLIN],
  [
    'the tags of a WebM',
    Buffer.from(`${EBML}LOCATIOND\x87\x92+52.5200+013.4050/`, 'latin1'),
    BERLIN,
  ],
  ['XMP of a WebP', inWebp('XMP ', XMP), BERLIN],
  ['a film', Buffer.concat([FTYP, box('moov', box('udta', box('\xa9xyz', ISO)))]), BERLIN],
  [
    'a film whose moov is behind a mdat of 64 bits',
    Buffer.concat([FTYP, LARGE_MDAT, box('moov', box('udta', box('\xa9xyz', ISO)))]),
    BERLIN,
  ],
  [
    'the keys of Apple',
    Buffer.concat([
      FTYP,
      box('moov', box('meta', 'keys com.apple.quicktime.location.ISO6709 ilst +52.5+013.4/')),
    ]),
    BERLIN,
  ],
];
for (const [what, content, place] of TOLD)
  test(`${what} tells a place`, () => assert.equal(placeOf(content), place));

test('the tags at the end of a long WebM tell a place', () => {
  const parts = [EBML, '\0'.repeat(3e6), 'location__+52.5+013.4/'];
  assert.equal(placeOf(Buffer.from(parts.join(''), 'latin1')), BERLIN);
});

test('a version, zero denominators and plain files tell no place', () => {
  for (const content of [
    jpeg,
    png,
    image('321x123-extended.webp'),
    inJpeg(exif('II', 'N', 0)),
    inJpeg(exif('MM', 'N', 1, [0])),
    inJpeg(exif('II', 'N', 1, [1, 2])),
    Buffer.concat([FTYP, box('moov', box('udta', 'date 2024-05-01'))]),
    Buffer.concat([HEIC, box('mdat', exif('MM', 'N', 0))]),
    inPng('tEXt', Buffer.from('Comment\0GPSLatitude')),
    inPng('iTXt', Buffer.from('XML:com.adobe.xmp\0\x01\0\0\0no zlib')),
    Buffer.from(`${EBML}LOCATION and nothing else, 2024-05-01`, 'latin1'),
  ])
    assert.equal(placeOf(content), undefined);
});

test('a cut file and random bytes are read without an exception', () => {
  for (const [, content] of TOLD)
    for (let end = 0; end < content.length; end += 7) placeOf(content.subarray(0, end));
  for (const [, content] of TOLD)
    for (let at = 1; at < content.length - 4; at += 3) {
      const changed = Buffer.from(content);
      changed.fill(at % 2 === 0 ? 0xff : 0, at, at + 4);
      placeOf(changed);
    }
});

test('the warning has the command for its file, in one line', () => {
  const files = { public: new Map<string, string>(), gated: new Map<string, string>() };
  const svg = '<svg inkscape:export-filename="/home/ada/logo.png"/>';
  const photograph = inJpeg(exif('II')).toString('base64');
  // Inkscape breaks the lines of a picture so.
  const lines = photograph.replace(/(.{76})/g, '$1&#10;');
  const film = Buffer.concat([FTYP, box('moov', box('udta', box('\xa9xyz', ISO)))]);
  for (const [name, content] of [
    ['a b.jpg', inJpeg(exif('II'))],
    ['logo.svg', Buffer.from(svg)],
    ['drawing.svg', Buffer.from(`<svg><image href="data:image/jpeg;base64,${lines}"/></svg>`)],
    ['clean.svg', Buffer.from('<svg><image href="data:image/png;base64,iVBORw0K"/></svg>')],
    ['motion.jpg', Buffer.concat([jpeg, film])],
    ['still.jpg', Buffer.concat([jpeg, FTYP, box('moov')])],
    ['shown.jpg', withSegments(Buffer.concat([Buffer.from('<Iptc4xmpExt:LocationShown>'), XMP]))],
    ['extract.pdf', Buffer.concat([Buffer.from('%PDF-1.4\nExif\0\0'), inJpeg(exif('MM'))])],
    ['clean.pdf', Buffer.concat([Buffer.from('%PDF-1.4\n'), inJpeg(exif('MM', 'N', 0))])],
    ['film.mp4', TOLD[12]?.[1] ?? jpeg],
    ['empty.jpg', Buffer.alloc(0)],
  ] as const) {
    fs.writeFileSync(path.join(folder, name), content);
    files.gated.set(`/images/${encodeURIComponent(name)}`, path.join(folder, name));
  }
  const warnings = new Set<string>();
  warnOfPlaces({ ...files, warnings });
  const run = 'says where it was taken (52.5, 13.4); in the folder of the site, run:';
  assert.deepEqual(
    [...warnings],
    [
      `images/a b.jpg ${run} exiftool -overwrite_original -gps:all= -xmp:geotag= 'images/a b.jpg'`,
      'images/logo.svg names a folder of your computer (/home/ada/logo.png); delete export-filename in it',
      'images/drawing.svg holds a photograph that says where it was taken (52.5, 13.4); remove the place from it, and put the photograph into the drawing again',
      `images/motion.jpg ${run} exiftool -overwrite_original -gps:all= -xmp:geotag= -trailer:all= images/motion.jpg`,
      `images/shown.jpg ${run} exiftool -overwrite_original -gps:all= -xmp:geotag= -xmp-iptcExt:all= images/shown.jpg`,
      'images/extract.pdf holds a photograph that says where it was taken (52.5, 13.4); remove the place from it, and make the PDF again',
      `images/film.mp4 ${run} ffmpeg -i images/film.mp4 -map_metadata -1 -c copy -movflags +faststart new.mp4, and put new.mp4 in its place`,
    ],
  );
});

test('the files of the test site tell no place', () => {
  const { warnings } = loadSite(path.join(root, 'test/site/talwind'), '');
  assert.ok(!warnings.some((line) => /where it was taken|your computer/.test(line)));
});
