/** Videos and links of an owner's entries in a real browser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { sharedBrowser } from './chromium.ts';
import { talwind } from './contents.ts';
import { focused } from './page.ts';
import { ADA, openSite } from './site.ts';

const site = await openSite({ content: talwind });

const WIDE = { viewport: { width: 1280, height: 800 } };

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
  const { page, context } = await site.read('desktop', WIDE);
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

test('a short silent video plays while it is in view', { skip }, async () => {
  const { page } = await site.read('mobile');
  assert.equal(await page.evaluate(`${LOOP}.paused`), true);
  for (let visit = 0; visit < 2; visit += 1) {
    await show(page, LOOP, 'center');
    await until(page, `${LOOP}.currentTime > 0.1 && !${LOOP}.paused`);
    await show(page, LOOP, 'away');
    assert.equal(await page.evaluate(`${LOOP}.paused`), true);
  }
  assert.equal(await page.evaluate(`${LOOP}.muted && ${LOOP}.loop && ${LOOP}.controls`), true);
  assert.equal(await page.evaluate(`${FILM}.muted || ${FILM}.loop`), false);
});

test('nothing moves where the visitor asks for less motion', { skip }, async () => {
  const { page } = await site.read('desktop', { ...WIDE, reducedMotion: 'reduce' });
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
  const { page } = await site.visitAs(ADA, WIDE);
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
  await page.evaluate(`${FILM}.currentTime = 0.2`);
  await until(page, `!${FILM}.seeking`);
  assert.equal(await page.evaluate(`${FILM}.currentTime`), 0.2);
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press('ArrowRight');
  assert.equal(await focused(page), 'entry-6');
});
