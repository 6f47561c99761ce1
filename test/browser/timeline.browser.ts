/** The timeline in Chromium: both layouts, the join, the logout, and films. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { countJoins } from '../../lib/store/joins.ts';
import { endSessions } from '../../lib/store/sessions.ts';
import { enter } from '../service.ts';
import { CONTENT, contentWith, writeSite } from '../site/own-site.ts';
import { expectNoSidewaysScrolling, findViolations, openAs, said, startSite } from './browser.ts';

const LAYOUTS = ['desktop', 'mobile'] as const;
const PHONE = { viewport: { width: 390, height: 844 } };

const app = await startSite();
const clicks = (): number => countJoins(app.db).clicks;

async function read(page: Page, layout: 'desktop' | 'mobile'): Promise<void> {
  await page.goto(`/timeline?view=${layout}`);
  await page.locator('#join:enabled').waitFor();
}

/** Lets no picture be lazy, and waits until all are there. */
const loadPictures = (page: Page): Promise<void> =>
  page.evaluate(`Promise.all(Array.from(document.images, (image) => {
    image.loading = 'eager';
    return image.decode();
  })).then(() => undefined)`);

for (const layout of LAYOUTS)
  test(`${layout}: no layout shift, no violation of axe, no sideways scrolling`, async () => {
    const { page, troubles } = await openAs(app, `${layout}@example.com`, 'Ada');
    await page.addInitScript(`globalThis.shifted = 0; new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifted += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });`);
    await read(page, layout);
    await page.getByText('Welcome, Ada.').waitFor();
    await loadPictures(page);
    assert.equal(await page.evaluate('shifted'), 0);
    assert.equal(await page.getByRole('article').count(), 12);
    assert.deepEqual(await findViolations(page), []);
    for (const width of [320, 768, 1280, 2560]) {
      await page.setViewportSize({ width, height: 800 });
      await expectNoSidewaysScrolling(page, `${width} px`);
    }
    assert.deepEqual(troubles, []);
  });

test('the years of a wide window lead to their entries', async () => {
  const { page } = await openAs(app, 'years@example.com', null);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await read(page, 'desktop');
  const years = page.getByRole('navigation', { name: 'Years' }).getByRole('link');
  assert.deepEqual(await years.allInnerTexts(), ['2025', '2026', '2027']);
  await years.nth(1).click();
  const first = page.getByRole('article', { name: 'From Quito to Tromsø' });
  const { y = 900 } = (await first.boundingBox()) ?? {};
  assert.ok(y >= 0 && y < 300);
});

for (const layout of LAYOUTS)
  test(`${layout}: a press is confirmed, counts again, and is remembered`, async () => {
    const before = clicks();
    const { page, troubles } = await openAs(app, `joins-${layout}@example.com`, 'Jo', PHONE);
    await read(page, layout);
    await page.getByText('Welcome, Jo.').waitFor();
    await page.getByRole('button', { name: 'Count me in' }).click();
    await page.getByRole('heading', { name: 'You’re in, Jo.' }).waitFor();
    assert.equal(await page.getByText('Shall we keep one lit').isVisible(), false);
    assert.deepEqual(await findViolations(page), []);
    await page.getByRole('button', { name: 'Not sure? Press again' }).click();
    await said(page, 'Counted once more. Thank you.');
    assert.equal(clicks(), before + 2);
    assert.deepEqual(troubles, []);

    // Also in another browser.
    const { page: other } = await openAs(app, `joins-${layout}@example.com`, 'Jo', PHONE);
    await read(other, layout);
    await other.getByRole('heading', { name: 'You’re in, Jo.' }).waitFor();
    await other.locator('header', { hasText: 'Joined' }).waitFor();
    assert.equal(await other.getByText('Shall we keep one lit').isVisible(), false);
  });

test('a press or a logout that fails says so', async () => {
  const before = clicks();
  const { page } = await openAs(app, 'fails@example.com', 'Flo');
  await read(page, 'desktop');
  for (const [url, button, status, message] of [
    ['**/api/project-join', '#join', 503, 'That didn’t go through.'],
    ['**/api/project-join', '#join', undefined, 'We’re not sure that reached us.'],
    ['**/auth/logout', '#logout', undefined, 'We couldn’t log you out.'],
  ] as const) {
    await page.route(url, (route) => (status ? route.fulfill({ status }) : route.abort()));
    await page.click(button);
    await said(page, message);
    await page.unroute(url);
  }
  assert.equal(clicks(), before);
});

test('a press after the session has ended leads to the entry, and back to the question', async () => {
  const before = clicks();
  const { page } = await openAs(app, 'ended+1@example.com', 'Eve', PHONE);
  await read(page, 'mobile');
  await page.getByText('Welcome, Eve.').waitFor();
  endSessions(app.db, 'ended+1@example.com');
  await page.getByRole('button', { name: 'Count me in' }).click();
  await said(page, 'You had been logged out, so your yes wasn’t counted.');
  assert.equal(await page.inputValue('#email'), 'ended+1@example.com');
  assert.equal(clicks(), before);
  await page.press('#email', 'Enter');
  await page.waitForURL('/timeline#end');
  // It scrolls there smoothly.
  await page.waitForFunction(() => {
    const top = document.querySelector('#end')?.getBoundingClientRect().top;
    return top !== undefined && top < innerHeight / 2;
  });
});

test('a press in the page of somebody else than who is logged in counts for nobody', async () => {
  const before = clicks();
  const { page } = await openAs(app, 'left+1@example.com', 'Ada');
  await read(page, 'desktop');
  // In another tab.
  const [name = '', value = ''] = enter(app.db, 'grace@example.com', 'Grace').split('=');
  await page.context().addCookies([{ name, value, url: page.url() }]);
  await page.getByRole('button', { name: 'Count me in' }).click();
  await said(page, 'Someone else is logged in in this browser, so your yes wasn’t counted.');
  assert.equal(await page.inputValue('#email'), 'left+1@example.com');
  assert.deepEqual(await findViolations(page), []);
  assert.equal(clicks(), before);
  await page.press('#email', 'Enter');
  await page.waitForURL('/timeline#end');
  await page.getByText('Welcome, Ada.').waitFor();
});

test('a page that the browser kept in memory is loaded again', async () => {
  const { page } = await openAs(app, 'kept@example.com', null);
  await read(page, 'desktop');
  const loaded = page.waitForEvent('load');
  await page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);
  await loaded;
});

test('a logout is said', async () => {
  const { page } = await openAs(app, 'leaves@example.com', 'Lee');
  await read(page, 'desktop');
  await page.getByRole('button', { name: 'Log out' }).click();
  await said(page, 'You’re logged out.');
});

test('without scripts it is complete, and says what is missing', async () => {
  const options = { javaScriptEnabled: false };
  const { page } = await openAs(app, 'plain@example.com', 'Pia', options);
  for (const layout of LAYOUTS) {
    await page.goto(`/timeline?view=${layout}`);
    assert.equal(await page.getByRole('article').getByRole('heading').count(), 12);
    assert.equal(await page.getByRole('button', { disabled: true }).count(), 2);
    assert.match(await page.locator('main').innerText(), /JavaScript is off\. You can read/);
  }
});

test('a short film plays while it is in view, unless less motion is asked for; others wait', async () => {
  const fields = { 'timeline[1]': CONTENT.timeline[2], 'timeline[2].video.loop': true };
  const own = await startSite(writeSite(contentWith(fields)));
  const { page } = await openAs(own, 'films@example.com', null);
  // The films of this site are none, so what is looked at is whether they were asked to play.
  await page.addInitScript(`globalThis.played = [];
    HTMLMediaElement.prototype.play = function () {
      played.push(this.loop ? 'loop' : 'film');
      return Promise.resolve();
    };`);
  for (const [reducedMotion, played] of [
    ['no-preference', 'loop'],
    ['reduce', ''],
  ] as const) {
    await page.emulateMedia({ reducedMotion });
    await read(page, 'mobile');
    for (const film of await page.locator('video').all()) {
      await film.scrollIntoViewIfNeeded();
      // The page's own observer is older, so it is told first.
      await film.evaluate(
        (video) => new Promise((done) => new IntersectionObserver(done).observe(video)),
      );
    }
    assert.equal(await page.evaluate('played.join()'), played);
  }
});
