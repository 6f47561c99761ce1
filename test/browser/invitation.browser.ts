/** The link of an invitation in a real browser: what it fills in, and for whom. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { findViolations } from '../support/accessibility.ts';
import { holdGreeting, requestsOf, said } from './page.ts';
import { ADA, NAMELESS, openSite } from './site.ts';

const site = await openSite();

/** What the field has, and the address of the page. */
const fieldAndUrl = async (page: Page) => [await page.inputValue('#email'), page.url()];

test('the link of an invitation fills in the address, which only needs Enter', async () => {
  const { page, troubles } = await site.visit();
  const sent = requestsOf(page);
  await holdGreeting(page);
  await page.goto(`/#${ADA}`);
  await page.locator('#email:focus').waitFor();
  assert.deepEqual(await fieldAndUrl(page), [ADA, `${site.origin}/`]);
  await page.keyboard.press('Enter');
  await said(page, 'Welcome, Ada.');
  assert.deepEqual(await findViolations(page), []);
  assert.ok(!sent.some((url) => url.includes('ada')));
  assert.deepEqual(troubles, []);
});

test('a fragment goes, and leaves an address in the field if it is one', async () => {
  const { page } = await site.visit();
  for (const [fragment, value] of [
    ['bo%2Bx@example.com', 'bo+x@example.com'],
    ['end', ''],
    ['%E0%A4%A', ''],
    [`${'a'.repeat(250)}@example.com`, ''],
  ] as const) {
    await page.goto('about:blank');
    await page.goto(`/#${fragment}`);
    await page.locator('#enter button:enabled').waitFor();
    assert.deepEqual(await fieldAndUrl(page), [value, `${site.origin}/`]);
  }
});

test('the invitation of somebody else shows the form to a visitor with a session', async () => {
  const { page } = await site.visitAs(NAMELESS);
  const me = page.waitForResponse('**/auth/me');
  await page.goto(`/#${ADA}`);
  await (await me).finished();
  await holdGreeting(page);
  await page.keyboard.press('Enter');
  await said(page, 'Welcome, Ada.');
  await page.goto('about:blank');
  await page.goto(`/#${ADA}`);
  await said(page, 'Welcome back, Ada.');
});
