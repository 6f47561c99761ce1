/** Joining and logging out in a real browser, and who does so: other tabs have other people. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { findViolations } from '../support/accessibility.ts';
import { recordJoin } from '../support/rows.ts';
import { answerOnce, boxOf, focused, hold, said, textOf } from './page.ts';
import { ADA, NAMELESS, openSite } from './site.ts';

const site = await openSite();
const PHONE = { width: 390, height: 844 };
/** Joins in no test. */
const STRANGER = 'stranger@example.com';
site.installation.invite(STRANGER);

/** Clicks the button in another tab, which first gives the window the focus. */
const CLICK = "dispatchEvent(new Event('focus')); document.querySelector('#join').click()";
const SHOW = "document.dispatchEvent(new Event('visibilitychange'))";

/** Presses a key until this element has the focus, then Enter. */
async function reach(page: Page, key: 'Tab' | 'Shift+Tab', id: string): Promise<void> {
  for (let i = 0; i < 40 && (await focused(page)) !== id; i += 1) await page.keyboard.press(key);
  assert.equal(await focused(page), id);
  await page.keyboard.press('Enter');
}

const press = (page: Page) => page.locator('#join').press('Enter');

const recorded = (email: string) =>
  site.installation.read(({ joins }) => joins.clicks({ limit: 500, email })).rows.length;

test('a press is confirmed once and in view, and counts again', async () => {
  const { page, context, troubles } = await site.read('mobile', { viewport: PHONE });
  const before = recorded(ADA);
  const release = await hold(page, '**/api/project-join', 'POST');
  await reach(page, 'Tab', 'join');
  await said(page, 'Sending');
  release();
  const answer = page.getByRole('heading', { name: 'You’ve joined, Ada.' });
  await answer.waitFor();
  const { y, height } = await boxOf(answer);
  assert.ok(y >= 0 && y + height <= PHONE.height);
  await page.getByText('One of the first four hundred is yours').waitFor();
  assert.equal(await textOf(page.locator('#message')), '');
  assert.deepEqual(await findViolations(page), []);
  await page.getByRole('button', { name: 'Join again' }).press('Enter');
  await said(page, 'Thank you again.');
  assert.equal(recorded(ADA), before + 2);
  assert.deepEqual(troubles, []);

  await context.setOffline(true);
  await press(page);
  await said(
    page,
    'The site did not answer, so this may not have gone through. Check your connection',
  );
  await context.setOffline(false);
  await press(page);
  await said(page, 'Thank you again.');
  assert.equal(recorded(ADA), before + 3, 'nothing was queued in secret');
});

test('whoever has joined sees the answer in any browser, and nobody else does', async () => {
  site.installation.write((writer) => recordJoin(writer, ADA, Date.now()));
  const { page, context } = await site.read('mobile');
  const question = page.getByRole('heading', { name: 'Shall we keep one lit' });
  const answer = page.getByRole('heading', { name: 'You’ve joined, Ada.' });
  const ways = page.locator('.to-join:visible');
  await answer.waitFor();
  assert.equal(await question.isVisible(), false);
  assert.deepEqual(await ways.allInnerTexts(), ['Joined']);
  await context.request.post('/auth/login', { data: { email: STRANGER } });
  await page.reload();
  await question.waitFor();
  // Without a first name.
  await page.locator('#name:empty').waitFor({ state: 'attached' });
  assert.deepEqual(await ways.allTextContents(), ['Count me in ↓', 'Count me in ↓']);
  const covered = await page.locator('.stay').evaluate((link) => {
    document.querySelector('#end')?.scrollIntoView({ behavior: 'instant' });
    const { left, top, width, height } = link.getBoundingClientRect();
    return !link.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });
  assert.ok(covered, 'the question has a button of its own');
  const release = await hold(page, '**/auth/logout');
  await page.locator('#join').focus();
  await reach(page, 'Shift+Tab', 'logout');
  await said(page, 'Logging out');
  release();
  await said(page, 'You’re logged out.');
  assert.equal(await page.inputValue('#email'), '', 'the address is for ended sessions alone');
  assert.equal((await context.request.get('/auth/me')).status(), 401);
});

test('what a press or a logout gets instead of the reply is said, also that the session has ended', async () => {
  const { page, context } = await site.read('desktop');
  const before = recorded(ADA);
  const [join, logout] = ['**/api/project-join', '**/auth/logout'];
  const unavailable = 'The site is temporarily unavailable. Please try again in a moment.';
  for (const [button, url, reply, words] of [
    ['#join', join, { status: 503 }, `That did not go through. ${unavailable}`],
    ['#join', join, undefined, 'The site did not answer, so this may not have gone through.'],
    ['#logout', logout, { status: 503 }, `You’re still logged in. ${unavailable}`],
    ['#logout', logout, undefined, 'The site did not answer, so you may still be logged in.'],
  ] as const) {
    await answerOnce(page, url, reply);
    await page.locator(button).press('Enter');
    await said(page, words);
    assert.ok(await page.locator(button).isEnabled());
  }
  assert.equal(recorded(ADA), before);
  await context.clearCookies();
  await press(page);
  await said(page, 'You have been logged out. Please log in again.');
  assert.deepEqual([page.url(), await page.inputValue('#email')], [`${site.origin}/`, ADA]);
});

test('a session that ends during reading is reported, with a link to log in', async () => {
  const { page, context } = await site.read('mobile');
  await context.clearCookies();
  await page.getByRole('article').last().scrollIntoViewIfNeeded();
  await said(page, 'You have been logged out, so pictures cannot load.');
  assert.deepEqual(await findViolations(page), []);
  await page.getByRole('link', { name: 'Log in again' }).press('Enter');
  await said(page, 'You have been logged out. Please log in again.');
});

test('two people in the tabs of one browser: it names the person who joins', async () => {
  const { page, context } = await site.read('mobile');
  const [ada, other] = [recorded(ADA), recorded(NAMELESS)];
  await context.request.post('/auth/login', { data: { email: NAMELESS } });
  await page.evaluate(CLICK);
  await said(page, `That did not go through. This browser is now logged in as ${NAMELESS}.`);
  assert.equal(await page.locator('#name').textContent(), '');
  assert.deepEqual([recorded(ADA), recorded(NAMELESS)], [ada, other]);
  await press(page);
  await page.getByRole('heading', { name: 'You’ve joined.' }).waitFor();
  assert.deepEqual([recorded(ADA), recorded(NAMELESS)], [ada, other + 1]);

  await context.request.post('/auth/login', { data: { email: ADA } });
  await page.evaluate(SHOW);
  await said(page, 'This browser is now logged in as Ada. Press the button to join as Ada.');
  assert.equal(await page.locator('#name').textContent(), 'Ada');
});
