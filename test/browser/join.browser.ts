/** Joining in a real browser: every press is recorded, and its result is shown. */
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
    await said(page, 'You’re on the list, Ada.');
    await said(page, 'Thank you. We know that you want to join.');
    assert.deepEqual(await findViolations(page), []);
    await press(page);
    await said(page, 'Thank you, 2 times over.');
    await press(page);
    await said(page, 'Thank you, 3 times over.');
    assert.equal(recorded(ADA), before + 3);
    assert.equal(asked, 1, 'who is logged in is asked once');
    assert.deepEqual(troubles, []);

    await context.setOffline(true);
    await press(page);
    await said(page, 'This press may not be recorded. The site cannot be reached.');
    assert.deepEqual(await findViolations(page), []);
    await context.setOffline(false);
    await press(page);
    await said(page, 'Thank you, 4 times over.');
    assert.equal(recorded(ADA), before + 4, 'nothing was queued in secret');
  });

test('the answer stays in view after the press and after a reload, until the visitor logs out', async () => {
  const { page, context } = await site.visitAs(ADA, { viewport: { width: 390, height: 844 } });
  const inView = () =>
    page.evaluate<boolean>(`(() => {
      const { top, bottom } = document.querySelector('#answer h2').getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    })()`);
  const question = page.getByRole('heading', { name: 'Shall we keep one lit' });
  const answer = page.getByRole('heading', { name: 'You’re on the list, Ada.' });
  await page.goto('/timeline?view=mobile');
  await question.waitFor();
  await press(page);
  await answer.waitFor();
  assert.ok(await inView());
  await page.getByText('One of the first four hundred is yours').waitFor();
  await page.reload();
  await answer.waitFor();
  assert.equal(await question.isVisible(), false);
  const before = recorded(ADA);
  await press(page);
  await said(page, 'Thank you. We know');
  assert.equal(recorded(ADA), before + 1, 'another press counts');

  await context.request.post('/auth/login', { data: { email: NAMELESS } });
  await page.reload();
  await question.waitFor();
  await context.request.post('/auth/login', { data: { email: ADA } });
  await page.reload();
  await answer.waitFor();
  await page.getByRole('button', { name: 'Log out' }).click();
  await said(page, 'You are logged out.');
  await context.request.post('/auth/login', { data: { email: ADA } });
  await page.goto('/timeline?view=mobile');
  await question.waitFor();
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
  await said(page, 'You’re on the list.');
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
}
