/** The numbers and lists of the administrator page in a real browser. */
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import { before, describe } from 'node:test';
import type { Page } from 'playwright-core';
import { textOf, textsOf } from './page.ts';
import { ADMINISTRATOR, CROWD, NOW, openSvcops } from './svcops-page.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Days from today back to the one with all activity, which is the first with data. */
const BUSY = Math.floor(NOW / DAY) - Math.floor((NOW - 49 * HOUR) / DAY);

const { installation: site, onPage, sharedPage } = await openSvcops('long');
const onSharedPage = sharedPage();

/** Waits until the elements of a selector have these texts. */
async function expectTexts(page: Page, selector: string, expected: readonly string[]) {
  await page.waitForFunction(
    ([selector, expected]) =>
      JSON.stringify(
        [...document.querySelectorAll(selector)].map((each) => each.textContent.trim()),
      ) === expected,
    [selector, JSON.stringify(expected)] as const,
  );
}

const EMAILS = '#people tbody td:first-child';

describe('at a glance', () => {
  onSharedPage('it shows totals, and the funnel in people and percent', async (page) => {
    const tiles = await textsOf(page, '#totals > div');
    assert.deepEqual(
      tiles.map((tile) => tile.split(/\s+/).join(' ').trim()),
      [
        `People invited ${CROWD + 4} 1 administrator`,
        'People who came 4 5 logins',
        'People who viewed 2 120 views',
        'People who joined 1 105 join clicks',
      ],
    );
    const rows = await textsOf(page, '#funnel li');
    const flat = rows.map((row) => row.split(/\s+/).join(' '));
    assert.deepEqual(flat, [
      'Invited 134 100%',
      'Logged in 4 3% 3% of the invited',
      'Viewed 2 1.5% 50% of those who logged in',
      'Joined 1 0.7% 50% of those who viewed',
    ]);
  });

  onSharedPage('devices, systems and browsers are labelled bars', async (page) => {
    const [first = ''] = await textsOf(page, '#devices li');
    assert.match(first, /^mobile\s+104\s+8\d%$/);
    assert.match((await textsOf(page, '#os li')).join(), /iOS[\s\S]*Windows/);
    assert.match((await textsOf(page, '#browsers li')).join(), /Mobile Safari[\s\S]*Firefox/);
    const widths = await page
      .locator('#devices .share')
      .evaluateAll((bars) => bars.map((bar) => getComputedStyle(bar).backgroundSize));
    assert.match(widths[0] ?? '', /^(calc\()?8\d\.\d+%/);
  });

  onSharedPage(
    'the cursor of the chart shows the numbers of a day, by pointer and by keyboard',
    async (page) => {
      const chart = page.locator('#chart');
      assert.match(
        await textOf(page.locator('#day')),
        /^In \d+ days 120 views, \d+ logins, 105 join/,
      );
      await chart.focus();
      // The first press selects today.
      for (let presses = 0; presses <= BUSY; presses++) await page.keyboard.press('ArrowLeft');
      assert.match(await textOf(page.locator('#day')), /120 views, 4 logins, 105 join clicks$/);
      assert.match((await chart.getAttribute('aria-valuetext')) ?? '', /120 views, 4 logins, 105/);
      assert.equal(await chart.getAttribute('aria-valuenow'), '1');
      await page.keyboard.press('End');
      assert.equal(await chart.getAttribute('aria-valuenow'), String(BUSY + 1));
      await chart.blur();
      await chart.hover({ position: { x: 60, y: 80 } });
      assert.match(await textOf(page.locator('#day')), /120 views, 4 logins, 105 join clicks$/);
    },
  );

  onSharedPage('the chart is a table too', async (page) => {
    await page.getByText('Show as table').click();
    assert.equal(await page.locator('#days tbody tr').count(), BUSY + 1);
    const busy = (await textsOf(page, '#days tbody tr')).filter((row) =>
      /120\s+4\s+105$/.test(row),
    );
    assert.equal(busy.length, 1);
  });

  onSharedPage('times are in the time zone of the viewer, exact on hover', async (page) => {
    const time = page.locator('#clicks tbody time').first();
    const at = NOW - 49 * HOUR + 304;
    assert.equal(await time.getAttribute('datetime'), new Date(at).toISOString());
    const zoned = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Tokyo', ...options }).format(at);
    assert.match(await textOf(time), new RegExp(zoned({ hour: '2-digit', minute: '2-digit' })));
    const title = (await time.getAttribute('title')) ?? '';
    assert.match(
      title,
      new RegExp(zoned({ hour: '2-digit', minute: '2-digit', second: '2-digit' })),
    );
    assert.match(title, /GMT\+9|JST/);
  });
});

describe('the invite list', () => {
  onSharedPage('marks administrators, and shows a first name as plain text', async (page) => {
    const root = page.locator('#people tbody tr', { hasText: ADMINISTRATOR });
    assert.equal(await textOf(root.locator('.badge')), 'Admin');
    assert.equal(await page.locator('#people .badge').count(), 1);
    await page.locator('#people td', { hasText: '<b>Cleo</b>' }).waitFor();
    for (const status of ['not yet come', 'logged in', 'viewed', 'joined'])
      await page.locator('#people tbody .status', { hasText: status }).first().waitFor();
  });

  onPage('is sorted by each column, over all pages, by keyboard as well', async (page) => {
    const headings = await page.locator('#people th button').all();
    assert.ok(headings.length > 5);
    for (const heading of headings) {
      const answered = page.waitForResponse('**/api/svcops/invites?**');
      await heading.focus();
      await page.keyboard.press('Enter');
      const sort = await heading.getAttribute('data-sort');
      assert.match((await answered).url(), new RegExp(`sort=${sort}&`));
      const cell = page.locator('#people th[aria-sort]:not([aria-sort=none])');
      assert.equal(await cell.locator('button').getAttribute('data-sort'), sort);
    }
    await page.locator('[data-sort=timelineViews]').click();
    const firstIs = (name: string) =>
      page.waitForFunction(
        (start) => document.querySelector('#people tbody td')?.textContent?.startsWith(start),
        name,
      );
    await firstIs('ada@');
    await page.locator('[data-sort=email]').click();
    await page.locator('[data-sort=email]').click();
    await firstIs('root');
    const heading = page.locator('th', { has: page.locator('[data-sort=email]') });
    assert.equal(await heading.getAttribute('aria-sort'), 'descending');
  });

  onPage('is filtered by text and by status, and its export too', async (page) => {
    await page.locator('[data-sort=email]').click();
    await page.locator('#people-text').fill('CROWD12');
    await expectTexts(page, EMAILS, [
      ...Array.from({ length: 10 }, (_, i) => `crowd12${i}@example.com`),
      'crowd12@example.com',
    ]);
    await page.locator('#people-status').selectOption('joined');
    await page.locator('#people .empty').waitFor();
    await page.locator('#people-text').fill('');
    await expectTexts(page, EMAILS, ['ada@example.com']);
    const download = page.waitForEvent('download');
    await page.locator('#people .export').click();
    const file = await (await download).path();
    const [, ...lines] = (await fs.readFile(file, 'utf8')).trim().split('\r\n');
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /^ada@example\.com,Ada,false,cli,/);
  });

  onSharedPage('loads further pages on demand', async (page) => {
    assert.equal(await page.locator('#people tbody tr').count(), 100);
    await page.locator('#people .more').click();
    await page.locator('#people .shown', { hasText: 'that is all' }).waitFor();
    assert.equal(await page.locator('#people tbody tr').count(), CROWD + 4);
    assert.equal(new Set(await textsOf(page, EMAILS)).size, CROWD + 4);
  });
});

describe('joins, clicks and events', () => {
  onSharedPage('come newest first, in pages', async (page) => {
    for (const [list, start] of [
      ['#joins', /^ada@example\.com\s+Ada\s+105\s/],
      ['#clicks', /^ada@example\.com\s+Ada\s/],
    ] as const)
      assert.match((await textsOf(page, `${list} tbody tr`))[0] ?? '', start);
    const ids = async (list: string) =>
      (await textsOf(page, `${list} tbody td[data-label=Id]`)).map(Number);
    for (const [list, count] of [
      ['#clicks', 105],
      ['#events', 124],
    ] as const) {
      const id = page.locator(`${list} td[data-label=Id]`).first();
      assert.equal(await id.isVisible(), false, 'ids are shown to those who want them');
      await page.locator(list).getByLabel('Ids and sessions').check();
      assert.ok(await id.isVisible());
      await page.locator(`${list} .more`).click();
      await page.locator(`${list} .shown`, { hasText: 'that is all' }).waitFor();
      const shown = await ids(list);
      assert.ok(shown.length >= count);
      assert.deepEqual(
        shown,
        [...shown].sort((a, b) => b - a),
      );
    }
  });

  onSharedPage('events are filtered by type and by person', async (page) => {
    await page.locator('#events-type').selectOption('login');
    await page.waitForFunction(() => !document.querySelector('#events tbody .timeline_view'));
    await page.locator('#events-email').fill('cle');
    await page.locator('#events-hint', { hasText: 'whole address' }).waitFor();
    await page.waitForFunction(() =>
      document.querySelector('#events-people option[value="cleo@example.com"]'),
    );
    await page.locator('#events-email').fill('CLEO@example.com');
    await expectTexts(page, '#events tbody td[data-label=Email]', ['cleo@example.com']);
    assert.match(
      (await page.locator('#events .export').getAttribute('href')) ?? '',
      /type=login&email=cleo%40example.com&format=csv/,
    );
  });
});

describe('after a removal from the invite list', () => {
  before(() => assert.ok(site.write(({ invites }) => invites.remove('ada@example.com'))));

  onPage('the funnel and the joins each say which people they count', async (page) => {
    assert.match((await textsOf(page, '#funnel li')).at(-1) ?? '', /^Joined\s+0\s/);
    await expectTexts(page, '#joins tbody td:first-child', ['ada@example.com']);
    for (const [section, text] of [
      ['section:has(> #funnel)', 'on the invite list now'],
      ['#joins', 'also people who are no longer invited'],
    ] as const)
      assert.equal(await page.locator(section).getByText(text).isVisible(), true);
  });
});
