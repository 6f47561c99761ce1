/** The numbers of the administrator page and their periods. Each number leads to its people. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { recordJoin, recordLogin } from '../support/rows.ts';
import { hasFocus, textOf, textsOf } from './page.ts';
import { CROWD, hasRow, NOW, openSvcops, shows } from './svcops-page.ts';

const DAY = 86_400_000;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

const { installation, open } = await openSvcops('long');

/** 400 days ago Ada logged in and joined. */
const LONG_AGO = NOW - 400 * DAY;
installation.write((writer) => {
  recordLogin(writer, 'ada@example.com', LONG_AGO);
  recordJoin(writer, 'ada@example.com', LONG_AGO);
});

/** Waits until the sum of joins is this one. */
const joinsOf = (page: Page, count: number) =>
  page.locator('#day', { hasText: new RegExp(`day total: .* ${count} joins?$`) }).waitFor();

const choose = (page: Page, period: string) =>
  page.locator('.period').getByRole('link', { name: period }).click();

it('it shows people, percent, devices, and days as chart and table', async () => {
  const page = await open();
  const wordsOf = async (selector: string) =>
    (await textsOf(page, selector)).map((text) => text.trim().split(/\s+/).join(' '));
  assert.deepEqual(await wordsOf('#totals > div, #funnel li'), [
    'Logged in 4 None in the 90 days before',
    'Viewed 2 None in the 90 days before',
    'Joined 1 None in the 90 days before',
    'Invited 134 100% 130 haven’t logged in',
    'Logged in 4 3% 2 logged in but never opened the preview',
    'Viewed 2 1.5% 1 viewed, not joined yet',
    'Joined 1 0.7%',
  ]);
  const shares = (await wordsOf('#devices li, #os li, #browsers li')).join();
  assert.match(shares, /^Mobile 105 8\d%.*iOS.*Windows.*Mobile Safari.*Firefox/);

  const day = () => textOf(page.locator('#day'));
  assert.match(await day(), /^90-day total: 120 views, \d+ logins, 105 joins/);
  await page.locator('#chart').hover({ position: { x: 60, y: 80 } });
  assert.match(await day(), /^\w+, \d+ \w+ 2026 0 views, 0 logins, 0 joins$/);
  await page.getByText('Show as table').click();
  await page.getByRole('button', { name: 'Show all 90 days' }).click();
  const busy = page.locator('#days tbody tr', { hasText: '120' });
  assert.match(await busy.innerText(), /\s120\s+4\s+105$/);
  await busy.getByRole('link').click();
  await page.waitForURL(/\?from=2026-05-18&to=2026-05-18$/);
  const dayItself = /^Monday.* 18 May 2026 120 views, 4 logins, 105 joins$/;
  await page.locator('#day', { hasText: dayItself }).waitFor();

  const viewport = { width: 390, height: 844 };
  const phone = await open({ viewport, isMobile: true, hasTouch: true });
  await phone.locator('#chart').tap({ position: { x: 200, y: 100 } });
  await phone.locator('#day', { hasText: /^\d+.* 2026 \d+ views/ }).waitFor();
});

it('each number leads to exactly the people that it counts', async () => {
  const page = await open({ address: '?days=30' });
  for (const [count, name] of [
    [CROWD + 4, 'invited, today'],
    [4, 'logged in, last 30 days'],
    [2, 'viewed, last 30 days'],
    [1, 'joined, last 30 days'],
    [CROWD, 'haven’t logged in'],
    [4, 'logged in, today'],
    [2, 'viewed, today'],
    [1, 'viewed, not joined yet'],
    [1, 'joined, today'],
    [2, 'logged in but never opened the preview'],
  ] as const) {
    const link = page.getByRole('link', { name: `${count} ${name}`, exact: true }).first();
    await link.press('Enter');
    await shows(page, 'people', count > 25 ? `Showing 25 of ${count}` : `Showing all ${count}`);
    assert.equal(await page.locator('#people tbody tr').count(), Math.min(count, 25), name);
    assert.ok(await hasFocus(page.locator('#people')));
  }

  const link = page.getByRole('link', { name: / viewed, last 30 days$/ });
  const tab = await page.context().newPage();
  await tab.goto(await link.evaluate((each) => (each as HTMLAnchorElement).href));
  const isThere = async () => {
    await shows(tab, 'people', 'Showing all 2');
    await tab.locator('#people-title', { hasText: 'last 30 days' }).waitFor();
  };
  await isThere();
  await tab.locator('#people tbody a').first().click();
  await tab.locator('#person-facts dt').first().waitFor();
  await tab.keyboard.press('Escape');
  await tab.waitForURL(/\?days=30#did=view$/);
  await isThere();
  await tab.reload();
  await isThere();
});

it('the period of the address applies to numbers, chart and logs', async () => {
  const page = await open({ address: '?days=30' });
  await joinsOf(page, 105);
  assert.equal(await page.locator('#joins .badge').count(), 0, 'nobody joined for the first time');
  await shows(page, 'clicks', 'Showing 25 of 105');
  await choose(page, 'All time');
  await page.waitForURL(/\?days=all$/);
  await joinsOf(page, 106);
  await hasRow(page, 'joins', 'First time');
  await shows(page, 'clicks', 'Showing 25 of 106');
  await choose(page, '7 days');
  await joinsOf(page, 105);
  await page.goBack();
  await joinsOf(page, 106);

  const first = dayOf(LONG_AGO + DAY);
  const last = dayOf(LONG_AGO + 2 * DAY);
  await page.getByText('Custom range').click();
  await page.getByLabel('from').fill(first);
  await page.getByLabel('to', { exact: true }).fill(dayOf(LONG_AGO));
  assert.equal(await page.locator('#range-to:invalid').count(), 1);
  await page.getByLabel('to', { exact: true }).fill(last);
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`\\?from=${first}&to=${last}$`));
  await joinsOf(page, 0);
  for (const search of ['?from=2026-03-02&to=2026-03-01', '?days=12']) {
    await page.goto(`/svcops${search}`);
    await page.getByRole('link', { name: /joined, last 90 days$/ }).waitFor();
    await joinsOf(page, 105);
  }

  // A browser whose clock is a day behind.
  await page.clock.setFixedTime(NOW - 26 * 3_600_000);
  await page.goto('/svcops?days=all');
  await joinsOf(page, 106);
  assert.match(await textOf(page.locator('#chart-span')), /20 May 2026/);
});
