/** An owner's site in a real browser: brand, words, pictures. Its colours are proven without one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { talwind } from './contents.ts';
import { answerOnce, boxOf, pictures, said, styleOf } from './page.ts';
import { ADA, LAYOUTS, openSite } from './site.ts';

const PHONE = { viewport: { width: 390, height: 844 } };

const site = await openSite({
  content(root) {
    const content = talwind(root);
    content.timeline[3].images[1].position = 'top';
    return content;
  },
});

/** The boxes of what an article has, by the index of the article. */
const boxesOf = async (page: Page, n: number, selector: string) =>
  Promise.all((await page.getByRole('article').nth(n).locator(selector).all()).map(boxOf));

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

test('the minutes after too many attempts are in German, one and many', async () => {
  const { page } = await site.visit();
  await page.goto('/');
  for (const [seconds, words] of [
    ['3600', 'in 60 Minuten'],
    ['1', 'in 1 Minute'],
  ] as const) {
    const headers = { 'Retry-After': seconds };
    await answerOnce(page, '**/auth/login', { status: 429, headers });
    await page.fill('#email', ADA);
    await page.keyboard.press('Enter');
    await said(page, new RegExp(`${words}\\b`));
  }
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

test('the picture of the owner is in the place of the door, beside or below the words', async () => {
  const { page } = await site.visit();
  await page.goto('/');
  assert.equal(await page.locator('.art svg').count(), 0);
  const picture = page.getByRole('img', { name: 'Ein grünes E-Bike' });
  for (const [width, height] of [
    [390, 844],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    const [shown, form] = [await boxOf(picture), await boxOf(page.locator('form'))];
    const links = await boxOf(page.getByRole('contentinfo'));
    assert.ok(shown.x >= form.x + form.width || shown.y >= form.y + form.height, `${width} px`);
    const end = links.x < shown.x ? height : links.y;
    assert.deepEqual([shown.x + shown.width, shown.y + shown.height], [width, end]);
  }
});

test('several pictures have one shape, in pairs below the first where their number is odd, and the words stay beside them', async () => {
  const { page } = await site.read('desktop', { viewport: { width: 1280, height: 800 } });
  const [[first, second, third], [left, right], [words]] = await Promise.all([
    boxesOf(page, 2, 'img'),
    boxesOf(page, 3, 'img'),
    boxesOf(page, 2, '.words'),
  ]);
  assert.ok(first && second && third && left && right && words);
  for (const { width, height } of [first, second, third, left, right])
    assert.equal((width / height).toFixed(2), '1.33');
  assert.ok(left.y === right.y && right.x > left.x + left.width);
  assert.ok(first.width > 2 * second.width && second.y > first.y + first.height);
  assert.equal(second.y, third.y);
  const cut = page.getByRole('article').nth(3).locator('img').nth(1);
  const position = await cut.evaluate((image) => getComputedStyle(image).objectPosition);
  assert.equal(position, '50% 0%');

  assert.ok(words.y - first.y < 1);
  await page
    .locator('.several > :last-child')
    .first()
    .evaluate((last) => last.scrollIntoView({ behavior: 'instant', block: 'end' }));
  const [stuck] = await boxesOf(page, 2, '.words');
  assert.ok(stuck && stuck.y >= 0 && stuck.y + stuck.height <= 800, JSON.stringify(stuck));
});

for (const layout of LAYOUTS)
  test(`on a phone the words come after the first of several pictures on the ${layout} layout`, async () => {
    const { page } = await site.read(layout, PHONE);
    const [first, second, third] = await boxesOf(page, 2, 'img');
    const [headline] = await boxesOf(page, 2, 'h2, h3');
    assert.ok(first && second && third && headline);
    assert.ok(first.y < headline.y && headline.y < second.y && second.y <= third.y);
  });

test('the picture at the head fills the first screen of a phone, and shows its subject', async () => {
  const { page } = await site.read('mobile', PHONE);
  const { x, y, width, height } = await boxOf(page.locator('.opening img'));
  assert.ok(x === 0 && width === 390 && Math.abs(y + height - 844) < 1);
  assert.equal(await styleOf(page, '.opening img', 'object-position'), '50% 100%');
});
