import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { readImageSize } from '../lib/image-size.ts';
import { root } from '../lib/root.ts';
import { launchBrowser } from './browser/chromium.ts';

const browser = await launchBrowser();
after(() => browser.close());

/** A picture of 321 × 123 pixels, as a browser writes it; at quality 1 a WebP is lossless. */
async function draw(type: string, alpha: boolean, quality: number): Promise<Buffer> {
  const page = await browser.newPage();
  const url = await page.evaluate<string>(`{
    const canvas = Object.assign(document.createElement('canvas'), { width: 321, height: 123 });
    canvas.getContext('2d', { alpha: ${alpha} }).fillRect(0, 0, 160, 123);
    canvas.toDataURL('${type}', ${quality});
  }`);
  await page.close();
  assert.ok(url.startsWith(`data:${type};`));
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}

const SIZE = { width: 321, height: 123 };

test('a PNG tells its size', async () => {
  assert.deepEqual(readImageSize(await draw('image/png', true, 1)), SIZE);
});

test('a JPEG tells its size', async () => {
  assert.deepEqual(readImageSize(await draw('image/jpeg', false, 0.8)), SIZE);
});

for (const littleEndian of [true, false])
  test(`a JPEG on its side tells its size as browsers show it, ${littleEndian ? 'little' : 'big'}-endian`, async () => {
    const file = await draw('image/jpeg', false, 0.8);
    for (const orientation of [1, 3, 6, 8]) {
      const turned = withOrientation(file, orientation, littleEndian);
      const page = await browser.newPage();
      const shown = await page.evaluate(`(async () => {
        const image = Object.assign(new Image(), { src: 'data:image/jpeg;base64,${turned.toString('base64')}' });
        await image.decode();
        return { width: image.naturalWidth, height: image.naturalHeight };
      })()`);
      await page.close();
      assert.deepEqual(readImageSize(turned), shown, `orientation ${orientation}`);
      assert.equal(readImageSize(turned)?.width, orientation < 5 ? 321 : 123);
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

test('a WebP with a colour profile or transparency tells its size', async () => {
  const file = await draw('image/webp', true, 0.8);
  assert.equal(file.toString('latin1', 12, 16), 'VP8X');
  assert.deepEqual(readImageSize(file), SIZE);
});

for (const [chunk, quality] of [
  ['VP8 ', 0.8],
  ['VP8L', 1],
] as const)
  test(`a WebP that is only a ${chunk.trim()} chunk tells its size`, async () => {
    const file = await draw('image/webp', false, quality);
    // Browsers add a colour profile before the picture; other programs leave it out.
    const plain = Buffer.concat([file.subarray(0, 12), file.subarray(file.indexOf(chunk))]);
    assert.deepEqual(readImageSize(plain), SIZE);
  });

test('an SVG tells its size by its viewBox', () => {
  const svg = (attributes: string) => Buffer.from(`<?xml version="1.0"?><svg ${attributes}/>`);
  assert.deepEqual(readImageSize(svg('fill="none" viewBox="0 0 321 123"')), SIZE);
  assert.deepEqual(readImageSize(svg("viewBox='-5,-5, 321,123'")), SIZE);
  assert.equal(readImageSize(svg('width="321" height="123"')), undefined);
  assert.equal(readImageSize(svg('viewBox="0 0 0 0"')), undefined);
});

test('a file that is damaged, empty or no image has no size', async () => {
  const whole = await draw('image/jpeg', false, 0.8);
  assert.equal(readImageSize(whole.subarray(0, 40)), undefined);
  assert.equal(readImageSize(Buffer.alloc(0)), undefined);
  assert.equal(readImageSize(Buffer.from('Not an image at all.')), undefined);
});

test('every image of the sample tells its size', () => {
  const folder = path.join(root, 'pages/images');
  for (const name of fs.readdirSync(folder))
    assert.deepEqual(readImageSize(fs.readFileSync(path.join(folder, name))), {
      width: 1200,
      height: 900,
    });
});
