/** The pictures of the README are up to date. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { sharedBrowser } from './chromium.ts';
import { PICTURES, pictureFolder, takePictures } from './screenshots.ts';

/** Of 255. Another version of Chromium differs by 0.2, another page by 20 and more. */
const TOLERANCE = 1;

const browser = await sharedBrowser();
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-test-'));
after(() => fs.rmSync(folder, { recursive: true }));
await takePictures(browser, folder);

for (const { file } of PICTURES)
  test(`docs/images/${file} is what npm run screenshots takes`, async () => {
    const [committed, taken] = [path.join(pictureFolder, file), path.join(folder, file)];
    const difference = await compare(await browser.newPage(), committed, taken);
    assert.ok(difference < TOLERANCE, `differs by ${difference}: run npm run screenshots`);
    assert.ok(fs.statSync(committed).size < 300_000);
  });

/** The mean difference of two pictures at 64 × 39 pixels, of 255. */
function compare(page: Page, ...files: readonly string[]): Promise<number> {
  const sources = files.map((file) => `data:image/png;base64,${fs.readFileSync(file, 'base64')}`);
  return page.evaluate<number>(`(async () => {
    const [a, b] = await Promise.all(${JSON.stringify(sources)}.map(async (src) => {
      const image = Object.assign(new Image(), { src });
      await image.decode();
      const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 39 });
      const context = canvas.getContext('2d');
      context.imageSmoothingQuality = 'high';
      context.drawImage(image, 0, 0, 64, 39);
      return context.getImageData(0, 0, 64, 39).data;
    }));
    return a.reduce((sum, value, i) => sum + Math.abs(value - b[i]), 0) / (a.length * 3 / 4);
  })()`);
}
