/** An owner's brand in a real browser: that it is shown, and that axe finds all of it readable. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../../lib/config.ts';
import { findViolations } from '../support/accessibility.ts';
import { overflow, styleOf } from './page.ts';
import { ADA, LAYOUTS, openSite, SCHEMES } from './site.ts';

const site = await openSite();

const folder = path.join(site.installation.root, 'data', 'site');
fs.mkdirSync(path.join(folder, 'public'), { recursive: true });
const put = (name: string, from: string) =>
  fs.copyFileSync(path.join(root, from), path.join(folder, 'public', name));
put('logo.svg', 'pages/everyone/favicon.svg');
put('hill.jpg', 'test/site/images/321x123.jpg');
put('preview.png', 'test/site/images/321x123.png');
put('brand.woff2', 'pages/everyone/fonts/newsreader.woff2');

const BRAND = {
  logo: { src: 'logo.svg', alt: 'Talwind' },
  picture: { src: 'hill.jpg', alt: 'A bicycle on a hill.' },
  favicon: 'logo.svg',
  typeface: 'brand.woff2',
  card: { src: 'preview.png', alt: 'Talwind on petrol.' },
};

/** Of both schemes. */
const COLOURS = {
  'a dark background in the light scheme': [
    { light: '#06232a', dark: '#ffffff' },
    { light: '#ff9a4a', dark: '#00606b' },
  ],
  'saturated colours': [
    { light: '#ffd400', dark: '#0000ff' },
    { light: '#a3003c', dark: '#00ff00' },
  ],
  'black and white': [
    { light: '#fff', dark: '#000' },
    { light: '#000', dark: '#fff' },
  ],
  'backgrounds of medium lightness': [
    { light: '#777777', dark: '#6f6f6f' },
    { light: '#000', dark: '#fff' },
  ],
} as const;

/** Gives the running site a brand. Each has a light background of its own. */
async function wear(theme: object, background: string): Promise<void> {
  const content = {
    title: 'Talwind',
    tagline: 'A bicycle to carry.',
    timeline: [
      { date: '2025-01-21', headline: 'A frame', text: 'It holds.' },
      { date: '2025-03-04', headline: 'A motor', text: 'It is quiet.' },
    ],
    join: { headline: 'Join', text: 'It begins.', button: 'Count me in' },
    theme,
  };
  fs.writeFileSync(path.join(folder, 'content.json'), JSON.stringify(content));
  site.server.process.kill('SIGHUP');
  const entryPage = async () => (await fetch(site.origin)).text();
  while (!(await entryPage()).includes(`name="theme-color" content="${background}"`));
}

for (const [name, [background, accent]] of Object.entries(COLOURS))
  test(`with ${name}, axe finds nothing on the entry page and on the timeline`, async () => {
    const hex = background.light.replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3');
    await wear({ background, accent }, hex);
    for (const colorScheme of SCHEMES) {
      const { page, context, troubles } = await site.visit({ colorScheme });
      await page.goto('/');
      await page.fill('#email', 'nobody');
      await page.press('#email', 'Enter');
      await page.locator('#email[aria-invalid]').waitFor();
      assert.deepEqual(await findViolations(page), [], `entry page, ${colorScheme}`);
      await context.request.post('/auth/login', { data: { email: ADA } });
      await page.goto('/timeline?view=desktop');
      await page.locator('#name', { hasText: 'Ada' }).waitFor();
      assert.deepEqual(await findViolations(page), [], `timeline, ${colorScheme}`);
      assert.deepEqual(troubles, []);
      await context.close();
    }
  });

test('the entry page and both layouts show the logo, picture, icon, font and card', async () => {
  await wear({ ...BRAND, background: '#fefefe' }, '#fefefe');
  const { page, context, troubles } = await site.visit();
  for (const url of ['/', ...LAYOUTS.map((layout) => `/timeline?view=${layout}`)]) {
    await page.goto(url, { waitUntil: 'networkidle' });
    const logo = page.getByRole('img', { name: 'Talwind' });
    assert.ok(
      await logo.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth > 0),
    );
    assert.equal(await page.locator('link[rel=icon]').getAttribute('href'), '/public/logo.svg');
    assert.match(await styleOf(page, 'h1', 'font-family'), /^Brand,/);
    assert.ok(await page.evaluate<boolean>("document.fonts.check('1rem Brand')"));
    for (const width of [320, 768, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      assert.equal(await overflow(page), 0, `${url}, ${width} px`);
    }
    await context.request.post('/auth/login', { data: { email: ADA } });
  }
  assert.deepEqual(troubles, []);
  await context.close();
});

test('the preview of a link shows the card with its description', async () => {
  await wear({ ...BRAND, background: '#fcfcfc' }, '#fcfcfc');
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
  await wear({ ...BRAND, background: '#fdfdfd' }, '#fdfdfd');
  const { page, context } = await site.visit();
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
    assert.equal(shown.x + shown.width, width);
    assert.equal(shown.y + shown.height, height);
  }
  await context.close();
});
