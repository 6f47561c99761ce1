/** Videos and links of an owner's entries in a real browser. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { root } from '../../lib/config.ts';
import { findViolations } from '../support/accessibility.ts';
import { overflow } from './page.ts';
import { ADA, LAYOUTS, openSite } from './site.ts';

const site = await openSite((installed) => {
  const sample = path.join(installed, 'pages', 'sample');
  const media = path.join(sample, 'media');
  fs.cpSync(path.join(root, 'test', 'site', 'media', 'h264.mp4'), path.join(media, 'short.mp4'));
  fs.writeFileSync(path.join(media, 'short.vtt'), 'WEBVTT\n\n00:00.000 --> 00:00.400\nA tone.\n');
  const entry = { date: '2025-01-21', headline: 'An entry', text: 'A text.' };
  const poster = '04-dusk.jpg';
  return {
    title: 'Lamp',
    tagline: 'A lamp.',
    timeline: [
      {
        ...entry,
        text: [
          'See [the press](https://press.example.com/?a=1&b=2).',
          'Or [write](mailto:ada@example.com).',
        ],
      },
      { ...entry, video: { src: '04-dusk.mp4', poster, description: 'A day.', loop: true } },
      {
        ...entry,
        video: {
          src: 'short.mp4',
          poster,
          description: 'A tone.',
          captions: { src: 'short.vtt', language: 'de' },
        },
      },
    ],
    join: { headline: 'Join?', text: 'Say so to [us](mailto:ada@example.com).', button: 'Yes' },
  };
});

const WIDE = { viewport: { width: 1280, height: 800 } };

/** A page for the tests that need no other. */
const { page, troubles } = await site.visitAs(ADA, WIDE);
await page.goto('/timeline?view=desktop');

/** Some builds of Chromium lack H.264. */
const playable = await page.evaluate<string>(
  `document.createElement('video').canPlayType('video/mp4; codecs="avc1.64001f"')`,
);
const skip = playable === '' && 'this browser plays no H.264';

const LOOP = "document.querySelector('.loop')";
const FILM = "document.querySelector('.film')";

const evaluate = <T>(page: Page, expression: string) => page.evaluate<T>(expression);

/** Waits until an expression is true, which is looked at in each frame. */
const until = (page: Page, condition: string) =>
  evaluate<void>(
    page,
    `new Promise((resolve) => {
      const look = () => ((${condition}) ? resolve() : requestAnimationFrame(look));
      look();
    })`,
  );

/** Brings an element into view or out of it, and waits until the page's observers know. */
const show = (page: Page, element: string, block: 'center' | 'away') =>
  evaluate<void>(
    page,
    `new Promise((resolve) => {
      if (${block === 'away'}) scrollTo({ top: 0, behavior: 'instant' });
      else ${element}.scrollIntoView({ behavior: 'instant', block: 'center' });
      new IntersectionObserver(([{ isIntersecting }]) => {
        if (isIntersecting === ${block === 'center'}) requestAnimationFrame(resolve);
      }, { threshold: 0.5 }).observe(${element});
    })`,
  );

for (const layout of LAYOUTS)
  test(`videos and links have no fault on the ${layout} layout, and fit every width`, async () => {
    const { page, troubles } = await site.read(layout);
    for (const width of [2560, 768, 320]) {
      await page.setViewportSize({ width, height: 800 });
      assert.equal(await overflow(page), 0, `${width} px`);
    }
    assert.deepEqual(await findViolations(page), []);
    assert.deepEqual(troubles, []);
  });

test('links lead where they say, by keyboard too, and tell nobody the address of this page', async () => {
  const link = page.getByRole('link', { name: 'the press' });
  await link.focus();
  assert.equal(await link.getAttribute('href'), 'https://press.example.com/?a=1&b=2');
  assert.equal(await link.getAttribute('rel'), 'noreferrer');
  await page.keyboard.press('Tab');
  assert.equal(await evaluate(page, 'document.activeElement.href'), 'mailto:ada@example.com');
  assert.equal(await page.locator('.join a').count(), 1);
});

test('a short silent video plays while it is in view', { skip }, async () => {
  await page.goto('/timeline?view=mobile');
  assert.equal(await evaluate(page, `${LOOP}.paused`), true);
  for (let visit = 0; visit < 2; visit += 1) {
    await show(page, LOOP, 'center');
    await until(page, `${LOOP}.currentTime > 0.1 && !${LOOP}.paused`);
    await show(page, LOOP, 'away');
    assert.equal(await evaluate(page, `${LOOP}.paused`), true);
  }
  assert.equal(await evaluate(page, `${LOOP}.muted && ${LOOP}.loop && ${LOOP}.controls`), true);
  assert.equal(await evaluate(page, `${FILM}.muted || ${FILM}.loop`), false);
});

test('a visitor pauses it by keyboard, for good', { skip }, async () => {
  await page.goto('/timeline?view=desktop');
  await show(page, LOOP, 'center');
  await until(page, `!${LOOP}.paused`);
  await page.locator('.loop').focus();
  await page.keyboard.press('Space');
  await until(page, `${LOOP}.paused`);
  await show(page, LOOP, 'away');
  await show(page, LOOP, 'center');
  assert.equal(await evaluate(page, `${LOOP}.paused`), true);
});

test('nothing moves where the visitor asks for less motion', { skip }, async () => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/timeline?view=desktop');
  await show(page, LOOP, 'center');
  assert.equal(await evaluate(page, `${LOOP}.paused && ${LOOP}.currentTime === 0`), true);
  // It still plays when it is told to.
  await page.locator('.loop').focus();
  await page.keyboard.press('Space');
  await until(page, `${LOOP}.currentTime > 0.1`);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  // The change is reported in the next frame, and not at all if it is taken back before.
  await evaluate(page, 'new Promise((resolve) => requestAnimationFrame(resolve))');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await until(page, `${LOOP}.paused`);
  await page.emulateMedia({ reducedMotion: null });
});

test('without scripts a video waits for its controls', async () => {
  const visitor = await site.visitAs(ADA, { javaScriptEnabled: false });
  await visitor.page.goto('/timeline?view=mobile');
  for (const video of await visitor.page.locator('video').all()) {
    assert.equal(await video.getAttribute('controls'), '');
    assert.equal(await video.getAttribute('autoplay'), null);
  }
  assert.equal(await visitor.page.locator('video').count(), 2);
});

test('a video plays and seeks, and the arrow keys are its own', { skip }, async () => {
  const part = page.waitForResponse('**/media/short.mp4');
  await page.goto('/timeline?view=desktop');
  assert.equal((await part).status(), 206);
  await show(page, FILM, 'center');
  await until(page, `${FILM}.readyState > 0`);
  assert.equal(await evaluate(page, `${FILM}.paused`), true);
  await page.locator('.film').focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await evaluate(page, `document.activeElement === ${FILM}`), true);
  await page.keyboard.press('Space');
  await until(page, `${FILM}.ended`);
  await evaluate(page, `${FILM}.currentTime = 0.2`);
  await until(page, `!${FILM}.seeking`);
  assert.equal(await evaluate(page, `${FILM}.currentTime`), 0.2);
  await evaluate(page, 'document.activeElement.blur()');
  await page.keyboard.press('ArrowRight');
  assert.equal(await evaluate(page, 'document.activeElement.id'), 'end');
});

test('captions are read, in their language', { skip }, async () => {
  await page.goto('/timeline?view=desktop');
  const track = `${FILM}.textTracks[0]`;
  await evaluate(page, `${track}.mode = 'showing'`);
  await until(page, `${track}.cues?.length`);
  assert.deepEqual(
    await evaluate(page, `[${track}.kind, ${track}.language, ${track}.cues[0].text]`),
    ['captions', 'de', 'A tone.'],
  );
  assert.deepEqual(troubles, []);
});

test('a video that fails because the session has ended offers a new login', async () => {
  const visitor = await site.read('desktop', WIDE);
  await visitor.context.request.post('/auth/logout');
  // Another address, because the browser keeps what it has loaded.
  await evaluate(visitor.page, `${FILM}.src += '?again'`);
  await visitor.page.getByRole('link', { name: 'Log in again' }).waitFor();
});
