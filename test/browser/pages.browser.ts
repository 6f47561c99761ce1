/** Every page on several sites: axe-core finds nothing, and at no width is something in the way. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { FIND_OBSTACLES, findViolations } from '../support/accessibility.ts';
import { arabic, longWords, talwind, WORD } from './contents.ts';
import { boxOf } from './page.ts';
import { ADA, LAYOUTS, openSite, type Site } from './site.ts';

const TIMELINES = LAYOUTS.map((view) => `/timeline?view=${view}`);
const PERSON = `/svcops#person=${ADA}`;

/** The pages of the visitors, and what is there when they are complete. */
const READY: Readonly<Record<string, string>> = {
  '/': '#enter button:enabled',
  [`${TIMELINES[0]}`]: '#join:enabled',
  [`${TIMELINES[1]}`]: '#join:enabled',
  '/svcops': '#updated time',
  [PERSON]: '#person-activity time',
};

/** The last is 1280 at a zoom of 400 %. */
const WIDTHS = [2560, 1440, 1024, 768, 390, 320];

/** Opens a page as a person who may see it. */
async function open(site: Site, url: string, options?: BrowserContextOptions): Promise<Page> {
  const { page } = await (url === '/' ? site.visit(options) : site.visitAs(ADA, options));
  await page.goto(url);
  const part = page.locator(READY[url] ?? '').first();
  await part.waitFor({ state: 'attached' });
  return page;
}

for (const [name, content, firstName, urls] of [
  ['the sample', undefined, 'Ada', Object.keys(READY)],
  ['Talwind', talwind, 'Ada', ['/', ...TIMELINES]],
  ['long words', longWords, WORD, Object.keys(READY)],
  ['Arabic', arabic, 'Ada', ['/', ...TIMELINES]],
] as const) {
  const site = await openSite({
    content: content && ((root) => content(root)),
    fill({ invites }) {
      invites.add({ email: ADA, firstName, invitedBy: 'cli', invitedAt: Date.now() });
      invites.setAdmin(ADA, true);
    },
  });

  for (const url of urls)
    test(`${name}: on ${url} nothing is in the way at any width`, async () => {
      const page = await open(site, url, { reducedMotion: 'reduce' });
      // Texts alone make no violation.
      if (!['long words', 'Arabic'].includes(name))
        assert.deepEqual(await findViolations(page), []);
      // To those who use the keyboard, browsers show the focus.
      await page.keyboard.press('Tab');
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        assert.deepEqual(await page.evaluate(FIND_OBSTACLES), [], `${width} px`);
      }
    });
}

const site = await openSite();

test('what is in the way would be found', async () => {
  const page = await open(site, '/');
  for (const [style, fault] of [
    ['min-width: 5000px', 'scrolls sideways'],
    ['outline: 1px solid #0000 !important', 'shows no focus'],
    ['pointer-events: none', 'covered'],
  ] as const) {
    await page.locator('button').evaluate((button, style) => {
      button.style.cssText = style;
    }, style);
    const found = await page.evaluate<string[]>(FIND_OBSTACLES);
    assert.match(found.join('\n'), new RegExp(`^${fault}`, 'm'));
  }
});

/** A phone on its side. */
const LYING = { viewport: { width: 844, height: 390 }, isMobile: true, hasTouch: true };

/** What the camera and the home bar of a phone cover, in px. */
const INSETS = { left: 47, right: 47, bottom: 21 };

for (const url of ['/', ...TIMELINES])
  test(`the camera of a phone on its side covers no words of ${url}, its home bar no message`, async () => {
    const page = await open(site, url, LYING);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setSafeAreaInsetsOverride', { insets: INSETS });
    const covered = await page.evaluate<string[]>(
      `[...document.querySelectorAll('h1, h2, h3, p, time, button, input, header a')]
        .filter((each) => !each.closest('.visually-hidden')
          && each.matches('input, :not(:empty)') && each.checkVisibility())
        .filter((each) => {
          const { left, right } = each.getBoundingClientRect();
          const { paddingLeft, paddingRight } = getComputedStyle(each);
          return left + parseFloat(paddingLeft) < 47
            || right - parseFloat(paddingRight) > innerWidth - 47;
        })
        .map((each) => each.outerHTML)`,
    );
    assert.deepEqual(covered, []);
    if (url === '/') return;
    const padding = await page.locator('#ended').evaluate((message) => {
      message.textContent = 'Your session has ended.';
      return getComputedStyle(message).paddingBottom;
    });
    assert.equal(padding, '21px');
  });

for (const view of LAYOUTS)
  test(`the ${view} layout has thumb-size targets`, async () => {
    const { page } = await site.read(view, { viewport: { width: 390, height: 844 } });
    const targets = await page.locator('header a, #logout, footer a, .join button').all();
    assert.ok(targets.length >= 3);
    for (const target of targets) {
      const { height } = await boxOf(target);
      assert.ok(height >= 48, `${await target.textContent()}: ${height} px`);
    }
  });
