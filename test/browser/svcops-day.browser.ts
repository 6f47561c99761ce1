/**
 * An administrator's three questions on the demonstration: how do I get these people in, what
 * happened on that day, whom do I write to now. By keyboard alone, and by a finger on a phone.
 */
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { ADMINISTRATOR } from '../../scripts/demo-data.ts';
import { findViolations } from '../support/accessibility.ts';
import { DEMO_NOW, installDemo } from '../support/demo-site.ts';
import { launchBrowser } from './chromium.ts';
import { overflow } from './page.ts';
import { stoppedClock } from './screenshots.ts';

const site = await installDemo();
const [{ origin }, browser] = await Promise.all([
  site.start(stoppedClock(DEMO_NOW)),
  launchBrowser(),
]);
after(async () => {
  await browser.close();
  await site.remove();
});

async function open(options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({
    baseURL: origin,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  await context.request.post('/auth/login', { data: { email: ADMINISTRATOR } });
  const page = await context.newPage();
  await page.clock.setFixedTime(DEMO_NOW);
  await page.goto('/svcops');
  await page.locator('#updated time').waitFor({ state: 'attached' });
  return page;
}

/** The state is as it should be for everybody. */
async function check(page: Page): Promise<void> {
  assert.deepEqual(await findViolations(page), []);
  assert.equal(await overflow(page), 0);
}

const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

const list = (name: string) =>
  [
    'First name;E-Mail',
    `Nina;${name}.nina@example.com`,
    `Nils;${name}.nils@example.com`,
    'Ada;ada@example.com',
    'Bo;bo at example.com',
  ].join('\n');

it('by keyboard alone', async () => {
  const page = await open({ viewport: { width: 1440, height: 900 } });
  const { keyboard } = page;
  /** Presses Tab until an element whose label or text begins so has the focus. */
  const tabTo = async (start: string) => {
    for (let presses = 0; presses < 250; presses++) {
      await keyboard.press('Tab');
      const text = await page.evaluate(() => {
        const focused = document.activeElement;
        const [label] = focused instanceof HTMLInputElement ? (focused.labels ?? []) : [];
        const named = document.querySelector(`[for="${focused?.id}"]`);
        const title = document.querySelector(
          `#${focused?.getAttribute('aria-labelledby') ?? 'none'}`,
        );
        return (label ?? named ?? title ?? focused)?.textContent?.trim() ?? '';
      });
      if (text.startsWith(start)) return;
    }
    assert.fail(`Tab does not lead to ${start}`);
  };

  await tabTo('Invite');
  await keyboard.press('Enter');
  await tabTo('Invite many');
  await keyboard.press('Enter');
  await tabTo('List of people');
  await keyboard.insertText(list('key'));
  await page.getByText('2 new, 1 already invited, 1 not an address.').waitFor();
  await check(page);
  await tabTo('Invite 2');
  await keyboard.press('Enter');
  await page.getByText('2 invited, 1 already invited. Left in the list: 1 not an').waitFor();
  await check(page);

  await page.evaluate('scrollTo(0, 0), document.activeElement.blur()');
  await page.locator('.skip').focus();
  await tabTo('Period');
  await keyboard.press('ArrowUp');
  await page.locator('#period-hint', { hasText: 'the 30 days before' }).waitFor();
  assert.match(page.url(), /\?days=30$/);
  await tabTo('22 Oct');
  for (const key of ['End', 'ArrowLeft', 'ArrowLeft']) await keyboard.press(key);
  await page.locator('#day', { hasText: /^Wednesday,? 18 November 2026/ }).waitFor();
  await keyboard.press('Enter');
  await page.locator('#events tbody tr', { hasText: '18 Nov' }).first().waitFor();
  await page.locator('#events .shown', { hasText: 'that is all' }).waitFor();
  await check(page);

  await page.locator('#people').focus();
  await tabTo('Status');
  for (let presses = 0; presses < 2; presses++) await keyboard.press('ArrowDown');
  await tabTo('Copy addresses');
  await keyboard.press('Enter');
  await page.locator('#people-copied', { hasText: 'addresses copied.' }).waitFor();
  const addresses = (await copied(page)).split('\n');
  await page.waitForFunction(
    (count) => document.querySelectorAll('#people tbody tr').length === count,
    addresses.length,
  );
  await page.locator('#people').focus();
  await tabTo(addresses[1] ?? '-');
  await keyboard.press('Enter');
  await page.locator('#person-marks', { hasText: 'not yet come' }).waitFor();
  await tabTo('Reminder to send');
  await keyboard.press('Enter');
  await tabTo('Copy the reminder');
  await keyboard.press('Enter');
  await page.locator('#person-reminder').getByText('Copied.').waitFor();
  assert.ok((await copied(page)).includes(addresses[1] ?? '-'));
  await check(page);
  await page.context().close();
});

it('by a finger on a phone in the dark', async () => {
  const page = await open({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    colorScheme: 'dark',
  });
  await page.getByRole('link', { name: 'Invite', exact: true }).tap();
  await page.getByText('Invite many', { exact: true }).tap();
  await page.getByLabel('List of people to invite').tap();
  await page.keyboard.insertText(list('tap'));
  await page.getByText('2 new, 1 already invited, 1 not an address.').waitFor();
  await check(page);
  await page.getByRole('button', { name: 'Invite 2' }).tap();
  await page.getByText('2 invited, 1 already invited. Left in the list: 1 not an').waitFor();
  await check(page);

  await page.getByRole('link', { name: 'Overview' }).tap();
  await page.getByLabel('Period', { exact: true }).selectOption('From … to …');
  await page.locator('#period-hint', { hasText: 'the 7 days before' }).waitFor();
  await page.locator('#period-from').fill('2026-11-30');
  await page.getByText('The first day is after the last.').waitFor();
  await check(page);
  await page.locator('#period-from').fill('2026-11-16');
  await page.locator('#period-hint', { hasText: 'the 5 days before' }).waitFor();
  const tap = () => page.locator('#chart').tap({ position: { x: 180, y: 100 } });
  await tap();
  await page.locator('#day', { hasText: /^Wednesday,? 18 November 2026/ }).waitFor();
  await tap();
  await page.locator('#events-hint', { hasText: 'One day in UTC.' }).waitFor();
  await page.locator('#events tbody tr', { hasText: '18 Nov' }).first().waitFor();
  await check(page);

  await page.getByRole('link', { name: 'Invite list' }).tap();
  await page.locator('#people-status').selectOption('Viewed and not joined');
  await page.waitForFunction(() => !document.querySelector('#people tbody .status:not(.viewed)'));
  await page.locator('#people-copy-names').tap();
  await page.locator('#people-copied', { hasText: 'addresses copied.' }).waitFor();
  assert.match(await copied(page), /^\p{L}+ <\S+@example\.com>,$/mu);
  await page.locator('#people tbody .person').first().tap();
  await page.locator('#person-marks', { hasText: 'viewed' }).waitFor();
  await page.getByText('Invitation to send').tap();
  await page.getByRole('button', { name: 'Copy the invitation' }).tap();
  await page.locator('#person-invitation').getByText('Copied.').waitFor();
  await check(page);
  await page.context().close();
});
