/** The pictures and the video of an entry, their sizes, and how a mistake in them is named. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../../lib/config.ts';
import { readTimelineEntry } from '../../lib/site/content.ts';
import { readImageSize } from '../../lib/site/image-size.ts';
import { listSiteFiles } from '../../lib/site/site-files.ts';
import { mistakesOf } from '../support/mistakes.ts';
import { temporaryFolder } from '../support/site.ts';

const folder = temporaryFolder();
fs.mkdirSync(path.join(folder, 'media'));
fs.writeFileSync(path.join(folder, 'media', 'film.mp4'), '');
fs.cpSync(path.join(root, 'test/site/images'), path.join(folder, 'images'), { recursive: true });
const CAPTIONS = {
  'plain.vtt': 'WEBVTT',
  'mark.vtt': '\uFEFFWEBVTT - Größe\r\n',
  'srt.vtt': '1\n00:00:00,000 --> 00:00:01,000\nHello.\n',
  'almost.vtt': 'WEBVTTX\n',
};
for (const [name, text] of Object.entries(CAPTIONS))
  fs.writeFileSync(path.join(folder, 'media', name), text);
fs.writeFileSync(path.join(folder, 'media', 'latin.vtt'), 'WEBVTT\n\nGr\xf6\xdfe', 'latin1');

const picture = { src: '321x123.png', alt: 'A picture.' };
const video = { src: 'film.mp4', poster: '321x123.jpg', description: 'A video.' };

const files = listSiteFiles(folder);
const read = (fields: object) =>
  readTimelineEntry(
    { date: '2025-01-21', headline: 'x', text: 'x', ...fields },
    'timeline[0]',
    files,
  );

const mistakes = (fields: object) => mistakesOf(() => read(fields));

test('several pictures bring their sizes', () => {
  const { images } = read({ images: [picture, { src: '321x123-lossy.webp', alt: '' }] });
  const found = images?.map(({ url, width, height, alt }) => [url, width, height, alt]);
  assert.deepEqual(found, [
    ['/images/321x123.png', 321, 123, 'A picture.'],
    ['/images/321x123-lossy.webp', 321, 123, ''],
  ]);
  assert.deepEqual(mistakes({ images: [picture, { src: '321x123.png' }] }), [
    'timeline[0].images[1].alt: missing or not a text',
  ]);
});

test('a video brings its files, with the size of its poster', () => {
  const { video: found } = read({ video: { ...video, captions: { src: 'plain.vtt' } } });
  assert.equal(found?.src.url, '/media/film.mp4');
  assert.equal(found?.poster.width, 321);
  assert.deepEqual([found?.loop, found?.captions?.language], [false, undefined]);
  assert.equal(found?.captions?.src.url, '/media/plain.vtt');
  assert.deepEqual(mistakes({ video: { ...video, captions: { src: 'mark.vtt' } } }), []);
});

test('an entry has only one of image, images and video', () => {
  const images = [picture];
  for (const scenes of [
    { image: picture, images },
    { image: picture, video },
    { images, video },
  ])
    assert.deepEqual(mistakes(scenes), ['timeline[0]: only one of image, images and video']);
});

for (const [fields, at, what] of [
  // Other mistakes in a name are in files.test.ts.
  [{ src: 'none.mp4' }, 'src', /^there is no file media\/none\.mp4$/],
  [{ poster: undefined }, 'poster', /^missing or not a text$/],
  [{ poster: 'film.mp4' }, 'poster', /is of a kind that is not supported/],
  [{ description: '' }, 'description', /^missing or not a text$/],
  [{ loop: 'yes' }, 'loop', /^not true or false$/],
  [{ captions: 'plain.vtt' }, 'captions', /^not an object$/],
  [{ captions: { src: 'plain.vtt', language: 'x y' } }, 'captions.language', /^not a language tag/],
  [{ captions: { src: 'srt.vtt' } }, 'captions.src', /^media\/srt\.vtt is not WebVTT/],
  [{ captions: { src: 'almost.vtt' } }, 'captions.src', /^media\/almost\.vtt is not WebVTT/],
  [{ captions: { src: 'latin.vtt' } }, 'captions.src', /^media\/latin\.vtt is not WebVTT/],
] as const)
  test(`a video with ${JSON.stringify(fields)} is a mistake at ${at}`, () => {
    const [mistake = '', ...others] = mistakes({ video: { ...video, ...fields } });
    const prefix = `timeline[0].video.${at}: `;
    assert.ok(mistake.startsWith(prefix), mistake);
    assert.match(mistake.slice(prefix.length), what);
    assert.deepEqual(others, []);
  });

/** A picture of 321 × 123 pixels from Chromium. The plain WebP files lack its colour profile. */
const bytesOf = (name: string): Buffer =>
  fs.readFileSync(path.join(root, 'test/site/images', name));

const PHOTO = bytesOf('321x123.jpg');
const SIZE = { width: 321, height: 123 };
const TURNED = { width: 123, height: 321 };

const SVG = '.svg';
const PNG = '.png';
const JPEG = '.jpg';

for (const littleEndian of [true, false])
  test(`a rotated JPEG has its size as displayed, ${littleEndian ? 'little' : 'big'}-endian`, () => {
    for (const orientation of [1, 3, 5, 6, 7, 8]) {
      const turned = withOrientation(PHOTO, orientation, littleEndian);
      assert.deepEqual(readImageSize(turned, JPEG), orientation < 5 ? SIZE : TURNED);
    }
  });

test('a JPEG with truncated EXIF data has its size as displayed', () => {
  for (const length of [10, 18, 22, 30]) {
    const whole = withOrientation(PHOTO, 6, true);
    const cut = Buffer.concat([whole.subarray(0, length), PHOTO.subarray(2)]);
    cut.writeUInt16BE(length - 4, 4);
    assert.deepEqual(readImageSize(cut, PNG), SIZE, `${length - 10} bytes of EXIF data`);
  }
});

/** The JPEG with EXIF data of one entry, as a camera writes it. */
function withOrientation(file: Buffer, orientation: number, littleEndian: boolean): Buffer {
  const exif = new DataView(new ArrayBuffer(36));
  const write = (at: number, value: number) => exif.setUint16(at, value, littleEndian);
  exif.setUint32(0, 0xffe1_0022);
  Buffer.from(exif.buffer).write(`Exif\0\0${littleEndian ? 'II' : 'MM'}`, 4, 'latin1');
  write(12, 42);
  exif.setUint32(14, 8, littleEndian);
  write(18, 1);
  write(20, 0x0112);
  write(22, 3);
  exif.setUint32(24, 1, littleEndian);
  write(28, orientation);
  return Buffer.concat([file.subarray(0, 2), Buffer.from(exif.buffer), file.subarray(2)]);
}

for (const [what, name, head] of [
  ['a PNG', '321x123.png', '\x89PNG'],
  ['a JPEG', '321x123.jpg', '\xff\xd8'],
  ['a WebP with transparency', '321x123-extended.webp', 'RIFF....WEBPVP8X'],
  ['a lossy WebP', '321x123-lossy.webp', 'RIFF....WEBPVP8 '],
  ['a lossless WebP', '321x123-lossless.webp', 'RIFF....WEBPVP8L'],
] as const)
  test(`${what} has a size`, () => {
    const file = bytesOf(name);
    assert.match(file.toString('latin1'), new RegExp(`^${head}`, 's'));
    assert.deepEqual(readImageSize(file, PNG), SIZE);
  });

test('an SVG has the size of its viewBox', () => {
  const svg = (attributes: string) => Buffer.from(`<?xml version="1.0"?><svg ${attributes}/>`);
  assert.deepEqual(readImageSize(svg('fill="none" viewBox="0 0 321 123"'), SVG), SIZE);
  assert.deepEqual(readImageSize(svg("viewBox='-5,-5, 321,123'"), SVG), SIZE);
  assert.equal(readImageSize(svg('width="321" height="123"'), SVG), undefined);
  assert.equal(readImageSize(svg('viewBox="0 0 0 0"'), SVG), undefined);
});

test('an SVG of another shape is read once, not again for each of its characters', () => {
  for (const text of [`<svg viewBox="${','.repeat(20_000)}`, '<svg '.repeat(1e6)])
    assert.equal(readImageSize(Buffer.from(text), SVG), undefined);
});

test('a file that is damaged, empty, not an image or of another kind has no size', () => {
  const cut = ['321x123.jpg', '321x123.png', '321x123-lossy.webp'].map((name) =>
    bytesOf(name).subarray(0, 20),
  );
  const svg = Buffer.from('<svg viewBox="0 0 321 123"/>');
  const neither = ['', 'Not an image at all.'].map((text) => Buffer.from(text));
  for (const file of [...cut, svg, ...neither]) assert.equal(readImageSize(file, PNG), undefined);
  for (const file of [bytesOf('321x123.png'), ...neither])
    assert.equal(readImageSize(file, SVG), undefined);
});

test('every image of the sample tells its size', () => {
  const folder = path.join(root, 'pages/sample/images');
  const names = fs.readdirSync(folder);
  assert.ok(names.length > 0);
  for (const name of names) {
    const file = fs.readFileSync(path.join(folder, name));
    const size = readImageSize(file, name.endsWith('.svg') ? SVG : PNG);
    const width = name === '00-evening.svg' ? 1600 : 1200;
    assert.deepEqual(size, { width, height: 900 }, name);
  }
});
