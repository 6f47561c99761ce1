/** Both layouts of the timeline in a real browser, at rest and while a visitor reads. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { boxOf, styleOf } from './page.ts';
import { ADA, LAYOUTS, NAMELESS, openSite } from './site.ts';

const site = await openSite();

const WIDE = { viewport: { width: 1440, height: 900 } };

/** Scrolls the nth entry (from 1) to the top of the window, and waits for its image. */
async function readEntry(page: Page, n: number): Promise<void> {
  await page.evaluate(`{
    const entry = document.querySelectorAll('article')[${n - 1}];
    entry.scrollIntoView({ behavior: 'instant', block: 'start' });
    entry.querySelector('img')?.decode();
  }`);
}

/** Waits until the rail marks the nth entry as current. */
const waitForCurrent = (page: Page, n: number) =>
  page.locator(`.rail a[aria-current][href="#entry-${n}"]`).waitFor();

for (const layout of LAYOUTS) {
  test(`the ${layout} layout never moves under the reader`, async () => {
    const { page } = await site.visitAs(ADA, layout === 'desktop' ? WIDE : {});
    await page.addInitScript(`globalThis.shifted = 0; new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifted += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });`);
    await page.goto(`/timeline?view=${layout}`);
    await page.locator('#name', { hasText: 'Ada' }).waitFor();
    for (const n of [1, 4, 8, 12]) await readEntry(page, n);
    assert.equal(await page.evaluate('shifted'), 0);
    // Proves that the test would notice a shift.
    await page.evaluate("document.body.style.marginTop = '200px'");
    // A function, because the policy of the page forbids evaluating text.
    await page.waitForFunction(() => Reflect.get(globalThis, 'shifted') > 0);
  });

  test(`the ${layout} layout greets nobody without a first name, and prints its text alone`, async () => {
    const { page } = await site.visitAs(NAMELESS);
    const me = page.waitForResponse('**/auth/me');
    await page.goto(`/timeline?view=${layout}`);
    await (await me).finished();
    assert.equal(await page.locator('#name').textContent(), '');

    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.getByRole('button').count(), 0);
    assert.equal(await styleOf(page, '.scene', 'clip-path'), 'none');
    const paragraphs = await page.getByRole('article').getByRole('paragraph').all();
    assert.ok(paragraphs.length >= 12);
    for (const words of paragraphs) assert.equal(await words.isVisible(), true);
    assert.equal(await page.locator('.loop[controls]').count(), 1);
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    assert.equal(await page.locator('.loop[controls]').count(), 0);
  });
}

test('the rail of dates follows the reader, and a date links to its entry', async () => {
  const { page } = await site.read('desktop', WIDE);
  await waitForCurrent(page, 1);
  for (const n of [5, 12, 3]) {
    await readEntry(page, n);
    await waitForCurrent(page, n);
  }
  assert.equal(await page.locator('.rail [aria-current]').count(), 1);
  const { width, height } = await boxOf(page.locator('.rail [aria-current] .headline'));
  assert.ok(width > 50 && height > 15, 'its headline is shown');
  const dates = page.getByRole('navigation', { name: 'Dates' });
  await dates.getByRole('link', { name: '20 Mar' }).last().click();
  await waitForCurrent(page, 12);
});

test('scenes reveal with the scroll, and stand still with reduced motion', async () => {
  const { page } = await site.read('desktop', WIDE);
  const clip = () => styleOf(page, '#entry-2 .scene', 'clip-path');
  assert.match(await clip(), /^inset\(14%/);
  assert.equal(await styleOf(page, '#entry-1 .scene', 'clip-path'), 'none');
  await readEntry(page, 3);
  await page.waitForFunction(() => {
    const scene = document.querySelector('#entry-2 .scene');
    return scene && getComputedStyle(scene).clipPath.startsWith('inset(0');
  });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  assert.equal(await clip(), 'none');
});
