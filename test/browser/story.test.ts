/** The whole story in a real browser: a visit from login to logout, and an invite. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { eventsIn } from '../support/rows.ts';
import { ADA, openSite } from './site.ts';

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
  await page.goto('/timeline?view=mobile');
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

  const rows = site.installation.read((readers) => [
    ...readers.joins.list({ limit: 10 }).rows.map(({ email }) => email),
    ...eventsIn(readers).map(({ type, meta }) => [type, meta]),
  ]);
  const mobile = ['timeline_view', { view: 'mobile', forced: true }];
  const desktop = ['timeline_view', { view: 'desktop', forced: false }];
  assert.deepEqual(rows, [ADA, ADA, mobile, desktop, ['login', null]]);
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
