/** Periods on the administrator page in a real browser. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { recordJoin, recordLogin } from '../support/rows.ts';
import { boxOf, textOf } from './page.ts';
import { hasRow, NOW, openSvcops, shows } from './svcops-page.ts';

const { installation: site, ownPage, sharedPage, visit } = await openSvcops('short');
const onSharedPage = sharedPage();
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const onTouchScreen = ownPage(PHONE);
const onLatePage = ownPage({
  prepare: (page) => page.clock.setFixedTime(NOW - 26 * 3_600_000),
  address: '?days=all',
});

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
  page.locator('#day', { hasText: new RegExp(`^Total .* ${count} join clicks?$`) }).waitFor();

describe('a period', () => {
  onSharedPage('holds for tiles, chart and logs, and is in the address', async (page) => {
    await page.goto('/svcops');
    await joinClicks(page, 2);
    await shows(page, 'clicks', 'Showing all 2');
    await page.locator('#period').selectOption('All time');
    await joinClicks(page, 3);
    await shows(page, 'clicks', 'Showing all 3');
    assert.match(page.url(), /\?days=all$/);
    assert.match(await textOf(page.locator('#chart-title')), /^By week$/);
    const rows = await page.locator('#days tbody tr').count();
    assert.ok(rows >= 57 && rows <= 59, `${rows} weeks`);
    assert.match((await page.locator('#clicks .export').getAttribute('href')) ?? '', /to=9999/);
    await page.reload();
    await joinClicks(page, 3);
    await page.locator('#period').selectOption('Last 7 days');
    await joinClicks(page, 2);
    await page.goBack();
    await joinClicks(page, 3);
  });

  it('has each day once below the chart', async () => {
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

  onLatePage('of everything ends today for a browser whose clock is a day behind', async (page) => {
    await joinClicks(page, 3);
    const last = await page.locator('#chart-span').textContent();
    assert.match(last ?? '', /20 May 2026/);
  });

  onSharedPage('of two dates is compared with as many days before them', async (page) => {
    await page.goto('/svcops');
    const [first, last] = [dayOf(LONG_AGO + DAY), dayOf(LONG_AGO + 2 * DAY)];
    await page.locator('#period').selectOption('Custom range');
    await page.locator('#period-from').fill(first);
    await page.locator('#period-to').fill(last);
    await joinClicks(page, 0);
    await page.getByText('0 for the first time · 1 in the period before').waitFor();
    assert.match(page.url(), new RegExp(`\\?from=${first}&to=${last}$`));
    await page.locator('#period-to').fill(dayOf(LONG_AGO));
    await page
      .locator('#period-problem', { hasText: 'The start date is after the end date.' })
      .waitFor();
    await page.locator('#period-from').fill('1950-01-01');
    await page.locator('#period-problem', { hasText: 'Choose at most 3,660 days' }).waitFor();
    assert.match(page.url(), new RegExp(`from=${first}&to=${last}$`), 'it stays as it was');
  });

  onSharedPage('stays when a person is shown', async (page) => {
    await page.goto('/svcops?days=30#person=ada%40example.com');
    await page.locator('#person-facts dt').first().waitFor();
    await page.locator('#person-close').click();
    await page.waitForURL(/\?days=30$/);
    await page.locator('#events tbody .person').first().click();
    await page.locator('#person-facts dt').first().waitFor();
    await page.locator('#person-close').click();
    await page.waitForURL(/\?days=30$/);
  });

  onSharedPage('that the address gets wrong is that of 90 days', async (page) => {
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

  onTouchScreen('shows the numbers of a day by a tap, that day alone by a second', async (page) => {
    const chart = page.locator('#chart');
    await chart.tap({ position: { x: 200, y: 100 } });
    await page.locator('#day', { hasText: /^(?!Total )/ }).waitFor();
    assert.equal(await page.locator('#period').inputValue(), '90');
    await chart.tap({ position: { x: 200, y: 100 } });
    await page.waitForURL(/\?from=(\S+)&to=\1$/);
  });

  onSharedPage('becomes the day or the week that is chosen in the chart', async (page) => {
    await page.goto('/svcops');
    await joinClicks(page, 2);
    const chart = page.locator('#chart');
    const edge = async (side: 'left' | 'right') => {
      const { width } = await boxOf(chart.locator('.u-over'));
      const x = side === 'left' ? 2 : width - 2;
      await chart.locator('.u-over').click({ position: { x, y: 20 } });
    };
    await edge('right');
    await page.getByRole('link', { name: 'Joins' }).click();
    await page.waitForURL(({ hash }) => hash === '#joins');
    const day = `from=${dayOf(NOW)}&to=${dayOf(NOW)}`;
    assert.match(
      (await page.locator('#events .export').getAttribute('href')) ?? '',
      new RegExp(day),
    );
    await page.locator('#period').selectOption('All time');
    await joinClicks(page, 3);
    await edge('left');
    await page.locator('#chart-title', { hasText: 'By day' }).waitFor();
    assert.match(page.url(), new RegExp(`from=${dayOf(LONG_AGO)}&to=`), 'a week is shown by day');
    // Ada's first click, although it was recorded last.
    await shows(page, 'clicks', 'Showing all 1');
    await hasRow(page, 'joins', 'ada@example.com');
  });
});
