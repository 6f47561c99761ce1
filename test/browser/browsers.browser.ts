/** Older browsers, refused cookies, pages kept in memory, and a program that does not load. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { findViolations } from '../support/accessibility.ts';
import { DOMAIN } from './chromium.ts';
import { holdGreeting, overflow, pictures, said, styleOf } from './page.ts';
import { ADA, LAYOUTS, openSite } from './site.ts';

const site = await openSite();

const WITHOUT_INTERFACES = `
  delete AbortSignal.timeout;
  delete AbortSignal.any;
  delete Array.prototype.at;
  delete Array.prototype.findLastIndex;
  delete globalThis.structuredClone;
`;

/** Later functions, units, queries and properties of CSS. */
const LATER =
  /color-mix\(|svh|\((?:width|height) [<>]|:has\(|text-wrap|overflow: clip|animation-timeline/g;

async function withoutLaterCss(page: Page): Promise<void> {
  await page.route('**/*.css', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replaceAll(LATER, (later) => `unknown-${later}`);
    await route.fulfill({ response, body });
  });
}

/** Types the address, presses Enter, and waits for the words. */
async function enter(page: Page, words: string): Promise<void> {
  await page.fill('#email', ADA);
  await page.press('#email', 'Enter');
  await said(page, words);
}

for (const view of LAYOUTS)
  test(`a browser of 2021 logs in, joins on the ${view} layout and logs out`, async () => {
    const { page, troubles } = await site.visit();
    await page.addInitScript(WITHOUT_INTERFACES);
    const leadOn = await holdGreeting(page);
    await page.goto('/');
    await enter(page, 'Welcome, Ada.');
    leadOn();
    await page.waitForURL('/timeline');
    await page.goto(`/timeline?view=${view}`);
    await page.locator('#name', { hasText: 'Ada' }).waitFor();
    await page.locator('#join').press('Enter');
    await said(page, 'Thank you.');
    await pictures(page);
    await page.locator('#logout').press('Enter');
    await said(page, 'You are logged out.');
    assert.deepEqual(troubles, []);
  });

test('the pages keep their layout with the CSS of 2021', async () => {
  const { page } = await site.visitAs(ADA);
  await withoutLaterCss(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.route('**/timeline', (route) => route.abort());
  await page.goto('/');
  assert.notEqual(await styleOf(page, '.leaf-face', 'fill'), 'rgb(0, 0, 0)');
  assert.equal(await styleOf(page, 'main', 'align-self'), 'center');
  await page.hover('button');
  assert.notEqual(await styleOf(page, 'button', 'background-color'), 'rgba(0, 0, 0, 0)');
  await page.goto('/timeline?view=desktop');
  assert.equal(await styleOf(page, '.story', 'display'), 'grid');
  await page.setViewportSize({ width: 320, height: 568 });
  assert.equal(await styleOf(page, '.story', 'display'), 'block');
  for (const view of LAYOUTS) {
    await page.goto(`/timeline?view=${view}`);
    assert.equal(await overflow(page), 0);
  }
});

test('a browser that refuses the cookie gets an explanation and no greeting', async () => {
  const production = await site.installation.start({ NODE_ENV: 'production' });
  const { page } = await site.visit({ baseURL: `http://${DOMAIN}:${production.port}` });
  await page.goto('/');
  await enter(page, 'Please allow cookies for this site, then try again.');
  assert.equal(await page.getByLabel('Your email address').isVisible(), true);
  assert.deepEqual(await findViolations(page), []);
  await production.stop();
});

test('a page from the memory of the browser does not greet a logged-out visitor', async () => {
  const { page, context } = await site.visit();
  // The greeting lasts until the test moves the clock on. Of a request that the test holds back,
  // the browser reports no redirection.
  await page.clock.install({ time: 0 });
  await page.goto('/');
  await page.clock.pauseAt(3_600_000);
  await enter(page, 'Welcome, Ada.');
  // Chromium keeps no page while a program controls it. These are the events of a kept page.
  const event = (name: string) =>
    page.evaluate(`dispatchEvent(new PageTransitionEvent('${name}', { persisted: true }))`);
  await event('pagehide');
  await context.request.post('/auth/logout');
  const asked = page.waitForResponse((response) => response.request().method() === 'HEAD');
  await event('pageshow');
  assert.equal(await page.getByRole('status').textContent(), '');
  assert.equal(await page.getByLabel('Your email address').isVisible(), true);
  await asked;
  await page.clock.runFor(5000);
  assert.equal(page.url(), `${site.origin}/`);

  await context.request.post('/auth/login', { data: { email: ADA } });
  await event('pageshow');
  await said(page, 'Welcome back, Ada.');
});

test('if its program does not load, the entry page says so and sends nothing', async () => {
  const { page } = await site.visit();
  await page.route('**/entry.js', (route) => route.abort());
  await page.goto('/');
  await page.fill('#email', ADA);
  await page.press('#email', 'Enter');
  await page.getByText('Still loading. If this stays here, please load the page again.').waitFor();
  assert.equal(await page.getByRole('button').isDisabled(), true);
  assert.deepEqual(await findViolations(page), []);
  assert.equal(page.url(), `${site.origin}/`);
});
