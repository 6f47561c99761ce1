/** The numbers of the administrator page and their periods. Each number leads to its people. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { recordJoin, recordLogin } from '../support/rows.ts';
import { boxOf, hasFocus, textOf, textsOf } from './page.ts';
import { CROWD, hasRow, NOW, openSvcops, shows } from './svcops-page.ts';

const DAY = 86_400_000;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Days from today back to the one with all activity, which is the first with data. */
const BUSY = Math.floor(NOW / DAY) - Math.floor((NOW - 49 * 3_600_000) / DAY);

const { open, visit } = await openSvcops('long');
const short = await openSvcops('short');

/** 400 days ago Ada logged in and joined. */
const LONG_AGO = NOW - 400 * DAY;
short.installation.write((writer) => {
  const desk = { deviceType: 'desktop', os: '', browser: '' };
  recordLogin(writer, 'ada@example.com', LONG_AGO, desk);
  recordJoin(writer, 'ada@example.com', LONG_AGO);
});

/** Waits until the sum of joins is this one. */
const joinsOf = (page: Page, count: number) =>
  page
    .locator('#day', { hasText: new RegExp(`^[\\d,]+-day total: .* ${count} joins?$`) })
    .waitFor();

const choose = (page: Page, period: string) => page.locator('#period').selectOption(period);

const exportOf = async (page: Page, list: string) =>
  (await page.locator(`#${list} .export`).getAttribute('href')) ?? '';

it('at a glance, it shows people, percent and devices, and days as a chart and as a table', async () => {
  const page = await open();
  const wordsOf = async (selector: string) =>
    (await textsOf(page, selector)).map((text) => text.trim().split(/\s+/).join(' '));
  assert.deepEqual(await wordsOf('#totals > div, #funnel li'), [
    `Invited all time ${CROWD + 4} 1 administrator`,
    'Logged in last 90 days 4',
    'Viewed last 90 days 2',
    'Joined last 90 days 1',
    'Invited 134 100% 130 haven’t logged in',
    'Logged in 4 3% 2 logged in but didn’t view',
    'Viewed 2 1.5% 1 viewed but didn’t join',
    'Joined 1 0.7%',
  ]);
  const shares = (await wordsOf('#devices li, #os li, #browsers li')).join();
  assert.match(shares, /^Mobile 104 8\d%.*iOS.*Windows.*Mobile Safari.*Firefox/);
  const share = page.locator('#devices .share').first();
  const width = await share.evaluate((bar) => getComputedStyle(bar).backgroundSize);
  assert.match(width, /^(calc\()?8\d\.\d+%/);

  const day = () => textOf(page.locator('#day'));
  assert.match(await day(), /^\d+-day total: 120 views, \d+ logins, 105 joins/);
  await page.locator('#chart').hover({ position: { x: 60, y: 80 } });
  assert.match(await day(), /120 views, 4 logins, 105 joins$/);
  await page.getByText('Show as table').click();
  const days = await textsOf(page, '#days tbody tr');
  assert.equal(days.length, BUSY + 1);
  assert.equal(days.filter((row) => /120\s+4\s+105$/.test(row)).length, 1);
});

it('each number leads to exactly these people, in a new tab and after a person or a reload too', async () => {
  const page = await open({ address: '?days=30' });
  for (const [count, name] of [
    [CROWD + 4, 'invited, all time'],
    [4, 'logged in, last 30 days'],
    [2, 'viewed, last 30 days'],
    [1, 'joined, last 30 days'],
    [CROWD, 'haven’t logged in'],
    [4, 'logged in, all time'],
    [2, 'viewed, all time'],
    [1, 'viewed but didn’t join'],
    [1, 'joined, all time'],
    [2, 'logged in but didn’t view'],
  ] as const) {
    const link = page.getByRole('link', { name: `${count} ${name}`, exact: true }).first();
    await link.press('Enter');
    await shows(page, 'people', count > 25 ? `Showing 25 of ${count}` : `Showing all ${count}`);
    assert.equal(await page.locator('#people tbody tr').count(), Math.min(count, 25), name);
    assert.ok(await hasFocus(page.locator('#people')));
  }

  const tab = await visit();
  const link = page.getByRole('link', { name: / viewed, last 30 days$/ });
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
  await choose(tab, 'Last 7 days');
  await tab.waitForURL(/\?days=7#did=view$/);
  await tab.goBack();
  await isThere();
});

it('a period holds for numbers, chart and logs, is in the address, and compared with that before', async () => {
  const page = await short.open({ address: '?days=30#person=ada%40example.com' });
  await page.locator('#person-facts dt').first().waitFor();
  await page.locator('#person-close').click();
  await page.waitForURL(/\?days=30$/);
  await page.getByRole('button', { name: 'Back to 90 days' }).click();
  await joinsOf(page, 2);
  await page.getByRole('link', { name: '1 joined, last 90 days' }).waitFor();
  await page.getByText('No one joined for the first time').waitFor();
  await shows(page, 'clicks', 'Showing all 2');
  await choose(page, 'All time');
  await joinsOf(page, 3);
  await shows(page, 'clicks', 'Showing all 3');
  assert.match(page.url(), /\?days=all$/);
  assert.match(await exportOf(page, 'clicks'), /to=9999/);
  await page.getByText('Show as table').click();
  await page.getByRole('button', { name: 'Show all 5' }).click();
  const rows = await page.locator('#days tbody tr').count();
  assert.ok(rows >= 57 && rows <= 59, `${rows} weeks`);
  await page.reload();
  await joinsOf(page, 3);
  await choose(page, 'Last 7 days');
  await joinsOf(page, 2);
  await page.goBack();
  await joinsOf(page, 3);

  const [first, last] = [dayOf(LONG_AGO + DAY), dayOf(LONG_AGO + 2 * DAY)];
  const problem = (hasText: string) => page.locator('#period-problem', { hasText }).waitFor();
  await choose(page, 'Custom range');
  await page.locator('#period-from').fill(first);
  await page.locator('#period-to').fill(last);
  await joinsOf(page, 0);
  await page.getByText('0 for the first time · 1 joined in the previous 2 days').waitFor();
  assert.match(page.url(), new RegExp(`\\?from=${first}&to=${last}$`));
  await page.locator('#period-to').fill(dayOf(LONG_AGO));
  await problem('The start date is after the end date.');
  await page.locator('#period-from').fill('1950-01-01');
  await problem('Choose at most 3,660 days');
  assert.match(page.url(), new RegExp(`from=${first}&to=${last}$`), 'it stays as it was');
  for (const [search, words] of [
    ['?from=2026-02-31&to=2026-03-01', 'Enter two valid dates.'],
    ['?from=x', 'Enter two valid dates.'],
    ['?from=12026-01-01&to=12026-01-02', 'Enter two valid dates.'],
    ['?days=12', ''],
  ] as const) {
    await page.goto(`/svcops${search}`);
    await joinsOf(page, 2);
    assert.equal(await textOf(page.locator('#period-problem')), words);
    await page.getByRole('link', { name: /joined, last 90 days$/ }).waitFor();
  }

  // A browser whose clock is a day behind.
  await page.clock.setFixedTime(NOW - 26 * 3_600_000);
  await page.goto('/svcops?days=all');
  await joinsOf(page, 3);
  assert.match(await textOf(page.locator('#chart-span')), /20 May 2026/);
});

it('the chart has each day once below it, and bars side by side for less than three', async () => {
  const page = await short.visit();
  await page.addInitScript(() => {
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
      document.documentElement.dataset.drawn += `,${text}`;
      fillText.call(this, text, x, y);
    };
    const { rect } = Path2D.prototype;
    Path2D.prototype.rect = function (x, y, width, height) {
      // Wider ones clip.
      if (height > 0 && width < 200) document.documentElement.dataset.bars += `${Math.round(x)},`;
      rect.call(this, x, y, width, height);
    };
  });
  for (const [query, ...days] of [
    ['from=2026-02-27&to=2026-03-01', '27 Feb', '28 Feb', '1 Mar'],
    ['from=2026-05-20&to=2026-05-20', '20 May'],
  ] as const) {
    await page.goto(`/svcops?${query}`);
    await page.waitForFunction(() => / [A-Z]/.test(document.documentElement.dataset.drawn ?? ''));
    const drawn = await page.evaluate(() => document.documentElement.dataset.drawn);
    const last = drawn?.match(/\d+ [A-Z][a-z]+/g)?.slice(-days.length - 1);
    assert.deepEqual([...new Set(last)], days);
  }

  await page.goto('/svcops');
  await joinsOf(page, 2);
  await choose(page, 'Custom range');
  const busy = dayOf(NOW - BUSY * DAY);
  await page.locator('#period-from').fill(busy);
  await page.locator('#chart-span', { hasText: '18 – 20 May' }).waitFor();
  await page.evaluate(() => {
    document.documentElement.dataset.bars = '';
  });
  await page.locator('#period-to').fill(busy);
  await page.locator('#chart-span', { hasText: /^18 May/ }).waitFor();
  const bars = await page.evaluate(() => document.documentElement.dataset.bars);
  assert.match(bars ?? '', /^(\d+),(?!\1)(\d+),(?!\1|\2)\d+,$/);
});

it('in the chart, a day has its numbers by a tap, and a day or week is shown alone by a second', async () => {
  const viewport = { width: 390, height: 844 };
  const phone = await short.open({ viewport, isMobile: true, hasTouch: true });
  const position = { x: 200, y: 100 };
  await phone.locator('#chart').tap({ position });
  await phone.locator('#day', { hasText: /^(?!\d+-day total)/ }).waitFor();
  assert.equal(await phone.locator('#period').inputValue(), '90');
  await phone.locator('#chart').tap({ position });
  await phone.waitForURL(/\?from=(\S+)&to=\1$/);

  const page = await short.open();
  await joinsOf(page, 2);
  const chart = page.locator('#chart .u-over');
  await chart.click({ position: { x: (await boxOf(chart)).width - 2, y: 20 } });
  await page.waitForURL(new RegExp(`from=${dayOf(NOW)}&to=${dayOf(NOW)}`));
  await page.mouse.move(0, 0);
  await choose(page, 'All time');
  await joinsOf(page, 3);
  await chart.click({ position: { x: 2, y: 20 } });
  await page.locator('#chart-title', { hasText: 'By day' }).waitFor();
  assert.match(page.url(), new RegExp(`from=${dayOf(LONG_AGO)}&to=`), 'a week is shown by day');
  // Ada's first join, although it was recorded last.
  await shows(page, 'clicks', 'Showing all 1');
  await hasRow(page, 'joins', 'ada@example.com');
});
