/** Visitors with a keyboard or a screen reader, without scripts or styles, and with old browsers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { findViolations } from '../support/accessibility.ts';
import { sample } from './contents.ts';
import { overflow, styleOf } from './page.ts';
import { ADA, openSite, TIMELINES, WIDE } from './site.ts';

const site = await openSite();

for (const url of TIMELINES)
  test(`without scripts ${url} is complete, without styles it is text in the order of the story`, async () => {
    const { page } = await site.visitAs(ADA, { javaScriptEnabled: false });
    await page.goto('/');
    assert.equal(await page.getByLabel('Your email address').isVisible(), false);
    await page.goto(url);
    assert.equal(await page.getByRole('article').getByRole('heading').count(), 12);
    assert.equal(await page.getByRole('button').count(), 2);
    assert.equal(await page.getByRole('button', { disabled: true }).count(), 2);
    for (const video of await page.locator('video').all()) {
      assert.equal(await video.getAttribute('controls'), '');
      assert.equal(await video.getAttribute('autoplay'), null);
    }
    const { tagline, timeline, join } = sample(site.installation.root);
    const text = await readPlain(page, url);
    let at = text.indexOf(tagline);
    for (const entry of timeline)
      for (const part of [entry.headline, ...[entry.text].flat()]) {
        at = text.indexOf(part, at);
        assert.ok(at >= 0, `${part} is missing or out of order`);
      }
    assert.ok(text.includes(join.headline, at));
    assert.match(text, /JavaScript is off\. You can read this page/);
    assert.doesNotMatch(text, /Still loading|\{\{/);
    assert.match(await readPlain(page, '/'), /This page needs JavaScript and cookies/);
  });

/** A page without styles too, as in a browser that is too old for them, as text. */
async function readPlain(page: Page, url: string): Promise<string> {
  await page.route(/\.(css|js)$/, (route) => route.abort());
  await page.goto(url);
  return page.locator('body').innerText();
}

for (const url of ['/', ...TIMELINES])
  test(`if its program does not load, ${url} says so and sends nothing`, async () => {
    const { page } = await (url === '/' ? site.visit() : site.visitAs(ADA));
    await page.route(/\/(entry|timeline)\.js$/, (route) => route.abort());
    await page.goto(url);
    const hint = page.getByText('Still loading. If nothing happens, reload the page.');
    await hint.waitFor();
    const buttons = page.getByRole('button');
    assert.equal(await buttons.and(page.locator(':enabled')).count(), 0);
    assert.ok((await buttons.count()) > 0);
    if (url !== '/') await page.locator('#name', { hasText: 'Still loading…' }).waitFor();
    else {
      await page.fill('#email', ADA);
      await page.press('#email', 'Enter');
      assert.deepEqual(await findViolations(page), []);
    }
    assert.equal(page.url(), site.origin + url);
  });

/** Later functions, units, queries and properties of CSS. */
const LATER =
  /color-mix\(|svh|\((?:width|height) [<>]|:has\(|text-wrap|overflow: ?clip|animation-timeline/g;

async function withoutLaterCss(page: Page): Promise<void> {
  await page.route('**/*.css', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replaceAll(LATER, (later) => `unknown-${later}`);
    await route.fulfill({ response, body });
  });
}

test('the pages keep their layout with the CSS of 2021', async () => {
  const { page } = await site.visitAs(ADA, WIDE);
  await withoutLaterCss(page);
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
  for (const url of TIMELINES) {
    await page.goto(url);
    assert.equal(await overflow(page), 0);
  }
});
