/** An owner's brand in a real browser. That its colours can be read is computed without one. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../../lib/config.ts';
import { findViolations } from '../support/accessibility.ts';
import { overflow, styleOf } from './page.ts';
import { ADA, LAYOUTS, openSite } from './site.ts';

const site = await openSite((installed) => {
  const files = path.join(installed, 'pages', 'sample', 'public');
  fs.mkdirSync(files, { recursive: true });
  for (const [name, from] of Object.entries({
    'logo.svg': 'pages/everyone/favicon.svg',
    'hill.jpg': 'test/site/images/321x123.jpg',
    'preview.png': 'test/site/images/321x123.png',
    'brand.woff2': 'pages/everyone/fonts/newsreader.woff2',
  }))
    fs.copyFileSync(path.join(root, from), path.join(files, name));
  return {
    title: 'Talwind',
    tagline: 'A bicycle to carry.',
    timeline: [
      { date: '2025-01-21', headline: 'A frame', text: 'It holds.' },
      { date: '2025-03-04', headline: 'A motor', text: 'It is quiet.' },
    ],
    join: { headline: 'Join', text: 'It begins.', button: 'Count me in' },
    theme: {
      background: { light: '#06232a', dark: '#ffffff' },
      accent: { light: '#ff9a4a', dark: '#00606b' },
      logo: { src: 'logo.svg', alt: 'Talwind' },
      picture: { src: 'hill.jpg', alt: 'A bicycle on a hill.' },
      favicon: 'logo.svg',
      typeface: 'brand.woff2',
      card: { src: 'preview.png', alt: 'Talwind on petrol.' },
    },
  };
});

for (const url of ['/', ...LAYOUTS.map((layout) => `/timeline?view=${layout}`)])
  test(`${url} shows the logo, the icon, the colours and the typeface of the owner`, async () => {
    const { page, troubles } = await (url === '/' ? site.visit() : site.visitAs(ADA));
    await page.goto(url);
    const logo = page.getByRole('img', { name: 'Talwind' });
    assert.ok(await logo.evaluate((image: HTMLImageElement) => image.naturalWidth > 0));
    assert.equal(await page.locator('link[rel=icon]').getAttribute('href'), '/public/logo.svg');
    assert.equal(await styleOf(page, 'html', 'background-color'), 'rgb(6, 35, 42)');
    const [family = ''] = (await styleOf(page, 'h1', 'font-family')).split(',');
    assert.match(family, /brand/i);
    const loaded = `document.fonts.load('1rem ${family}').then((faces) => faces.length)`;
    assert.ok((await page.evaluate<number>(loaded)) > 0);
    for (const width of [320, 768, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      assert.equal(await overflow(page), 0, `${width} px`);
    }
    assert.deepEqual(await findViolations(page), []);
    assert.deepEqual(troubles, []);
  });

test('the preview of a link shows the card with its description', async () => {
  const html = await (await fetch(site.origin)).text();
  const tags = [...html.matchAll(/property="og:image(:\w+)?" content="(.+)"/g)];
  assert.deepEqual(
    tags.map(([, name = '', content = '']) => [name, content.replace(/^http:\/\/[^/]+/, '')]),
    [
      ['', '/public/preview.png'],
      [':width', '321'],
      [':height', '123'],
      [':alt', 'Talwind on petrol.'],
    ],
  );
  const { status, headers } = await fetch(`${site.origin}/public/preview.png`);
  assert.deepEqual([status, headers.get('content-type')], [200, 'image/png']);
});

test('the picture of the owner is in the place of the door, beside or below the words', async () => {
  const { page } = await site.visit();
  await page.goto('/');
  assert.equal(await page.locator('.art svg').count(), 0);
  const picture = page.getByRole('img', { name: 'A bicycle on a hill.' });
  for (const [width, height] of [
    [390, 844],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    const [shown, form] = [await picture.boundingBox(), await page.locator('form').boundingBox()];
    assert.ok(shown && form);
    assert.ok(shown.x >= form.x + form.width || shown.y >= form.y + form.height, `${width} px`);
    assert.deepEqual([shown.x + shown.width, shown.y + shown.height], [width, height]);
  }
});
