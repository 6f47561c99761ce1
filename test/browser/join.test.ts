/** Joining and logging out in a real browser: every press is recorded, and what happens is said as it is. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { findViolations } from '../support/accessibility.ts';
import { ADA, LAYOUTS, NAMELESS, openSite, SCHEMES } from './site.ts';

const site = await openSite();
after(() => site.close());

/** A guest of each layout and colour scheme, for the tests that end no session. */
const guests = await Promise.all(
  LAYOUTS.flatMap((view) =>
    SCHEMES.map(async (colorScheme) => ({
      view,
      colorScheme,
      ...(await site.visitAs(ADA, { colorScheme })),
    })),
  ),
);

const press = (page: Page) => page.locator('#join').press('Enter');

/** Waits until a live region says so. */
const said = (page: Page, words: string) =>
  page.getByRole('status').filter({ hasText: words }).waitFor();

const recorded = (email: string) =>
  site.installation.withStore(({ joins }) => joins.list({ limit: 500, email })).rows.length;

for (const { view, colorScheme, page, context, troubles } of guests)
  test(`on the ${view} layout in ${colorScheme} every press is confirmed, and the button stays`, async () => {
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/auth/me')) asked += 1;
    });
    await page.goto(`/timeline?view=${view}`);
    const before = recorded(ADA);
    await press(page);
    await said(page, 'Recorded. Thank you: we know that you want to join.');
    assert.deepEqual(await findViolations(page), []);
    await press(page);
    await said(page, 'Recorded again: 2 times since you opened this page.');
    await press(page);
    await said(page, 'Recorded again: 3 times since you opened this page.');
    assert.equal(recorded(ADA), before + 3);
    assert.equal(asked, 1, 'who is logged in is asked once');
    assert.deepEqual(troubles, []);

    await context.setOffline(true);
    await press(page);
    await said(page, 'This press may not be recorded. The site cannot be reached.');
    assert.deepEqual(await findViolations(page), []);
    await context.setOffline(false);
    await press(page);
    await said(page, 'Recorded again: 4 times since you opened this page.');
    assert.equal(recorded(ADA), before + 4, 'nothing was queued in secret');
  });

test('a store that cannot be written makes both layouts say so, and offer to press again', async () => {
  const before = recorded(ADA);
  const seen = guests.map(({ troubles }) => troubles.length);
  await Promise.all(guests.map(({ page, view }) => page.goto(`/timeline?view=${view}`)));
  const unlock = site.lockStore();
  try {
    await Promise.all(
      guests.map(async ({ page }) => {
        await press(page);
        await said(page, 'This press is not recorded. The site is unavailable just now.');
      }),
    );
  } finally {
    unlock();
  }
  assert.equal(recorded(ADA), before);
  for (const [i, { page, troubles }] of guests.entries()) {
    assert.deepEqual(await findViolations(page), []);
    assert.deepEqual(troubles.slice(seen[i]), ['503 /api/project-join']);
  }
});

test('a press does not wait until the page says who is logged in', async () => {
  const { page } = await site.visitAs(ADA);
  await page.route('**/auth/me', () => undefined);
  await page.goto('/timeline');
  await press(page);
  // The page gives the question up after 15 s.
  await page.getByText('Recorded. Thank you').waitFor({ timeout: 14_000 });
});

test('an answer that names nobody changes nothing', async () => {
  const { page } = await site.visitAs(ADA);
  await page.goto('/timeline');
  await page.locator('#name', { hasText: 'Ada' }).waitFor();
  await page.route('**/auth/me', (route) => route.fulfill({ body: '{}' }));
  await page.evaluate("dispatchEvent(new Event('focus')); document.querySelector('#join').click()");
  await said(page, 'Recorded. Thank you');
});

for (const view of LAYOUTS) {
  test(`the ${view} layout says how long to wait where a proxy in front has had enough`, async () => {
    const { page } = await site.visitAs(ADA);
    // The service itself limits logins only.
    await page.route('**/api/project-join', (route) =>
      route.fulfill({ status: 429, headers: { 'Retry-After': '61' } }),
    );
    await page.goto(`/timeline?view=${view}`);
    await press(page);
    await said(
      page,
      'This press is not recorded. Too many attempts. Please try again in 2 minutes.',
    );
  });

  test(`a session that is gone leads from the ${view} layout to the entry page, which says why`, async () => {
    const { page, context } = await site.visitAs(ADA);
    await page.goto(`/timeline?view=${view}`);
    await page.locator('#name', { hasText: 'Ada' }).waitFor();
    await context.clearCookies();
    await press(page);
    await said(page, 'Your session has ended. Please enter your address again.');
    assert.deepEqual(await findViolations(page), []);
    assert.equal(page.url(), `${site.origin}/`);
  });

  test(`logging out of the ${view} layout ends the session, or says that it did not`, async () => {
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

  test(`with scripts off the ${view} layout reads fully, and says what its buttons need`, async () => {
    const { page } = await site.visitAs(ADA, { javaScriptEnabled: false });
    await page.goto(`/timeline?view=${view}`);
    const articles = await page.getByRole('article').all();
    assert.equal(articles.length, 12);
    for (const article of articles)
      assert.equal(await article.getByRole('heading').isVisible(), true);
    assert.match(await page.locator('noscript p').innerText(), /JavaScript is off/);
    const buttons = await page.getByRole('button').all();
    assert.equal(buttons.length, 2);
    for (const button of buttons) assert.equal(await button.isDisabled(), true);
  });

  test(`where its program does not load the ${view} layout says so, and sends nothing`, async () => {
    const { page } = await site.visitAs(ADA);
    await page.route('**/timeline.js', (route) => route.abort());
    await page.goto(`/timeline?view=${view}`);
    await page.getByText('Still loading. If this stays here').waitFor();
    await page.locator('#name', { hasText: 'Still loading…' }).waitFor();
    for (const button of await page.getByRole('button').all())
      assert.equal(await button.isDisabled(), true);
    assert.deepEqual(await findViolations(page), []);
  });

  test(`a session that ends while somebody reads the ${view} layout is said, with a way back`, async () => {
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

  test(`two people in the tabs of one browser: the ${view} layout says who joins`, async () => {
    const { page, context } = await site.visitAs(ADA);
    const [ada, other] = [recorded(ADA), recorded(NAMELESS)];
    await page.goto(`/timeline?view=${view}`);
    await page.locator('#name', { hasText: 'Ada' }).waitFor();
    await context.request.post('/auth/login', { data: { email: NAMELESS } });
    // The window is clicked at its button: it has the focus first.
    await page.evaluate(`{
      dispatchEvent(new Event('focus'));
      document.querySelector('#join').click();
    }`);
    await said(page, `This press is not recorded. This browser is now logged in as ${NAMELESS}.`);
    assert.equal(await page.locator('#name').textContent(), '');
    assert.deepEqual([recorded(ADA), recorded(NAMELESS)], [ada, other]);
    await press(page);
    await said(page, 'Recorded. Thank you');
    assert.deepEqual([recorded(ADA), recorded(NAMELESS)], [ada, other + 1]);

    await context.request.post('/auth/login', { data: { email: ADA } });
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await said(page, 'This browser is now logged in as Ada. Press the button to join as Ada.');
    assert.equal(await page.locator('#name').textContent(), 'Ada');
  });

  test(`somebody else who logs in after a session has ended: the ${view} layout says who joins`, async () => {
    const { page, context } = await site.visitAs(ADA);
    const before = recorded(NAMELESS);
    await page.goto(`/timeline?view=${view}`);
    await page.locator('#name', { hasText: 'Ada' }).waitFor();
    await context.clearCookies();
    await page.getByRole('article').last().scrollIntoViewIfNeeded();
    await said(page, 'Your session has ended');
    await context.request.post('/auth/login', { data: { email: NAMELESS } });
    await page.evaluate(
      "dispatchEvent(new Event('focus')); document.querySelector('#join').click()",
    );
    await said(page, `This press is not recorded. This browser is now logged in as ${NAMELESS}.`);
    assert.equal(recorded(NAMELESS), before);
  });
}
