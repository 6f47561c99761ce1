/** Both layouts of the timeline in a real browser: at rest, while a visitor reads, and its videos. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { sharedBrowser } from './chromium.ts';
import { talwind } from './contents.ts';
import { boxOf, focused, styleOf } from './page.ts';
import { ADA, LAYOUTS, openSite, WIDE } from './site.ts';

const site = await openSite();
const talwindSite = await openSite({ content: talwind });

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

  test(`the ${layout} layout prints its text alone`, async () => {
    const { page } = await site.read(layout);
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
  const tree = await page.getByRole('article', { name: 'The wrong dusk' }).ariaSnapshot();
  assert.match(
    tree,
    /:\n {2}- time: 21 June 2025\n {2}- heading ".+" \[level=2\]\n {2}- paragraph/,
  );
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

/** Some builds of Chromium lack H.264. */
const playable = await (await (await sharedBrowser()).newPage()).evaluate<string>(
  `document.createElement('video').canPlayType('video/mp4; codecs="avc1.64001f"')`,
);
const skip = playable === '' && 'this browser plays no H.264';

const LOOP = "document.querySelector('.loop')";
const FILM = "document.querySelector('.film')";

/** Waits until an expression is true, which is looked at in each frame. */
const until = (page: Page, condition: string) =>
  page.evaluate<void>(`new Promise((resolve) => {
      const look = () => ((${condition}) ? resolve() : requestAnimationFrame(look));
      look();
    })`);

/** Brings an element into view or out of it, and waits until the page's observers know. */
const show = (page: Page, element: string, block: 'center' | 'away') =>
  page.evaluate<void>(`new Promise((resolve) => {
      if (${block === 'away'}) scrollTo({ top: 0, behavior: 'instant' });
      else ${element}.scrollIntoView({ behavior: 'instant', block: 'center' });
      new IntersectionObserver(([{ isIntersecting }]) => {
        if (isIntersecting === ${block === 'center'}) requestAnimationFrame(resolve);
      }, { threshold: 0.5 }).observe(${element});
    })`);

test('links lead where they say, by keyboard too; a video that lacks a session offers a login', async () => {
  const { page, context } = await talwindSite.read('desktop', WIDE);
  const link = page.getByRole('link', { name: 'Rad, das man vergisst' });
  const href = 'https://presse.example.com/talwind?ausgabe=11&seite=3';
  assert.equal(await link.getAttribute('href'), href);
  assert.equal(await link.getAttribute('rel'), 'noreferrer');
  await page.locator('#join').focus();
  await page.keyboard.press('Shift+Tab');
  assert.equal(await page.evaluate('document.activeElement.href'), 'mailto:hallo@example.com');

  await context.request.post('/auth/logout');
  // Another address, because the browser keeps what it has loaded.
  await page.evaluate(`${FILM}.src += '?again'`);
  await page.locator('#ended a').waitFor();
});

test('a short video plays while it is in view, but not where less motion is asked for', {
  skip,
}, async () => {
  const { page } = await talwindSite.read('mobile');
  for (let visit = 0; visit < 2; visit += 1) {
    assert.equal(await page.evaluate(`${LOOP}.paused`), true);
    await show(page, LOOP, 'center');
    await until(page, `${LOOP}.currentTime > 0.1 && !${LOOP}.paused`);
    await show(page, LOOP, 'away');
  }
  assert.equal(await page.evaluate(`${LOOP}.muted && ${LOOP}.loop && ${LOOP}.controls`), true);
  assert.equal(await page.evaluate(`${FILM}.muted || ${FILM}.loop`), false);

  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.reload();
  await show(page, LOOP, 'center');
  assert.equal(await page.evaluate(`${LOOP}.paused && ${LOOP}.currentTime === 0`), true);
  // It still plays when it is told to.
  await page.locator('.loop').focus();
  await page.keyboard.press('Space');
  await until(page, `${LOOP}.currentTime > 0.1`);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  // The change is reported in the next frame, and not at all if it is taken back before.
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await until(page, `${LOOP}.paused`);
});

test('a video plays and seeks, and the arrow keys are its own', { skip }, async () => {
  const { page } = await talwindSite.visitAs(ADA, WIDE);
  const part = page.waitForResponse('**/media/fahrt.mp4');
  await page.goto('/timeline?view=desktop');
  assert.equal((await part).status(), 206);
  await show(page, FILM, 'center');
  await until(page, `${FILM}.readyState > 0`);
  assert.equal(await page.evaluate(`${FILM}.paused`), true);
  await page.locator('.film').focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.evaluate(`document.activeElement === ${FILM}`), true);
  await page.evaluate(`${FILM}.currentTime = ${FILM}.duration - 0.2`);
  await page.keyboard.press('Space');
  await until(page, `${FILM}.ended`);
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press('ArrowRight');
  assert.equal(await focused(page), 'entry-6');
});
