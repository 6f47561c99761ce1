/** Other texts in a real browser: long and soft words, paragraphs, one entry, right to left. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { arabic, longWords, TEXT } from './contents.ts';
import { boxOf, focused } from './page.ts';
import { ADA, LAYOUTS, openSite } from './site.ts';

const long = await openSite({ content: (root) => longWords(root) });
const soft = await openSite({
  content: (root) => longWords(root, 'Lighthouse', 'Unfaehigkeits\u00adbescheinigung'),
});
const rightToLeft = await openSite({ content: arabic });

const WIDE = { viewport: { width: 1440, height: 900 } };

/** The edges of the lines of the title: their tops, and its end, in px. */
const title = (page: Page) =>
  page.evaluate<{ tops: number[]; right: number }>(`(() => {
    const range = document.createRange();
    range.selectNodeContents(document.querySelector('h1'));
    const tops = new Set([...range.getClientRects()].map(({ top }) => top));
    return { tops: [...tops], right: innerWidth - range.getBoundingClientRect().right };
  })()`);

for (const layout of LAYOUTS) {
  test(`a portrait picture fits into the window, and paragraphs stand apart on the ${layout} layout`, async () => {
    const { page } = await long.read(layout);
    for (const [width, height] of [
      [1440, 900],
      [390, 500],
    ] as const) {
      await page.setViewportSize({ width, height });
      const picture = page.locator('.scene img').first();
      // Without the scale of its animation.
      const shown = await picture.evaluate((image: HTMLElement) => image.offsetHeight);
      assert.ok(shown > height / 2 && shown <= height, `${shown} px of ${height}`);
    }
    const paragraphs = page.getByRole('article').getByRole('paragraph');
    assert.deepEqual(await paragraphs.allInnerTexts(), TEXT.split('\n\n'));
    assert.equal(await page.locator('#question p', { hasText: 'A second' }).count(), 1);
  });

  test(`a name of ten letters stands in one line on the ${layout} layout, at every width`, async () => {
    const { page } = await soft.read(layout);
    for (const width of [320, 390, 768, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      assert.equal((await title(page)).tops.length, 1, `${width} px`);
    }
  });
}

test('a soft hyphen divides a headline, with a hyphen', async () => {
  const { page } = await soft.read('mobile', { viewport: { width: 320, height: 800 } });
  const tops = await page.evaluate<number[]>(`(() => {
    const text = document.querySelector('h3').firstChild;
    const at = text.data.indexOf('\u00ad');
    return [at - 1, at + 1].map((i) => {
      const range = document.createRange();
      range.setStart(text, i);
      range.setEnd(text, i + 1);
      return [...range.getClientRects()].at(-1).top;
    });
  })()`);
  assert.ok(tops[0] !== undefined && tops[1] !== undefined && tops[1] > tops[0], String(tops));
});

test('a single entry has no hint about keys to move between entries', async () => {
  const { page } = await long.read('desktop');
  assert.equal(await page.locator('.rail time').count(), 1);
  assert.equal(await page.getByText('to move').count(), 0);
});

for (const [url, width] of [
  ['/', 320],
  ['/', 1440],
  ['/timeline?view=desktop', 1440],
  ['/timeline?view=desktop', 320],
  ['/timeline?view=mobile', 390],
] as const)
  test(`in Arabic ${url} begins on the right, ${width} px wide`, async () => {
    const { page } = await rightToLeft.visitAs(ADA, { viewport: { width, height: 900 } });
    if (url === '/') await page.context().clearCookies();
    await page.goto(url);
    const { right } = await title(page);
    assert.ok(right < width / 3, `the heading begins ${right} px from the right`);
  });

test('in Arabic the rail is on the right, and the left arrow key moves on', async () => {
  const { page } = await rightToLeft.read('desktop', WIDE);
  const [rail, { x, width }] = [page.locator('.rail'), await boxOf(page.locator('.entries'))];
  assert.ok((await boxOf(rail)).x > x + width / 2);
  for (const [key, id] of [
    ['ArrowLeft', 'entry-1'],
    ['ArrowLeft', 'entry-2'],
    ['ArrowRight', 'entry-1'],
  ] as const) {
    await page.keyboard.press(key);
    assert.equal(await focused(page), id);
  }
});
