/** The size of an image, from its header. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../../lib/config.ts';
import { readImageSize } from '../../lib/site/image-size.ts';

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
