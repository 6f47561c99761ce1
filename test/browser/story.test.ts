/** The whole story in a real browser: a visit from login to logout, and an invite. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { eventsIn } from '../support/rows.ts';
import { focused, pictures, said } from './page.ts';
import { ADA, openSite } from './site.ts';

const site = await openSite();

async function logIn(page: Page, email: string): Promise<void> {
  await page.goto('/');
  await page.getByLabel(/email/i).fill(email);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/timeline*');
}

/** Later interfaces than those of 2021. */
const WITHOUT_INTERFACES = `
  delete AbortSignal.timeout;
  delete AbortSignal.any;
  delete Array.prototype.at;
  delete Array.prototype.findLastIndex;
  delete globalThis.structuredClone;
`;

it('an invitee logs in, reads both layouts, joins twice and logs out, by keyboard, in a browser of 2021', async () => {
  const { page, troubles } = await site.visit({ viewport: { width: 1440, height: 900 } });
  await page.addInitScript(WITHOUT_INTERFACES);
  const { keyboard } = page;
  /** Presses a key until this element has the focus, then Enter, and waits for the words. */
  const enter = async (key: string, id: string, words: string) => {
    for (let i = 0; i < 40 && (await focused(page)) !== id; i += 1) await keyboard.press(key);
    assert.equal(await focused(page), id);
    await keyboard.press('Enter');
    await said(page, words);
  };
  await logIn(page, ADA);
  await page.locator('body.desktop').waitFor();
  await page.locator('#name', { hasText: 'Ada' }).waitFor();
  for (let i = 0; i < 40 && (await focused(page)) !== 'end'; i += 1)
    await keyboard.press('ArrowRight');
  await enter('Tab', 'join', 'You’re on the list, Ada.');
  assert.equal(await focused(page), 'join', 'the focus stays, to press again');
  await page.goto('/timeline?view=mobile');
  await page.locator('body.mobile #name', { hasText: 'Ada' }).waitFor();
  await enter('Tab', 'join', 'Thank you.');
  await pictures(page);
  await enter('Shift+Tab', 'logout', 'You are logged out.');
  assert.deepEqual(troubles, []);
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
