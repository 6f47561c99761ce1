/** The site of a German maker of e-bikes, made with docs/content.md alone, as its visitors see it. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { root } from '../../lib/config.ts';
import { findViolations } from '../support/accessibility.ts';
import { overflow, pictures } from './page.ts';
import { ADA, LAYOUTS, openSite } from './site.ts';

const site = await openSite((installed) => {
  const sample = path.join(installed, 'pages', 'sample');
  const read = (name: string) => JSON.parse(fs.readFileSync(path.join(sample, name), 'utf8'));
  fs.cpSync(path.join(root, 'test', 'site', 'talwind'), sample, { recursive: true });
  return { ...read('content.json'), words: read('words-de.json').words };
});

async function look(page: Page, what: string): Promise<void> {
  assert.deepEqual(await findViolations(page), [], what);
  for (const width of [320, 390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    assert.equal(await overflow(page), 0, `${what}, ${width} px`);
  }
}

test('a visitor walks through the site', async () => {
  const { page, troubles } = await site.visit();
  await page.goto('/');
  await look(page, 'entry page');
  await page.getByLabel('Ihre E-Mail-Adresse').fill(ADA);
  await page.getByRole('button', { name: 'Eintreten' }).click();
  await page.waitForURL('/timeline');
  for (const layout of LAYOUTS) {
    await page.goto(`/timeline?view=${layout}`);
    await page.locator('#name', { hasText: 'Ada' }).waitFor();
    assert.equal(await page.locator('video').count(), 2);
    assert.equal(await page.locator('article img').count(), 6);
    assert.equal(await page.getByRole('contentinfo').getByRole('link').count(), 3);
    await look(page, layout);
    await page.setViewportSize({ width: 390, height: 844 });
    const parts = [page.locator('header .logo'), page.locator('header .button')];
    const [logo, link] = await Promise.all(parts.map((part) => part.boundingBox()));
    assert.ok(logo && link);
    if (layout === 'mobile') assert.ok(logo.x + logo.width < link.x, 'the header is one row');
  }
  await page.getByRole('button', { name: 'Ich bin dabei' }).click();
  await page.getByRole('heading', { name: 'Sie sind dabei, Ada.' }).waitFor();
  await page.getByText('Im Frühjahr schreiben wir Ihnen.').waitFor();
  await pictures(page);
  await page.getByRole('button', { name: 'Abmelden' }).click();
  await page.getByText('Sie sind abgemeldet.').waitFor();
  assert.deepEqual(troubles, []);
});
