/** Joining and logging out in a real browser, and who does so: other tabs have other people. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { findViolations } from '../support/accessibility.ts';
import { said } from './page.ts';
import { ADA, LAYOUTS, NAMELESS, openSite } from './site.ts';

const site = await openSite();

/** Clicks the button in another tab, which first gives the window the focus. */
const CLICK = "dispatchEvent(new Event('focus')); document.querySelector('#join').click()";
const SHOW = "document.dispatchEvent(new Event('visibilitychange'))";

const press = (page: Page) => page.locator('#join').press('Enter');

const recorded = (email: string) =>
  site.installation.withStore(({ joins }) => joins.list({ limit: 500, email })).rows.length;

for (const view of LAYOUTS)
  test(`on the ${view} layout every press is confirmed, and the button stays`, async () => {
    const { page, context, troubles } = await site.read(view);
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/auth/me')) asked += 1;
    });
    const before = recorded(ADA);
    await press(page);
    await said(page, 'You’re on the list, Ada.');
    await said(page, 'Thank you. We know that you want to join.');
    assert.deepEqual(await findViolations(page), []);
    await press(page);
    await said(page, 'Thank you, 2 times over.');
    assert.equal(recorded(ADA), before + 2);
    assert.equal(asked, 0, 'who is logged in is asked once, when the page opens');
    assert.deepEqual(troubles, []);

    await context.setOffline(true);
    await press(page);
    await said(page, 'This press may not be recorded. The site cannot be reached.');
    assert.deepEqual(await findViolations(page), []);
    await context.setOffline(false);
    await press(page);
    await said(page, 'Thank you, 3 times over.');
    assert.equal(recorded(ADA), before + 3, 'nothing was queued in secret');
  });

test('the answer stays in view after the press and after a reload, until the visitor logs out', async () => {
  const { page, context } = await site.read('mobile', { viewport: { width: 390, height: 844 } });
  const logIn = (email: string) => context.request.post('/auth/login', { data: { email } });
  const question = page.getByRole('heading', { name: 'Shall we keep one lit' });
  const answer = page.getByRole('heading', { name: 'You’re on the list, Ada.' });
  const way = page.getByRole('banner').getByRole('link', { name: 'Count me in' });
  await question.waitFor();
  assert.equal(await way.isVisible(), true);
  await press(page);
  await answer.waitFor();
  const { y = -1, height = 0 } = (await answer.boundingBox()) ?? {};
  assert.ok(y >= 0 && y + height <= 844);
  await page.getByText('One of the first four hundred is yours').waitFor();
  await page.reload();
  await answer.waitFor();
  assert.equal(await question.isVisible(), false);
  assert.equal(await way.isVisible(), false);
  const before = recorded(ADA);
  await press(page);
  await said(page, 'Thank you. We know');
  assert.equal(recorded(ADA), before + 1, 'another press counts');

  await logIn(NAMELESS);
  await page.reload();
  await question.waitFor();
  await logIn(ADA);
  await page.reload();
  await answer.waitFor();
  await page.getByRole('button', { name: 'Log out' }).click();
  await said(page, 'You are logged out.');
  await logIn(ADA);
  await page.goto('/timeline?view=mobile');
  await question.waitFor();
});

test('if the store cannot be written, it says so and offers another press', async () => {
  const { page, troubles } = await site.read('desktop');
  const before = recorded(ADA);
  const unlock = site.lockStore();
  try {
    await press(page);
    await said(page, 'This press is not recorded. The site is unavailable just now.');
  } finally {
    unlock();
  }
  assert.equal(recorded(ADA), before);
  assert.deepEqual(troubles, ['503 /api/project-join']);
  assert.ok(await page.locator('#join').isEnabled());
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

test('after a 429 of a proxy it says how long to wait', async () => {
  const { page } = await site.read('mobile');
  // The service itself limits only logins.
  await page.route('**/api/project-join', (route) =>
    route.fulfill({ status: 429, headers: { 'Retry-After': '61' } }),
  );
  await press(page);
  await said(page, 'This press is not recorded. Too many attempts. Please try again in 2 minutes.');
});

for (const view of LAYOUTS) {
  test(`without scripts the ${view} layout is complete, and says that its buttons need them`, async () => {
    const { page } = await site.visitAs(ADA, { javaScriptEnabled: false });
    await page.goto(`/timeline?view=${view}`);
    assert.equal(await page.getByRole('article').getByRole('heading').count(), 12);
    await page.locator('noscript p', { hasText: 'JavaScript is off' }).waitFor();
    assert.equal(await page.getByRole('button').count(), 2);
    assert.equal(await page.getByRole('button', { disabled: true }).count(), 2);
  });

  test(`if its program does not load, the ${view} layout says so and sends nothing`, async () => {
    const { page } = await site.visitAs(ADA);
    await page.route('**/timeline.js', (route) => route.abort());
    await page.goto(`/timeline?view=${view}`);
    await page.getByText('Still loading. If this stays here').waitFor();
    await page.locator('#name', { hasText: 'Still loading…' }).waitFor();
    assert.equal(await page.getByRole('button', { disabled: true }).count(), 2);
    assert.deepEqual(await findViolations(page), []);
  });
}

test('logging out ends the session, or reports the failure', async () => {
  const { page, context } = await site.read('mobile');
  const button = page.getByRole('button', { name: 'Log out' });
  await context.setOffline(true);
  await button.click();
  await said(page, 'You may still be logged in. The site cannot be reached.');
  await context.setOffline(false);
  await button.click();
  await said(page, 'You are logged out.');
  assert.equal((await context.request.get('/auth/me')).status(), 401);
});

test('an ended session leads to the entry page, which explains it', async () => {
  const { page, context } = await site.read('desktop');
  await context.clearCookies();
  await press(page);
  await said(page, 'Your session has ended. Please enter your address again.');
  assert.deepEqual(await findViolations(page), []);
  assert.equal(page.url(), `${site.origin}/`);
});

for (const view of LAYOUTS)
  test(`a session that ends during reading is reported on the ${view} layout, with a link to log in`, async () => {
    const { page, context } = await site.read(view);
    await context.clearCookies();
    await page.getByRole('article').last().scrollIntoViewIfNeeded();
    await said(page, 'Your session has ended, so pictures no longer load.');
    assert.deepEqual(await findViolations(page), []);
    await page.getByRole('link', { name: 'Log in again' }).press('Enter');
    await said(page, 'Your session has ended. Please enter your address again.');
  });

test('two people in the tabs of one browser: it names the person who joins', async () => {
  const { page, context } = await site.read('mobile');
  const [ada, other] = [recorded(ADA), recorded(NAMELESS)];
  await context.request.post('/auth/login', { data: { email: NAMELESS } });
  await page.evaluate(CLICK);
  await said(page, `This press is not recorded. This browser is now logged in as ${NAMELESS}.`);
  assert.equal(await page.locator('#name').textContent(), '');
  assert.deepEqual([recorded(ADA), recorded(NAMELESS)], [ada, other]);
  await press(page);
  await said(page, 'Thank you. We know');
  assert.deepEqual([recorded(ADA), recorded(NAMELESS)], [ada, other + 1]);

  await context.request.post('/auth/login', { data: { email: ADA } });
  await page.evaluate(SHOW);
  await said(page, 'This browser is now logged in as Ada. Press the button to join as Ada.');
  assert.equal(await page.locator('#name').textContent(), 'Ada');
});

test('another person logs in after a session has ended: it names that person', async () => {
  const { page, context } = await site.read('desktop');
  const before = recorded(NAMELESS);
  await context.clearCookies();
  await page.getByRole('article').last().scrollIntoViewIfNeeded();
  await said(page, 'Your session has ended');
  await context.request.post('/auth/login', { data: { email: NAMELESS } });
  await page.evaluate(CLICK);
  await said(page, `This press is not recorded. This browser is now logged in as ${NAMELESS}.`);
  assert.equal(recorded(NAMELESS), before);
});

test('a reply without a name changes nothing', async () => {
  const { page } = await site.read('mobile');
  await page.route('**/auth/me', (route) => route.fulfill({ body: '{}' }));
  await page.evaluate(CLICK);
  await said(page, 'Thank you. We know');
});

test('a login in another tab while the page asks who is logged in is noticed', async () => {
  const { page, context } = await site.read('mobile');
  await page.route(
    '**/auth/me',
    async (route) => {
      const response = await route.fetch();
      await context.request.post('/auth/login', { data: { email: NAMELESS } });
      await page.evaluate(SHOW);
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  await page.evaluate(SHOW);
  await said(page, `This browser is now logged in as ${NAMELESS}.`);
});
