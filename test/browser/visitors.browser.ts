/** Who is logged in, in a real browser: the end of a session, and other people in other tabs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { findViolations } from '../support/accessibility.ts';
import { said } from './page.ts';
import { ADA, LAYOUTS, NAMELESS, openSite } from './site.ts';

const site = await openSite();

/** Clicks the button in another tab, which first gives the window the focus. */
const CLICK = "dispatchEvent(new Event('focus')); document.querySelector('#join').click()";

const press = (page: Page) => page.locator('#join').press('Enter');

const recorded = (email: string) =>
  site.installation.withStore(({ joins }) => joins.list({ limit: 500, email })).rows.length;

test('a reply without a name changes nothing', async () => {
  const { page } = await site.visitAs(ADA);
  await page.goto('/timeline');
  await page.locator('#name', { hasText: 'Ada' }).waitFor();
  await page.route('**/auth/me', (route) => route.fulfill({ body: '{}' }));
  await page.evaluate(CLICK);
  await said(page, 'Thank you. We know');
});

test('a login in another tab while the page asks who is logged in is noticed', async () => {
  const { page, context } = await site.visitAs(ADA);
  await page.goto('/timeline');
  await page.locator('#name', { hasText: 'Ada' }).waitFor();
  const isShownAgain = "document.dispatchEvent(new Event('visibilitychange'))";
  await page.route(
    '**/auth/me',
    async (route) => {
      const response = await route.fetch();
      await context.request.post('/auth/login', { data: { email: NAMELESS } });
      await page.evaluate(isShownAgain);
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  await page.evaluate(isShownAgain);
  await said(page, `This browser is now logged in as ${NAMELESS}.`);
});

for (const view of LAYOUTS) {
  test(`an ended session leads from the ${view} layout to the entry page, which explains it`, async () => {
    const { page, context } = await site.visitAs(ADA);
    await page.goto(`/timeline?view=${view}`);
    await page.locator('#name', { hasText: 'Ada' }).waitFor();
    await context.clearCookies();
    await press(page);
    await said(page, 'Your session has ended. Please enter your address again.');
    assert.deepEqual(await findViolations(page), []);
    assert.equal(page.url(), `${site.origin}/`);
  });

  test(`logging out of the ${view} layout ends the session, or reports the failure`, async () => {
    const { page, context, troubles } = await site.visitAs(ADA);
    await page.goto(`/timeline?view=${view}`);
    await page.locator('#name', { hasText: 'Ada' }).waitFor();
    const button = page.getByRole('button', { name: 'Log out' });
    await context.setOffline(true);
    await button.click();
    await said(page, 'You may still be logged in. The site cannot be reached.');
    assert.deepEqual(await findViolations(page), []);
    await context.setOffline(false);
    await button.click();
    await said(page, 'You are logged out.');
    assert.equal((await context.request.get('/auth/me')).status(), 401);
    assert.equal(
      troubles.filter((trouble) => !trouble.includes('INTERNET_DISCONNECTED')).length,
      0,
    );
  });

  test(`a session that ends during reading is reported on the ${view} layout, with a link to log in`, async () => {
    const { page, context } = await site.visitAs(ADA);
    await page.goto(`/timeline?view=${view}`);
    await page.locator('#name', { hasText: 'Ada' }).waitFor();
    await context.clearCookies();
    await page.getByRole('article').last().scrollIntoViewIfNeeded();
    await said(page, 'Your session has ended, so pictures no longer load.');
    assert.deepEqual(await findViolations(page), []);
    const link = page.getByRole('link', { name: 'Log in again' });
    assert.equal(await link.count(), 1);
    await link.press('Enter');
    await said(page, 'Your session has ended. Please enter your address again.');
  });

  test(`two people in the tabs of one browser: the ${view} layout names the person who joins`, async () => {
    const { page, context } = await site.visitAs(ADA);
    const [ada, other] = [recorded(ADA), recorded(NAMELESS)];
    await page.goto(`/timeline?view=${view}`);
    await page.locator('#name', { hasText: 'Ada' }).waitFor();
    await context.request.post('/auth/login', { data: { email: NAMELESS } });
    await page.evaluate(CLICK);
    await said(page, `This press is not recorded. This browser is now logged in as ${NAMELESS}.`);
    assert.equal(await page.locator('#name').textContent(), '');
    assert.deepEqual([recorded(ADA), recorded(NAMELESS)], [ada, other]);
    await press(page);
    await said(page, 'Thank you. We know');
    assert.deepEqual([recorded(ADA), recorded(NAMELESS)], [ada, other + 1]);

    await context.request.post('/auth/login', { data: { email: ADA } });
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await said(page, 'This browser is now logged in as Ada. Press the button to join as Ada.');
    assert.equal(await page.locator('#name').textContent(), 'Ada');
  });

  test(`another person logs in after a session has ended: the ${view} layout names that person`, async () => {
    const { page, context } = await site.visitAs(ADA);
    const before = recorded(NAMELESS);
    await page.goto(`/timeline?view=${view}`);
    await page.locator('#name', { hasText: 'Ada' }).waitFor();
    await context.clearCookies();
    await page.getByRole('article').last().scrollIntoViewIfNeeded();
    await said(page, 'Your session has ended');
    await context.request.post('/auth/login', { data: { email: NAMELESS } });
    await page.evaluate(CLICK);
    await said(page, `This press is not recorded. This browser is now logged in as ${NAMELESS}.`);
    assert.equal(recorded(NAMELESS), before);
  });
}
