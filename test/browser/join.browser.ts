/** Joining and logging out in a real browser, and who does so: other tabs have other people. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { findViolations } from '../support/accessibility.ts';
import { answerOnce, boxOf, hold, requestsOf, said, stopClock } from './page.ts';
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
    const requests = requestsOf(page);
    const before = recorded(ADA);
    const release = await hold(page, '**/api/project-join');
    await press(page);
    await said(page, 'Recording');
    release();
    await said(page, 'You’re on the list, Ada.');
    await said(page, 'Thank you. We know that you want to join.');
    assert.deepEqual(await findViolations(page), []);
    await press(page);
    await said(page, 'Thank you, 2 times over.');
    assert.equal(recorded(ADA), before + 2);
    // The page asks once who is logged in, when it opens.
    assert.ok(!requests.includes(`${site.origin}/auth/me`));
    assert.deepEqual(troubles, []);

    await context.setOffline(true);
    await press(page);
    await said(page, 'This press may not be recorded. The site cannot be reached.');
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
  const { y, height } = await boxOf(answer);
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
  const release = await hold(page, '**/auth/logout');
  await page.getByRole('button', { name: 'Log out' }).click();
  await said(page, 'Logging out');
  release();
  await said(page, 'You are logged out.');
  assert.equal((await context.request.get('/auth/me')).status(), 401);
  await logIn(ADA);
  await page.goto('/timeline?view=mobile');
  await question.waitFor();
});

test('what a press or a logout gets instead of the reply is said, with what may be recorded', async () => {
  const { page } = await site.read('desktop');
  const before = recorded(ADA);
  const [join, logout] = ['**/api/project-join', '**/auth/logout'];
  // Of a proxy: the service itself limits only logins.
  const unavailable = 'The site is unavailable just now. Please try again in a moment.';
  const limited = { status: 429, headers: { 'Retry-After': '61' } };
  for (const [button, url, reply, words] of [
    ['#join', join, { status: 503 }, `This press is not recorded. ${unavailable}`],
    ['#join', join, limited, /^This press is not recorded. Too many.* try again in 2 minutes\.$/],
    ['#join', join, undefined, 'This press may not be recorded. The site cannot be reached.'],
    ['#logout', logout, { status: 503 }, 'You are still logged in. The site is'],
    ['#logout', logout, undefined, 'You may still be logged in. The site cannot be'],
  ] as const) {
    await answerOnce(page, url, reply);
    await page.locator(button).press('Enter');
    await said(page, words);
    assert.ok(await page.locator(button).isEnabled());
  }
  assert.equal(recorded(ADA), before);
});

test('a press does not wait for the name of the visitor', async () => {
  const { page } = await site.visitAs(ADA);
  await page.route('**/auth/me', () => undefined);
  // The question never times out.
  await stopClock(page);
  await page.goto('/timeline');
  await press(page);
  await said(page, 'You’re on the list.');
});

test('an ended session leads to the entry page, which explains it', async () => {
  const { page, context } = await site.read('desktop');
  await context.clearCookies();
  await press(page);
  await said(page, 'Your session has ended. Please enter again.');
  assert.equal(page.url(), `${site.origin}/`);
});

test('a session that ends during reading is reported, with a link to log in', async () => {
  const { page, context } = await site.read('mobile');
  await context.clearCookies();
  await page.getByRole('article').last().scrollIntoViewIfNeeded();
  await said(page, 'Your session has ended, so pictures no longer load.');
  assert.deepEqual(await findViolations(page), []);
  await page.getByRole('link', { name: 'Log in again' }).press('Enter');
  await said(page, 'Your session has ended. Please enter again.');
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

test('a login in another tab while the page asks who is logged in is noticed', async () => {
  const { page, context } = await site.read('mobile');
  const logInMeanwhile = async (route: Route) => {
    const response = await route.fetch();
    await context.request.post('/auth/login', { data: { email: NAMELESS } });
    await page.evaluate(SHOW);
    await route.fulfill({ response });
  };
  await page.route('**/auth/me', logInMeanwhile, { times: 1 });
  await page.evaluate(SHOW);
  await said(page, `This browser is now logged in as ${NAMELESS}.`);
});
