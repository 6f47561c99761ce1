/** Visitors with a keyboard, a screen reader or a phone, and those without scripts and styles. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { FIND_OBSTACLES } from '../support/accessibility.ts';
import { holdGreeting, pictures, said } from './page.ts';
import { ADA, LAYOUTS, openSite } from './site.ts';

const ROOT = 'root@example.com';
const TIMELINES = LAYOUTS.map((view) => `/timeline?view=${view}`);
const MOBILE = '/timeline?view=mobile';

const site = await openSite();
site.installation.invite(ROOT);
site.installation.setAdmin(ROOT);

/** Opens a page as a person who may see it. The timeline is complete with the first name. */
async function open(url: string, options?: BrowserContextOptions): Promise<Page> {
  const email = url.startsWith('/svcops') ? ROOT : ADA;
  const { page } = await (url === '/' ? site.visit(options) : site.visitAs(email, options));
  await page.goto(url);
  return page;
}

const READY = {
  '/': '#enter button:enabled',
  [`${TIMELINES[0]}`]: '#join:enabled',
  [MOBILE]: '#join:enabled',
  '/svcops': '#updated time',
  [`/svcops#person=${ADA}`]: '#person-activity time',
};

for (const [url, ready] of Object.entries(READY))
  test(`at every width of ${url} each control shows its focus, and nothing is in the way`, async () => {
    const page = await open(url, { reducedMotion: 'reduce' });
    await page.locator(ready).first().waitFor({ state: 'attached' });
    // To those who use the keyboard, browsers show the focus.
    await page.keyboard.press('Tab');
    for (const width of [1440, 1024, 768, 390, 320]) {
      await page.setViewportSize({ width, height: 900 });
      assert.deepEqual(await page.evaluate(FIND_OBSTACLES), [], `${width} px`);
    }
  });

test('what is in the way would be found', async () => {
  const page = await open('/');
  await page.locator('button:enabled').waitFor();
  for (const [style, fault] of [
    ['min-width: 5000px', 'scrolls sideways'],
    ['outline: 1px solid #0000 !important', 'shows no focus'],
    ['pointer-events: none', 'covered'],
  ] as const) {
    await page.locator('button').evaluate((button, style) => {
      button.style.cssText = style;
    }, style);
    const found = await page.evaluate<string[]>(FIND_OBSTACLES);
    assert.ok(
      found.some((each) => each.startsWith(fault)),
      fault,
    );
  }
});

test('a mistake on the entry page is read out with its field', async () => {
  const page = await open('/');
  await page.fill('#email', 'bo');
  await page.press('#email', 'Enter');
  await page.locator('[aria-invalid]').waitFor();
  assert.equal(
    await page.locator('form').ariaSnapshot(),
    '- text: Your email address\n- textbox "Your email address" [invalid]: bo\n- button "Enter"',
  );
  assert.equal(await page.getAttribute('#email', 'aria-describedby'), 'message');
  assert.match(await page.getByRole('status').innerText(), /^That is not an email address\./);
});

test('the story is an article for each entry, whose heading, date and film have names', async () => {
  const page = await open(MOBILE);
  const tree = await page.getByRole('article', { name: 'The wrong dusk' }).ariaSnapshot();
  assert.match(
    tree,
    /^- article "The wrong dusk":\n {2}- time: 21 June 2025\n {2}- heading "The wrong dusk" \[level=\d\]\n {2}- paragraph: On/,
  );
  const film = page.locator('video').first();
  assert.match((await film.getAttribute('aria-label')) ?? '', /^A day over hills/);
});

test('the administrator page is a region for each section, which the navigation lists', async () => {
  const page = await open('/svcops');
  await page.locator('#updated time').waitFor();
  const links = await page.getByRole('navigation', { name: 'Sections' }).getByRole('link').all();
  assert.ok(links.length > 4);
  for (const link of links) {
    const section = page.locator((await link.getAttribute('href')) ?? '');
    assert.match(await section.ariaSnapshot(), /^- region ".+":\n {2}- heading ".+" \[level=2\]/);
  }
  const tree = await page.locator('#people').ariaSnapshot();
  for (const part of ['search "Filter the invite list"', 'columnheader "Email"', 'status'])
    assert.ok(tree.includes(`- ${part}`), part);
});

/** A phone on its side. */
const LYING = { viewport: { width: 844, height: 390 }, isMobile: true, hasTouch: true };

/** Covers the edges of the screen, as the camera and the home bar of a phone do. */
async function coverEdges(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const insets = { left: 47, right: 47, bottom: 21 };
  await devtools.send('Emulation.setSafeAreaInsetsOverride', { insets });
}

for (const url of ['/', ...TIMELINES])
  test(`the camera of a phone on its side covers no words of ${url}`, async () => {
    const page = await open(url, LYING);
    await coverEdges(page);
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
  });

test('the home bar of a phone covers no message at the lower edge', async () => {
  const page = await open(MOBILE, LYING);
  await coverEdges(page);
  const padding = await page.locator('#ended').evaluate((message) => {
    message.textContent = 'Your session has ended.';
    return getComputedStyle(message).paddingBottom;
  });
  assert.equal(padding, '21px');
});

for (const url of ['/', '/svcops'])
  test(`the letters of each field of ${url} are large enough for iOS not to zoom`, async () => {
    const page = await open(url, LYING);
    const sizes = await page.evaluate<number[]>(
      `[...document.querySelectorAll('input, select, textarea')]
        .map((each) => parseFloat(getComputedStyle(each).fontSize))`,
    );
    assert.ok(sizes.length > 0 && sizes.every((size) => size >= 16), String(sizes));
  });

/** A page without scripts and styles, as in a browser that is too old for them, as text. */
async function readPlain(url: string): Promise<string> {
  const { page } = await site.visitAs(ADA, { javaScriptEnabled: false });
  await page.route(/\.(css|js)$/, (route) => route.abort());
  await page.goto(url);
  return page.locator('body').innerText();
}

for (const url of TIMELINES)
  test(`without scripts and styles ${url} is text, in the order of the story`, async () => {
    const sample = path.join(site.installation.root, 'pages/sample/content.json');
    const { tagline, timeline, join } = JSON.parse(fs.readFileSync(sample, 'utf8'));
    const text = await readPlain(url);
    let at = text.indexOf(tagline);
    for (const entry of timeline)
      for (const part of [entry.headline, ...[entry.text].flat()]) {
        at = text.indexOf(part, at);
        assert.ok(at >= 0, `${part} is missing or out of order`);
      }
    assert.ok(text.includes(join.headline, at));
    assert.match(text, /JavaScript is off\. Without it you can read this page/);
    assert.doesNotMatch(text, /Still loading|\{\{/);
  });

test('without scripts and styles the entry page says what it needs', async () => {
  assert.match(await readPlain('/'), /To let you in, this page needs JavaScript, and a cookie/);
});

test('the keyboard alone does the whole story', async () => {
  const { page, troubles } = await site.visit({ viewport: { width: 1440, height: 900 } });
  const { keyboard } = page;
  const focused = () => page.evaluate<string>('document.activeElement.id');
  /** Presses a key until this element has the focus. */
  const go = async (key: string, id: string) => {
    for (let i = 0; i < 40 && (await focused()) !== id; i += 1) await keyboard.press(key);
    assert.equal(await focused(), id);
  };
  const leadOn = await holdGreeting(page);
  await page.goto('/');
  await page.locator('#enter button:enabled').waitFor();
  await go('Tab', 'email');
  await keyboard.type(ADA);
  await keyboard.press('Enter');
  await said(page, 'Welcome, Ada.');
  leadOn();
  await keyboard.press('Enter');
  await page.waitForURL('/timeline');
  await page.locator('#name', { hasText: 'Ada' }).waitFor();
  await go('ArrowRight', 'end');
  await go('Tab', 'join');
  await keyboard.press('Enter');
  await said(page, 'Thank you.');
  assert.equal(await focused(), 'join', 'the focus stays, to press again');
  await pictures(page);
  await go('Shift+Tab', 'logout');
  await keyboard.press('Enter');
  await said(page, 'You are logged out.');
  assert.deepEqual(troubles, []);
});
