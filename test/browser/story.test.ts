/** The whole story in a real browser: a visit from login to logout, by keyboard too, and an invite. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { holdGreeting, pictures, said } from './page.ts';
import { ADA, LAYOUTS, NAMELESS, openSite } from './site.ts';

const site = await openSite();

async function logIn(page: Page, email: string): Promise<void> {
  await page.goto('/');
  await page.getByLabel(/email/i).fill(email);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/timeline*');
}

it('an invitee logs in, reads both layouts, joins twice and logs out', async () => {
  const { page } = await site.visit();
  await logIn(page, ADA);
  await page.locator('body.desktop').waitFor();
  await page.getByText('Ada').first().waitFor();
  await page.locator('a[href*="view=mobile"]').first().click();
  await page.locator('body.mobile').waitFor();

  const join = page.locator('#join');
  for (let press = 0; press < 2; press += 1) {
    const answered = page.waitForResponse('**/api/project-join');
    await join.click();
    assert.equal((await answered).status(), 200);
  }

  await page.locator('#logout').first().click();
  await page.waitForURL(({ pathname }) => pathname === '/');
  assert.equal((await page.goto('/timeline'))?.url(), `${site.origin}/`);

  const { joins, events } = site.installation.withStore((store) => ({
    joins: store.joins.list({ limit: 10 }),
    events: store.events.list({ limit: 10 }),
  }));
  assert.deepEqual(
    joins.rows.map(({ email }) => email),
    [ADA, ADA],
  );
  assert.deepEqual(
    events.rows.map(({ type, meta }) => [type, meta]),
    [
      ['timeline_view', { view: 'mobile', forced: true }],
      ['timeline_view', { view: 'desktop', forced: false }],
      ['login', null],
    ],
  );
});

it('an administrator sees this visit, and invites a person who then logs in', async () => {
  site.installation.invite('root@example.com', 'Root');
  site.installation.setAdmin('root@example.com');
  const { page } = await site.visitAs('root@example.com');
  await page.goto('/svcops');
  await page.getByRole('link', { name: ADA }).first().waitFor();

  await page.locator('form input[name=email]').fill('grace@example.com');
  await page.locator('form input[name=firstName]').fill('Grace');
  await page.keyboard.press('Enter');
  await page.locator('table', { hasText: 'grace@example.com' }).first().waitFor();

  const { page: guest } = await site.visit();
  await logIn(guest, 'grace@example.com');
  await guest.getByText('Grace').first().waitFor();
  const invite = site.installation.withStore(({ invites }) => invites.find('grace@example.com'));
  assert.equal(invite?.invitedBy, 'root@example.com');
});

it('one view is recorded if the link is pressed just before the page follows it by itself', async () => {
  const { page } = await site.visit();
  // The greeting ends just after the link is pressed.
  await page.addInitScript(`{
    const { setTimeout } = globalThis;
    const end = (act) => setTimeout(() => { act(); console.debug('greeted'); }, 100);
    globalThis.setTimeout = (act, ms) =>
      ms === 1800 ? void addEventListener('click', () => end(act)) : setTimeout(act, ms);
  }`);
  await page.goto('/');
  await page.fill('#email', NAMELESS);
  await page.press('#email', 'Enter');
  await said(page, 'Welcome.');
  // The reply waits for the lock, and the page stays meanwhile.
  const unlock = site.lockStore();
  const greeted = page.waitForEvent('console', (message) => message.text() === 'greeted');
  const pressed = page.keyboard.press('Enter');
  await greeted;
  unlock();
  await pressed;
  await page.waitForURL('/timeline');
  const { rows: events } = site.installation.withStore((store) =>
    store.events.list({ limit: 500 }),
  );
  const login = events.find(({ type, email }) => type === 'login' && email === NAMELESS);
  const visit = events.filter(({ session }) => session === login?.session);
  assert.equal(visit.length, 2, JSON.stringify(visit));
});

for (const view of LAYOUTS)
  it(`the keyboard alone does the whole story on the ${view} layout`, async () => {
    const { page, troubles } = await site.visit();
    const { keyboard } = page;
    const focused = () =>
      page.evaluate<string>(
        '(document.activeElement.id || document.activeElement.textContent).trim()',
      );
    /** Presses Tab until this element has the focus. */
    const tabTo = async (name: string) => {
      for (let i = 0; i < 30 && (await focused()) !== name; i += 1) await keyboard.press('Tab');
      assert.equal(await focused(), name);
    };

    const leadOn = await holdGreeting(page);
    await page.goto('/');
    await tabTo('email');
    await keyboard.type(ADA);
    await keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'Welcome, Ada.' }).waitFor();
    leadOn();
    await keyboard.press('Enter');
    await page.waitForURL('/timeline');
    if (view === 'mobile') {
      while ((await focused()) !== 'View mobile layout') await keyboard.press('Shift+Tab');
      await keyboard.press('Enter');
      await page.waitForURL('/timeline?view=mobile');
    } else {
      for (let i = 0; i < 13; i += 1) await keyboard.press('ArrowRight');
      assert.equal(await focused(), 'end');
    }
    await tabTo('join');
    await keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'Thank you.' }).waitFor();
    assert.equal(await focused(), 'join', 'the focus stays, to press again');

    await pictures(page);
    const key = view === 'mobile' ? 'Tab' : 'Shift+Tab';
    while ((await focused()) !== 'logout') await keyboard.press(key);
    await keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'You are logged out.' }).waitFor();
    assert.deepEqual(troubles, []);
  });
