/** The timeline in a real browser: both layouts, the join, the logout, and who is logged in. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { findViolations } from '../support/accessibility.ts';
import { sample, talwind } from './contents.ts';
import { answerOnce, boxOf, focused, hold, overflow, said, styleOf } from './page.ts';
import { ADA, LAYOUTS, NAMELESS, openService, TIMELINES, WIDE } from './visitors.ts';

const service = await openService();
const talwindService = await openService({ content: talwind });
const PHONE = { width: 390, height: 844 };

/** Scrolls the nth entry (from 1) to the top of the window, and waits for its image. */
async function readEntry(page: Page, n: number): Promise<void> {
  await page.evaluate(`{
    const entry = document.querySelectorAll('article')[${n - 1}];
    entry.scrollIntoView({ behavior: 'instant', block: 'start' });
    entry.querySelector('img')?.decode();
  }`);
}

for (const layout of LAYOUTS)
  test(`the ${layout} layout never moves while it loads, and prints its text`, async () => {
    const { page } = await service.visitAs(ADA, layout === 'desktop' ? WIDE : {});
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

    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.getByRole('button').count(), 0);
    assert.equal(await styleOf(page, '.scene', 'clip-path'), 'none');
    assert.ok(await page.getByRole('article').getByRole('paragraph').last().isVisible());
  });

test('the narrowest phone shows the whole name in the reserved space', async () => {
  const { page } = await service.read('mobile', { viewport: { width: 320, height: 640 } });
  const name = page.locator('#name');
  const isCut = await name.evaluate(
    ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
      scrollWidth > clientWidth || scrollHeight > clientHeight,
  );
  assert.equal(isCut, false);
  const { height } = await boxOf(page.getByRole('banner'));
  await name.evaluate((element) => element.replaceChildren());
  assert.equal((await boxOf(page.getByRole('banner'))).height, height);
});

test('a video prints its poster, also one that was never in view', async () => {
  for (const view of LAYOUTS) {
    const { page } = await talwindService.read(view);
    const poster = page.locator('.poster').first();
    assert.equal(await poster.isVisible(), false);
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.locator('video:visible').count(), 0);
    assert.equal(await poster.isVisible(), true);
    assert.ok(await poster.evaluate((image: HTMLImageElement) => image.naturalWidth > 0));
  }
});

test('the rail follows the scrolling, and scenes reveal unless motion is reduced', async () => {
  const { page } = await service.read('desktop', WIDE);
  /** Waits until the rail marks the nth entry as current. */
  const isCurrent = (n: number) =>
    page.locator(`.rail a[aria-current][href="#entry-${n}"]`).waitFor();
  const clip = () => styleOf(page, '#entry-2 .scene', 'clip-path');
  assert.match(await clip(), /^inset\(14%/);
  await isCurrent(1);
  for (const n of [5, 12, 3]) {
    await readEntry(page, n);
    await isCurrent(n);
  }
  await page.waitForFunction(() => {
    const scene = document.querySelector('#entry-2 .scene');
    return scene && getComputedStyle(scene).clipPath.startsWith('inset(0');
  });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  assert.equal(await clip(), 'none');
  const dates = page.getByRole('navigation', { name: 'Dates' });
  await dates.getByRole('link', { name: '20 Mar' }).last().click();
  await isCurrent(12);
});

test('the arrow keys reach every stop, there and back, and the rail follows them', async () => {
  // The middle of this window is between two entries after each step.
  const { page } = await service.read('desktop', { viewport: { width: 1280, height: 860 } });
  const stops = await page.locator('article, .join').evaluateAll((all) => all.map(({ id }) => id));
  for (const [key, way] of [
    ['ArrowRight', stops],
    ['ArrowLeft', stops.slice(0, -1).reverse()],
  ] as const)
    for (const id of way) {
      await page.keyboard.press(key);
      assert.equal(await focused(page), id, key);
      // The last entry is short: where it is at the top, the question is already current.
      const marked = id === 'entry-12' ? 'end' : id;
      await page.locator(`.rail a[aria-current][href="#${marked}"]`).waitFor();
    }
});

const LOOP = "document.querySelector('.loop')";

/** Waits until an expression is true, which is looked at in each frame. */
const until = (page: Page, condition: string) =>
  page.evaluate<void>(`new Promise((resolve) => {
      const look = () => ((${condition}) ? resolve() : requestAnimationFrame(look));
      look();
    })`);

/** Brings the short video into view or out of it, and waits until the page's observers know. */
const show = (page: Page, block: 'center' | 'away') =>
  page.evaluate<void>(`new Promise((resolve) => {
      if (${block === 'away'}) scrollTo({ top: 0, behavior: 'instant' });
      else ${LOOP}.scrollIntoView({ behavior: 'instant', block: 'center' });
      new IntersectionObserver(([{ isIntersecting }]) => {
        if (isIntersecting === ${block === 'center'}) requestAnimationFrame(resolve);
      }, { threshold: 0.5 }).observe(${LOOP});
    })`);

test('a short video plays while in view, unless motion is reduced', async (t) => {
  const { page } = await talwindService.read('mobile');
  // Some builds of Chromium lack H.264.
  if (!(await page.evaluate(`${LOOP}.canPlayType('video/mp4; codecs="avc1.64001f"')`)))
    return t.skip('this browser plays no H.264');
  for (let visit = 0; visit < 2; visit += 1) {
    assert.equal(await page.evaluate(`${LOOP}.paused`), true);
    await show(page, 'center');
    await until(page, `${LOOP}.currentTime > 0.1 && !${LOOP}.paused`);
    await show(page, 'away');
  }
  assert.equal(await page.evaluate(`${LOOP}.muted && ${LOOP}.loop && ${LOOP}.controls`), true);
  const film = "document.querySelector('.film')";
  assert.equal(await page.evaluate(`${film}.muted || ${film}.loop`), false);

  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.reload();
  await show(page, 'center');
  assert.equal(await page.evaluate(`${LOOP}.paused && ${LOOP}.currentTime === 0`), true);
  // A visitor who prefers less motion can still start it.
  await page.locator('.loop').focus();
  await page.keyboard.press('Space');
  await until(page, `${LOOP}.currentTime > 0.1`);
});

test('links lead to their entries, and a video keeps the arrow keys', async () => {
  const { page } = await talwindService.read('desktop', WIDE);
  const link = page.getByRole('link', { name: 'Rad, das man vergisst' });
  const href = 'https://presse.example.com/talwind?ausgabe=11&seite=3';
  assert.equal(await link.getAttribute('href'), href);
  assert.equal(await link.getAttribute('rel'), 'noreferrer');
  await page.locator('#join').focus();
  await page.keyboard.press('Shift+Tab');
  assert.equal(await page.evaluate('document.activeElement.href'), 'mailto:hallo@example.com');
  const film = page.locator('.film');
  await film.focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.locator('.film:focus').count(), 1);
});

test('without scripts it is complete, without styles it is readable', async () => {
  const { page } = await service.visitAs(ADA, { javaScriptEnabled: false });
  for (const url of TIMELINES) {
    await page.goto(url);
    assert.equal(await page.getByRole('article').getByRole('heading').count(), 12);
    assert.equal(await page.getByRole('button', { disabled: true }).count(), 2);
    // A browser that is too old ignores the styles.
    await page.route(/\.css$/, (route) => route.abort());
    await page.reload();
    const text = await page.locator('body').innerText();
    const { tagline, timeline, join } = sample(service.installation.root);
    const headlines = timeline.map(({ headline }: { headline: string }) => headline);
    const places = [tagline, ...headlines, join.headline].map((part) => text.indexOf(part));
    const inOrder = places.toSorted((one, other) => one - other);
    assert.ok(places.every((place, i) => place >= 0 && place === inOrder[i]));
    assert.match(text, /JavaScript is off\. You can read this page/);
    assert.doesNotMatch(text, /Still loading|\{\{/);
    await page.unroute(/\.css$/);
  }
});

/** Later functions, units, queries and properties of CSS. */
const LATER =
  /color-mix\(|svh|\((?:width|height) [<>]|:has\(|text-wrap|overflow: ?clip|animation-timeline/g;

test('the pages keep their layout with the CSS of 2021', async () => {
  const { page } = await service.visitAs(ADA, WIDE);
  await page.route('**/*.css', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replaceAll(LATER, (later) => `unknown-${later}`);
    await route.fulfill({ response, body });
  });
  await page.goto('/');
  assert.notEqual(await styleOf(page, '.leaf-face', 'fill'), 'rgb(0, 0, 0)');
  assert.equal(await styleOf(page, 'main', 'align-self'), 'center');
  await page.goto('/timeline?view=desktop');
  assert.equal(await styleOf(page, '.story', 'display'), 'grid');
  await page.setViewportSize({ width: 320, height: 568 });
  assert.deepEqual([await styleOf(page, '.story', 'display'), await overflow(page)], ['block', 0]);
});

/** Presses a key until this element has the focus, then Enter. */
async function reach(page: Page, key: 'Tab' | 'Shift+Tab', id: string): Promise<void> {
  for (let i = 0; i < 40 && (await focused(page)) !== id; i += 1) await page.keyboard.press(key);
  assert.equal(await focused(page), id);
  await page.keyboard.press('Enter');
}

const press = (page: Page) => page.locator('#join').press('Enter');

test('a phone links to the end only in the second half', async () => {
  const { page } = await service.read('mobile', { viewport: PHONE });
  const link = page.locator('.stay');
  const isShown = async (place: string) => {
    await page.locator(place).evaluate((element) => element.scrollIntoView());
    // The observer of the page runs in one of the next frames.
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    const { y, height } = await boxOf(link);
    return (await link.isVisible()) && y >= 0 && y + height <= PHONE.height;
  };
  assert.equal(await isShown('header'), false);
  assert.equal(await isShown('article >> nth=0'), false);
  assert.equal(await isShown('article >> nth=-2'), true);
  await link.click();
  await page.getByRole('button', { name: 'Count me in' }).waitFor();
  assert.equal(await isShown('#join'), false);
});

test('the question keeps its text and its button readable', async () => {
  for (const view of LAYOUTS) {
    const { page } = await service.visitAs(NAMELESS, WIDE);
    await page.goto(`/timeline?view=${view}`);
    await page.locator('#join:enabled').waitFor();
    const size = async (selector: string) => parseFloat(await styleOf(page, selector, 'font-size'));
    assert.ok((await size('#question h2')) <= 64);
    assert.ok((await size('#question p')) >= 24);
    assert.ok((await size('#join')) >= 20);
  }
});

const recorded = (email: string) =>
  service.installation.read(({ joins }) => joins.list({ limit: 500, email })).rows.length;

test('a press is confirmed, counts again, and is remembered in any browser', async () => {
  const { page, context, troubles } = await service.read('mobile', { viewport: PHONE });
  const question = page.getByRole('heading', { name: 'Shall we keep one lit' });
  await question.waitFor();
  const ways = page.locator('.to-join:visible');
  assert.deepEqual(await ways.allTextContents(), ['Count me in ↓']);
  const release = await hold(page, '**/api/project-join', 'POST');
  await reach(page, 'Tab', 'join');
  await said(page, 'Sending');
  release();
  const answer = page.getByRole('heading', { name: 'You’re in, Ada.' });
  await answer.waitFor();
  const { y, height } = await boxOf(answer);
  assert.ok(y >= 0 && y + height <= PHONE.height);
  assert.deepEqual(await findViolations(page), []);
  await page.getByRole('button', { name: 'Say yes again' }).press('Enter');
  await said(page, 'Counted again. Thank you.');
  assert.deepEqual([recorded(ADA), troubles], [2, []]);

  await context.setOffline(true);
  await press(page);
  const lost = 'We couldn’t confirm that. Check your connection and press again. Twice is fine.';
  await said(page, lost);
  await context.setOffline(false);
  await press(page);
  await said(page, 'Counted again. Thank you.');
  assert.equal(recorded(ADA), 3, 'nothing was queued in secret');

  const other = await service.read('desktop');
  await other.page
    .locator('a.to-join:visible', { hasText: /^Joined$/ })
    .first()
    .waitFor();
  await other.page.getByRole('heading', { name: 'You’re in, Ada.' }).waitFor();
  assert.equal(await other.page.locator('#question').isVisible(), false);
});

test('after a join, the story ends at the open door', async () => {
  const { page } = await service.read('desktop', WIDE);
  const isShown = async () => (await styleOf(page, '.joined #end', 'content', '::before')) === '""';
  assert.equal(await page.locator('.joined').count(), 1, 'she has joined before');
  assert.equal(await isShown(), true);
  const again = page.getByRole('button', { name: 'Say yes again' });
  assert.ok((await boxOf(again)).height <= 48, 'it is quiet');
  assert.equal(await styleOf(page, '#join', 'background-color'), 'rgba(0, 0, 0, 0)');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  assert.equal(await isShown(), true, 'it does not move');
  await page.emulateMedia({ forcedColors: 'active' });
  assert.equal(await isShown(), false, 'a door of two colours is no door');
  await page.emulateMedia({ forcedColors: 'none', media: 'print' });
  assert.equal(await styleOf(page, '#end', 'display', '::before'), 'none');

  const own = await talwindService.read('desktop', WIDE);
  assert.equal(await styleOf(own.page, '#end', 'background-image'), 'none');
  await press(own.page);
  await own.page.getByRole('heading', { name: 'Sie sind dabei, Ada.' }).waitFor();
  assert.match(await styleOf(own.page, '#end', 'background-image'), /^radial-gradient/);
  assert.equal(await styleOf(own.page, '#end', 'content', '::before'), 'none');
});

/** What a browser does when a tab is shown again. */
const SHOW = "document.dispatchEvent(new Event('visibilitychange'))";

/** Presses a button while the page asks who is logged in, and is told after the press leads away. */
async function pressWhileAsking(page: Page, button: string, next: string): Promise<void> {
  const answer = await hold(page, '**/auth/me');
  const showNext = await hold(page, next);
  await page.evaluate(SHOW);
  const leaving = page.waitForRequest(next);
  // A press would wait for the next page.
  await page.locator(button).press('Enter', { noWaitAfter: true });
  await leaving;
  const told = page.waitForResponse('**/auth/me');
  answer();
  await told;
  showNext();
}

test('a press or a logout that fails says so', async () => {
  const { page, context } = await service.read('desktop');
  const before = recorded(ADA);
  const join = '**/api/project-join';
  const logout = '**/auth/logout';
  const unavailable = 'The site is temporarily unavailable. Please try again in a moment.';
  for (const [button, url, reply, words] of [
    ['#join', join, { status: 503 }, `That didn’t go through. ${unavailable}`],
    ['#join', join, undefined, 'We couldn’t confirm that. Check your connection and press again.'],
    ['#logout', logout, { status: 503 }, `You’re still logged in. ${unavailable}`],
    ['#logout', logout, undefined, 'We couldn’t confirm that you’re logged out.'],
  ] as const) {
    await answerOnce(page, url, reply);
    await page.locator(button).press('Enter');
    await said(page, words);
    assert.ok(await page.locator(button).isEnabled());
  }
  assert.equal(recorded(ADA), before);
  const other = await service.read('desktop');
  await pressWhileAsking(other.page, '#logout', '**/?left');
  await said(other.page, 'You’re logged out.');
  const release = await hold(page, '**/auth/logout');
  await page.locator('#join').focus();
  await reach(page, 'Shift+Tab', 'logout');
  await said(page, 'Logging out');
  release();
  await said(page, 'You’re logged out.');
  assert.equal(await page.inputValue('#email'), '', 'the address is for ended sessions alone');
  assert.equal((await context.request.get('/auth/me')).status(), 401);
});

test('after another login, the page is that person’s', async () => {
  const { page, context } = await service.read('mobile');
  await context.clearCookies();
  await page.getByRole('article').last().scrollIntoViewIfNeeded();
  await said(page, 'Your session has ended, so pictures can’t load.');
  assert.deepEqual(await findViolations(page), []);
  assert.equal(
    await page.getByRole('link', { name: 'Log in again' }).getAttribute('href'),
    `/?ended&view=mobile#${encodeURIComponent(ADA)}`,
  );
  await context.request.post('/auth/login', { data: { email: NAMELESS } });
  await Promise.all([page.waitForEvent('load'), page.evaluate(SHOW)]);
  await page.locator('#join:enabled').waitFor();
  await page.locator('#name:empty').waitFor({ state: 'attached' });
  await press(page);
  await page.getByRole('heading', { name: 'You’re in.' }).waitFor();
  assert.equal(recorded(NAMELESS), 1);
  service.installation.invite('stranger@example.com', 'Sam');
  await context.request.post('/auth/login', { data: { email: 'stranger@example.com' } });
  await page.evaluate(SHOW);
  await page.getByRole('heading', { name: 'Shall we keep one lit' }).waitFor();
  await page.locator('#name', { hasText: 'Welcome, Sam.' }).waitFor({ state: 'attached' });
  await context.clearCookies();
  await pressWhileAsking(page, '#join', '**/?uncounted*');
  await said(
    page,
    'Your session ended, so that wasn’t counted. Enter your address, then press once',
  );
  assert.equal(await page.inputValue('#email'), 'stranger@example.com');
  await page.press('#email', 'Enter');
  await page.waitForURL('/timeline?view=mobile#end');
  await page.waitForFunction(() => {
    const top = document.querySelector('#question')?.getBoundingClientRect().top ?? -1;
    return top >= 0 && top < innerHeight / 2;
  });
});
