/** Private facts in files: where they were made, and folders of a computer. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../../../lib/config.ts';
import { examineFiles } from '../../../lib/extras/file-checks/examine-files.ts';
import { findPlace } from '../../../lib/extras/file-checks/places.ts';
import { loadSite } from '../../../lib/site/site.ts';
import { temporaryFolder } from '../../support/temporary.ts';

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
const ISO = '\x12\0\x15\xc7+52.5000+013.4000/';
const ANDROID = Buffer.concat([FTYP, box('moov', box('udta', box('\xa9xyz', ISO)))]);
const APPLE = `com.apple.quicktime.location.ISO6709${' 2025-05-01T12:00:00+0200'.repeat(20)}`;
/** Longitude and latitude with 16.16 bits. */
const LOCI = '\0\0\0\0\x15\xc7name\0\0\0\x0d\x67\xae\0\x34\x85\x1e\0\0\0\0earth\0';
const XMP = '<x:xmpmeta><rdf exif:GPSLatitude="52,30N" exif:GPSLongitude="13,24,0E"/>';
const asDrawing = (photograph: Buffer) =>
  // Inkscape breaks the lines of a picture so.
  `<svg><image href="data:image/jpeg;base64,${photograph.toString('base64').replace(/(.{76})/g, '$1&#10;')}"/></svg>`;

const BERLIN = '52.5, 13.4';
const TOLD: readonly (readonly [what: string, content: Buffer | string, place: string])[] = [
  ['EXIF of a JPEG, little-endian', inJpeg(exif('II')), BERLIN],
  ['EXIF of a JPEG, big-endian', inJpeg(exif('MM', 'S')), '-52.5, 13.4'],
  ['EXIF of a PNG', inPng('eXIf', exif('MM')), BERLIN],
  ['EXIF of a WebP', inWebp('EXIF', exif('II')), BERLIN],
  ['EXIF of a TIFF', exif('II'), BERLIN],
  ['EXIF of a HEIC', Buffer.concat([box('ftyp', 'heic'), box('mdat', exif('MM'))]), BERLIN],
  ['EXIF behind one without a place', Buffer.concat([exif('II', 'N', 0), exif('II')]), BERLIN],
  ['a photograph in a PDF', Buffer.concat([Buffer.from('%PDF-1.4\n'), inJpeg(exif('MM'))]), BERLIN],
  ['a photograph in an SVG', asDrawing(inJpeg(exif('MM'))), BERLIN],
  ['XMP of a JPEG', withSegments(Buffer.from(XMP)), ''],
  ['XMP as elements', '<exif:GPSLatitude>52,30.0N</exif:GPSLatitude>', ''],
  ['XMP of a WebP', inWebp('XMP ', Buffer.from(XMP)), ''],
  ['a PNG of ImageMagick', inPng('tEXt', Buffer.from('exif:GPSLatitude\x0052/1')), ''],
  ['a film of Android', ANDROID, BERLIN],
  ['a film of Apple', Buffer.concat([FTYP, box('moov', `${APPLE}+52.5000+013.4000/`)]), BERLIN],
  ['a film of ffmpeg', Buffer.concat([FTYP, box('moov', box('loci', LOCI))]), BERLIN],
  ['a WebM', '\x1a\x45\xdf\xa3LOCATIOND\x87\x92+52.5200+013.4050/', BERLIN],
  ['the film behind a photograph', Buffer.concat([jpeg, ANDROID]), BERLIN],
];
const bytesOf = (content: Buffer | string) =>
  typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
for (const [what, content, place] of TOLD)
  test(`${what} tells a place`, () => assert.equal(findPlace(bytesOf(content)), place));

test('a version, zero denominators and plain files tell no place', () => {
  for (const content of [
    jpeg,
    png,
    image('321x123-extended.webp'),
    inJpeg(exif('II', 'N', 0)),
    inJpeg(exif('MM', 'N', 1, [0])),
    inJpeg(exif('II', 'N', 1, [1, 2])),
    Buffer.concat([FTYP, box('moov', box('udta', 'date 2024-05-01'))]),
    inPng('tEXt', Buffer.from('Comment\0GPSLatitude')),
    Buffer.from('<rdf exif:GPSLatitudeRef="N"/>'),
    Buffer.from('LOCATION and nothing else, 2024-05-01'),
    Buffer.from('loci\0\0\0\0'),
    Buffer.from(asDrawing(jpeg)),
  ])
    assert.equal(findPlace(content), undefined);
});

test('cut files and changed bytes are read without an exception', () => {
  for (const content of TOLD.map((row) => bytesOf(row[1])))
    for (let at = 1; at < content.length - 4; at += 3) {
      findPlace(content.subarray(0, at));
      const changed = Buffer.from(content);
      changed.fill(at % 2 === 0 ? 0xff : 0, at, at + 4);
      findPlace(changed);
    }
});

const RUN = 'says where it was taken (52.5, 13.4); in the folder of the site, run:';
/** The command for a picture, and the one for a place that it leaves. */
const remedy = (name: string) =>
  `exiftool -overwrite_original -gps:all= -xmp:geotag= ${name}; if that leaves it, run: convert ${name} -auto-orient -strip ${name}`;
const HOLDS = 'holds a photograph that says where it was taken (52.5, 13.4)';
const FILM = '-map_metadata -1 -c copy -movflags +faststart';
const POINTER = 'version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 2\n';

const FILES: readonly (readonly [name: string, content: Buffer | string, said: string])[] = [
  ['a b.jpg', inJpeg(exif('II')), `${RUN} ${remedy("'images/a b.jpg'")}`],
  // As macOS writes an ü.
  ['u\u0308.jpg', inJpeg(exif('II')), `${RUN} ${remedy("'images/u\u0308.jpg'")}`],
  ['a.webp', inWebp('EXIF', exif('II')), `${RUN} ${remedy('images/a.webp')}`],
  [
    'film.mp4',
    // The place is at the end of a large file.
    Buffer.concat([FTYP, Buffer.alloc(20e6), ANDROID]),
    `${RUN} ffmpeg -i images/film.mp4 ${FILM} new.mp4, and put new.mp4 in its place`,
  ],
  [
    'logo.svg',
    '<svg inkscape:export-filename="/home/ada/logo.png"/>',
    'names a folder of your computer (/home/ada/logo.png); delete export-filename in it',
  ],
  [
    'drawing.svg',
    asDrawing(inJpeg(exif('II'))),
    `${HOLDS}; remove the place from it, and make the file again`,
  ],
  ['book.pdf', inJpeg(exif('II')), `${HOLDS}; remove the place from it, and make the file again`],
  ['a.txt', POINTER, 'is a pointer of git LFS, not the file itself; run: git lfs pull'],
  ['plain.jpg', jpeg, ''],
  ['empty.jpg', '', ''],
  ['link.svg', '<svg><a href="/home/a.png"/></svg>', ''],
];
for (const [name, content, said] of FILES)
  test(`${name} ${said === '' ? 'is right' : `is named: ${said.slice(0, 40)}`}`, () => {
    const file = path.join(temporaryFolder(), 'images', name);
    fs.mkdirSync(path.dirname(file));
    fs.writeFileSync(file, bytesOf(content));
    const warnings = new Set<string>();
    const gated = new Map([[`/images/${encodeURIComponent(name.normalize())}`, file]]);
    examineFiles({ public: new Map(), gated, faults: new Map(), warnings });
    assert.deepEqual([...warnings], said === '' ? [] : [`images/${name} ${said}`]);
  });

test('a drawing of very many pictures is searched at once', () => {
  const begin = performance.now();
  for (const end of ['', "'", '"']) findPlace(Buffer.from(`base64,QUJD${end}`.repeat(100_000)));
  assert.ok(performance.now() - begin < 4000, `${performance.now() - begin} ms`);
});

test('the files of the test site tell no place', () => {
  const talwind = path.join(root, 'test/site/talwind');
  const { warnings } = loadSite(talwind, '', 'start', examineFiles);
  assert.ok(!warnings.some((line) => /where it was taken|your computer/.test(line)));
});
