/** The administrator page over time and in trouble: refreshing, and answers that do not come. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { install, type Server } from '../installation.ts';
import { launchBrowser } from './chromium.ts';
import { ADMINISTRATOR, fillSite, openPage, textOf } from './svcops-page.ts';

const site = install();
let server: Server;
let browser: Browser;

before(async () => {
  site.tool('invite', 'add', ADMINISTRATOR, 'Root');
  site.tool('invite', 'admin', 'add', ADMINISTRATOR);
  site.withStore((store) => store.transaction(() => fillSite(store, 'long')));
  [server, browser] = await Promise.all([site.start(), launchBrowser()]);
});
after(async () => {
  await browser.close();
  await site.remove();
});

/** Waits until the page has read everything again, half a minute later by its own clock. */
async function halfAMinute(page: Page): Promise<void> {
  const answered = page.waitForResponse('**/api/svcops/stats?');
  await page.clock.fastForward(30_000);
  await answered;
}

const press = () =>
  site.withStore(({ joins }) =>
    joins.record({ email: 'bo@example.com', session: 'later', clickedAt: Date.now() }),
  );

describe('every 30 s', () => {
  it('it reads again, and keeps scroll, sort, filters and typed text', async () => {
    const { page, close } = await openPage(browser, server.origin, {
      frozen: true,
      // Nothing may still be gliding when the place is noted.
      reducedMotion: 'reduce',
    });
    await page.locator('[data-sort=email]').click();
    await page.locator('#people-text').fill('crowd');
    await page.clock.runFor(300);
    await page.waitForFunction(() =>
      document.querySelector('#people tbody')?.textContent?.startsWith('crowd'),
    );
    await page.locator('#people .more').click();
    await page.locator('#people .shown', { hasText: 'that is all' }).waitFor();
    await page.locator('#invite-email').fill('half.typed@');
    await page.locator('#people tbody tr').nth(90).scrollIntoViewIfNeeded();
    await page.locator('#people tbody a').nth(90).focus();
    const place = () =>
      page.evaluate(() => [
        scrollY,
        document.querySelector('#people .scroll')?.scrollTop,
        document.activeElement?.textContent,
        document.querySelectorAll('#people tbody tr').length,
        document.querySelector('[data-sort=email]')?.closest('th')?.ariaSort,
        document.querySelector<HTMLInputElement>('#people-text')?.value,
        document.querySelector<HTMLInputElement>('#invite-email')?.value,
      ]);
    const before = await place();
    const said = await textOf(page.locator('#updated'));
    press();
    await halfAMinute(page);
    await page.locator('#clicks tbody tr', { hasText: 'bo@example.com' }).first().waitFor();
    await page.locator('#totals .count', { hasText: '106' }).waitFor();
    await page.waitForFunction(
      (said) => document.querySelector('#updated')?.textContent !== said,
      said,
    );
    assert.match(await textOf(page.locator('#updated')), /^Updated \d\d:\d\d:\d\d$/);
    assert.deepEqual(await place(), before);
    await close();
  });

  it('it reads nothing while nobody sees it, and at once when somebody does', async () => {
    const { page, close } = await openPage(browser, server.origin, { frozen: true });
    const show = (state: string) =>
      page.evaluate((state) => {
        Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, state);
    await page.waitForLoadState('networkidle');
    let asked = 0;
    page.on('request', () => asked++);
    await show('hidden');
    await page.clock.runFor(120_000);
    assert.equal(asked, 0);
    const answered = page.waitForResponse('**/api/svcops/stats?');
    await show('visible');
    await answered;
    await close();
  });
});

describe('when it cannot', () => {
  it('without a connection it says so, and goes on when there is one', async () => {
    const { page, close } = await openPage(browser, server.origin, { frozen: true });
    await page.context().setOffline(true);
    const trouble = page.getByRole('alert').filter({ hasText: 'No connection' });
    await trouble.waitFor();
    assert.match(await textOf(trouble), /What you see was read at \d\d:\d\d:\d\d/);
    assert.equal(await textOf(page.locator('#updated')), 'Not up to date');
    await page.clock.fastForward(30_000);
    await trouble.waitFor();
    await page.context().setOffline(false);
    await trouble.waitFor({ state: 'hidden' });
    await page.locator('#updated time').waitFor();
    await close();
  });

  it('it says that the session has ended, and where to log in', async () => {
    const { page, close } = await openPage(browser, server.origin, { frozen: true });
    await page.context().request.post(`${server.origin}/auth/logout`);
    await halfAMinute(page);
    const trouble = page.getByRole('alert').filter({ hasText: 'Your session has ended' });
    assert.equal(await trouble.getByRole('link').getAttribute('href'), '/');
    await close();
  });

  it('it says that the service cannot answer', async () => {
    const { page, close } = await openPage(browser, server.origin, { frozen: true });
    // What a proxy says while the service is being restarted.
    await page.route('**/api/svcops/**', (route) => route.fulfill({ status: 503, body: '' }));
    await halfAMinute(page);
    await page.getByRole('alert').filter({ hasText: 'cannot answer just now' }).waitFor();
    await page.unroute('**/api/svcops/**');
    await halfAMinute(page);
    await page.getByRole('alert').filter({ hasText: 'cannot' }).waitFor({ state: 'hidden' });
    await close();
  });
});
