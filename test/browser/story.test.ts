/** The whole story in a real browser: invited by a tool, in, both layouts, join, out; then an administrator invites. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { install, type Server } from '../support/installation.ts';
import { launchBrowser } from './chromium.ts';

const site = install();
let server: Server;
let browser: Browser;

before(async () => {
  server = await site.start();
  browser = await launchBrowser();
});
after(async () => {
  await browser.close();
  await site.remove();
});

async function logIn(page: Page, email: string): Promise<void> {
  await page.goto(`${server.origin}/`);
  await page.getByLabel(/email/i).fill(email);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/timeline*');
}

it('an invitee comes in, reads both layouts, joins twice and leaves', async () => {
  site.invite('ada@example.com', 'Ada');
  const page = await browser.newPage();
  await logIn(page, 'ada@example.com');
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
  assert.equal((await page.goto(`${server.origin}/timeline`))?.url(), `${server.origin}/`);

  const { joins, events } = site.withStore((store) => ({
    joins: store.joins.list({ limit: 10 }),
    events: store.events.list({ limit: 10 }),
  }));
  assert.deepEqual(
    joins.rows.map(({ email }) => email),
    ['ada@example.com', 'ada@example.com'],
  );
  assert.deepEqual(
    events.rows.map(({ type, meta }) => [type, meta]),
    [
      ['timeline_view', { view: 'mobile', forced: true }],
      ['timeline_view', { view: 'desktop', forced: false }],
      ['login', null],
    ],
  );
  await page.close();
});

it('an administrator sees it, and invites somebody who then comes in', async () => {
  site.invite('root@example.com', 'Root');
  site.setAdmin('root@example.com');
  const page = await browser.newPage();
  await logIn(page, 'root@example.com');
  await page.goto(`${server.origin}/svcops`);
  await page.getByText('ada@example.com').first().waitFor();

  await page.locator('form input[name=email]').fill('grace@example.com');
  await page.locator('form input[name=firstName]').fill('Grace');
  await page.keyboard.press('Enter');
  await page.locator('table', { hasText: 'grace@example.com' }).first().waitFor();
  await page.close();

  const guest = await (await browser.newContext()).newPage();
  await logIn(guest, 'grace@example.com');
  await guest.getByText('Grace').first().waitFor();
  const invite = site.withStore(({ invites }) => invites.find('grace@example.com'));
  assert.equal(invite?.invitedBy, 'root@example.com');
});
