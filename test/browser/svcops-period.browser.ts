/** Periods on the administrator page in a real browser. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { recordJoin, recordLogin } from '../support/rows.ts';
import { boxOf, textOf } from './page.ts';
import { hasRow, NOW, openSvcops, shows } from './svcops-page.ts';

const { installation: site, open, visit } = await openSvcops('short');

const DAY = 86_400_000;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** 400 days ago Ada logged in and joined. */
const LONG_AGO = NOW - 400 * DAY;
site.write((writer) => {
  const desk = { deviceType: 'desktop', os: '', browser: '' };
  recordLogin(writer, 'ada@example.com', LONG_AGO, desk);
  recordJoin(writer, 'ada@example.com', LONG_AGO);
});

/** Waits until the sum of join clicks is this one. */
const joinClicks = (page: Page, count: number) =>
  page
    .locator('#day', { hasText: new RegExp(`^[\\d,]+-day total: .* ${count} joins?$`) })
    .waitFor();

it('a period holds for tiles, chart and logs, is in the address, and compared with that before', async () => {
  const page = await open();
  const exportOf = (list: string) => page.locator(`#${list} .export`).getAttribute('href');
  await joinClicks(page, 2);
  await page.getByRole('link', { name: '1 joined, last 90 days' }).waitFor();
  await page.getByText('No one joined for the first time').waitFor();
  await shows(page, 'clicks', 'Showing all 2');
  await page.locator('#period').selectOption('All time');
  await joinClicks(page, 3);
  await shows(page, 'clicks', 'Showing all 3');
  assert.match(page.url(), /\?days=all$/);
  assert.equal(await textOf(page.locator('#chart-title')), 'By week');
  await page.getByText('Show as table').click();
  assert.equal(await page.locator('#days tbody tr').count(), 25);
  await page.getByRole('button', { name: 'Show all 5' }).click();
  const rows = await page.locator('#days tbody tr').count();
  assert.ok(rows >= 57 && rows <= 59, `${rows} weeks`);
  assert.match((await exportOf('clicks')) ?? '', /to=9999/);
  await page.reload();
  await joinClicks(page, 3);
  await page.locator('#period').selectOption('Last 7 days');
  await joinClicks(page, 2);
  await page.goBack();
  await joinClicks(page, 3);

  const [first, last] = [dayOf(LONG_AGO + DAY), dayOf(LONG_AGO + 2 * DAY)];
  const problem = (hasText: string) => page.locator('#period-problem', { hasText }).waitFor();
  await page.locator('#period').selectOption('Custom range');
  await page.locator('#period-from').fill(first);
  await page.locator('#period-to').fill(last);
  await joinClicks(page, 0);
  await page.getByText('0 for the first time · 1 joined in the previous 2 days').waitFor();
  assert.match(page.url(), new RegExp(`\\?from=${first}&to=${last}$`));
  await page.locator('#period-to').fill(dayOf(LONG_AGO));
  await problem('The start date is after the end date.');
  await page.locator('#period-from').fill('1950-01-01');
  await problem('Choose at most 3,660 days');
  assert.match(page.url(), new RegExp(`from=${first}&to=${last}$`), 'it stays as it was');
});

it('the address keeps the period around a person, and what it gets wrong is 90 days', async () => {
  const page = await open({ address: '?days=30#person=ada%40example.com' });
  const closePerson = async () => {
    await page.locator('#person-facts dt').first().waitFor();
    await page.locator('#person-close').click();
    await page.waitForURL(/\?days=30$/);
  };
  await closePerson();
  await page.locator('#events tbody .person').first().click();
  await closePerson();
  for (const [search, words] of [
    ['?from=2026-02-31&to=2026-03-01', 'Enter two valid dates.'],
    ['?from=x', 'Enter two valid dates.'],
    ['?from=12026-01-01&to=12026-01-02', 'Enter two valid dates.'],
    ['?days=12', ''],
  ] as const) {
    await page.goto(`/svcops${search}`);
    await joinClicks(page, 2);
    assert.equal(await textOf(page.locator('#period-problem')), words);
    await page.getByRole('link', { name: /joined, last 90 days$/ }).waitFor();
  }
});

it('all time ends today for a browser whose clock is a day behind', async () => {
  const late = (page: Page) => page.clock.setFixedTime(NOW - 26 * 3_600_000);
  const page = await open({ prepare: late, address: '?days=all' });
  await joinClicks(page, 3);
  assert.match(await textOf(page.locator('#chart-span')), /20 May 2026/);
});

it('the chart has each day once below it', async () => {
  const page = await visit();
  await page.addInitScript(() => {
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
      document.documentElement.dataset.drawn += `,${text}`;
      fillText.call(this, text, x, y);
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
});

it('a day of the chart has its numbers by a tap, and a day or week is shown alone by a second', async () => {
  const phone = await open({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  });
  const position = { x: 200, y: 100 };
  await phone.locator('#chart').tap({ position });
  await phone.locator('#day', { hasText: /^(?!\d+-day total)/ }).waitFor();
  assert.equal(await phone.locator('#period').inputValue(), '90');
  await phone.locator('#chart').tap({ position });
  await phone.waitForURL(/\?from=(\S+)&to=\1$/);

  const page = await open();
  await joinClicks(page, 2);
  const chart = page.locator('#chart .u-over');
  await chart.click({ position: { x: (await boxOf(chart)).width - 2, y: 20 } });
  await page.getByRole('link', { name: 'Joins' }).click();
  await page.waitForURL(({ hash }) => hash === '#joins');
  const href = await page.locator('#events .export').getAttribute('href');
  assert.match(href ?? '', new RegExp(`from=${dayOf(NOW)}&to=${dayOf(NOW)}`));
  await page.locator('#period').selectOption('All time');
  await joinClicks(page, 3);
  await chart.click({ position: { x: 2, y: 20 } });
  await page.locator('#chart-title', { hasText: 'By day' }).waitFor();
  assert.match(page.url(), new RegExp(`from=${dayOf(LONG_AGO)}&to=`), 'a week is shown by day');
  // Ada's first click, although it was recorded last.
  await shows(page, 'clicks', 'Showing all 1');
  await hasRow(page, 'joins', 'ada@example.com');
});
