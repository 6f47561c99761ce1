/** An owner's site in a real browser: brand, words, pictures. Its colours are proven without one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { talwind } from './contents.ts';
import { boxOf, pictures, styleOf } from './page.ts';
import { ADA, LAYOUTS, openSite } from './site.ts';

const PHONE = { viewport: { width: 390, height: 844 } };

const site = await openSite({ content: talwind });

test('a visitor walks through the site, in German', async () => {
  const { page, troubles } = await site.visit(PHONE);
  await page.goto('/');
  await page.getByLabel('Ihre E-Mail-Adresse').fill(ADA);
  await page.getByRole('button', { name: 'Eintreten' }).click();
  await page.waitForURL('/timeline');
  for (const layout of LAYOUTS) {
    await page.goto(`/timeline?view=${layout}`);
    await page.locator('#name', { hasText: 'Ada' }).waitFor();
    await page.getByText('4. März 2025').waitFor();
    assert.equal(await page.locator('video').count(), 2);
    assert.equal(await page.locator('article img').count(), 6);
    assert.equal(await page.getByRole('contentinfo').getByRole('link').count(), 2);
  }
  const logo = await boxOf(page.locator('header .logo'));
  const link = await boxOf(page.locator('header .button'));
  assert.ok(logo.x + logo.width < link.x, 'the header is one row');
  await page.getByRole('button', { name: 'Ich bin dabei' }).click();
  await page.getByRole('heading', { name: 'Sie sind dabei, Ada.' }).waitFor();
  await page.getByText('Im Frühjahr schreiben wir Ihnen.').waitFor();
  await pictures(page);
  await page.getByRole('button', { name: 'Abmelden' }).click();
  await page.getByText('Sie sind abgemeldet.').waitFor();
  assert.deepEqual(troubles, []);
});

for (const url of ['/', ...LAYOUTS.map((layout) => `/timeline?view=${layout}`)])
  test(`${url} shows the logo, the icon, the colours and the typeface of the owner`, async () => {
    const { page } = await (url === '/' ? site.visit() : site.visitAs(ADA));
    await page.goto(url);
    const logo = page.getByRole('img', { name: 'Talwind', exact: true });
    assert.ok(await logo.evaluate((image: HTMLImageElement) => image.naturalWidth > 0));
    assert.equal(await page.locator('link[rel=icon]').getAttribute('href'), '/public/zeichen.svg');
    for (const [colorScheme, colour] of [
      ['light', 'rgb(244, 247, 243)'],
      ['dark', 'rgb(11, 26, 27)'],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      assert.equal(await styleOf(page, 'html', 'background-color'), colour);
    }
    const [family = ''] = (await styleOf(page, 'h1', 'font-family')).split(',');
    assert.match(family, /brand/i);
    const loaded = `document.fonts.load('1rem ${family}').then((faces) => faces.length)`;
    assert.ok((await page.evaluate<number>(loaded)) > 0);
  });
