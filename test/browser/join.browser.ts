/** Joining and logging out in a real browser: every press is recorded, and its result is shown. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { findViolations } from '../support/accessibility.ts';
import { said } from './page.ts';
import { ADA, LAYOUTS, NAMELESS, openSite, SCHEMES } from './site.ts';

const site = await openSite();

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

/** Clicks the button in another tab, which first gives the window the focus. */
const CLICK = "dispatchEvent(new Event('focus')); document.querySelector('#join').click()";

const press = (page: Page) => page.locator('#join').press('Enter');

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

test('if the store cannot be written, both layouts say so and offer another press', async () => {
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

test('a press does not wait for the name of the visitor', async () => {
  const { page } = await site.visitAs(ADA);
  await page.route('**/auth/me', () => undefined);
  // The clock of the page stands still, so that the question never times out.
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(86_400_000);
  await page.goto('/timeline');
  await press(page);
  await page.getByText('Recorded. Thank you').waitFor();
});

test('a reply without a name changes nothing', async () => {
  const { page } = await site.visitAs(ADA);
  await page.goto('/timeline');
  await page.locator('#name', { hasText: 'Ada' }).waitFor();
  await page.route('**/auth/me', (route) => route.fulfill({ body: '{}' }));
  await page.evaluate(CLICK);
  await said(page, 'Recorded. Thank you');
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
  test(`the ${view} layout says how long to wait after a 429 of a proxy`, async () => {
    const { page } = await site.visitAs(ADA);
    // The service itself limits only logins.
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

  test(`without scripts the ${view} layout is complete, and says that its buttons need them`, async () => {
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

  test(`if its program does not load, the ${view} layout says so and sends nothing`, async () => {
    const { page } = await site.visitAs(ADA);
    await page.route('**/timeline.js', (route) => route.abort());
    await page.goto(`/timeline?view=${view}`);
    await page.getByText('Still loading. If this stays here').waitFor();
    await page.locator('#name', { hasText: 'Still loading…' }).waitFor();
    for (const button of await page.getByRole('button').all())
      assert.equal(await button.isDisabled(), true);
    assert.deepEqual(await findViolations(page), []);
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
    await said(page, 'Recorded. Thank you');
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
