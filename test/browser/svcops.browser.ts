/** The numbers and lists of the administrator page in a real browser. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { textOf, textsOf } from './page.ts';
import { ADMINISTRATOR, CROWD, hasRow, NOW, openSvcops, shows } from './svcops-page.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Days from today back to the one with all activity, which is the first with data. */
const BUSY = Math.floor(NOW / DAY) - Math.floor((NOW - 49 * HOUR) / DAY);

const onPage = (await openSvcops('long')).sharedPage();

describe('at a glance', () => {
  onPage('it shows totals, and the funnel in people and percent', async (page) => {
    const wordsOf = async (selector: string) =>
      (await textsOf(page, selector)).map((text) => text.trim().split(/\s+/).join(' '));
    assert.deepEqual(await wordsOf('#totals > div'), [
      `Invited all time ${CROWD + 4} 1 administrator`,
      'Logged in last 90 days 4',
      'Viewed last 90 days 2',
      'Joined last 90 days 1',
    ]);
    assert.deepEqual(await wordsOf('#funnel li'), [
      'Invited 134 100% 130 have not logged in',
      'Logged in 4 3% 2 logged in and did not view',
      'Viewed 2 1.5% 1 viewed and did not join',
      'Joined 1 0.7%',
    ]);
  });

  onPage('devices, systems and browsers are labelled bars', async (page) => {
    const [first = ''] = await textsOf(page, '#devices li');
    assert.match(first, /^mobile\s+104\s+8\d%$/);
    assert.match((await textsOf(page, '#os li')).join(), /iOS[\s\S]*Windows/);
    assert.match((await textsOf(page, '#browsers li')).join(), /Mobile Safari[\s\S]*Firefox/);
    const widths = await page
      .locator('#devices .share')
      .evaluateAll((bars) => bars.map((bar) => getComputedStyle(bar).backgroundSize));
    assert.match(widths[0] ?? '', /^(calc\()?8\d\.\d+%/);
  });

  onPage('the cursor of the chart shows a day', async (page) => {
    const chart = page.locator('#chart');
    const said = () => textOf(page.locator('#day'));
    assert.match(await said(), /^Total of \d+ days 120 views, \d+ logins, 105 join/);
    await chart.hover({ position: { x: 60, y: 80 } });
    assert.match(await said(), /120 views, 4 logins, 105 join clicks$/);
  });

  onPage('the chart is a table too', async (page) => {
    await page.getByText('Show as table').click();
    assert.equal(await page.locator('#days tbody tr').count(), BUSY + 1);
    const days = await textsOf(page, '#days tbody tr');
    assert.equal(days.filter((day) => /120\s+4\s+105$/.test(day)).length, 1);
  });

  onPage('times are in the time zone of the viewer, exact on hover', async (page) => {
    const time = page.locator('#clicks tbody time').first();
    const at = NOW - 49 * HOUR + 304;
    assert.equal(await time.getAttribute('datetime'), new Date(at).toISOString());
    const zoned = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Tokyo', ...options }).format(at);
    assert.match(await textOf(time), new RegExp(zoned({ hour: 'numeric', minute: '2-digit' })));
    const title = (await time.getAttribute('title')) ?? '';
    assert.match(title, new RegExp(zoned({ timeStyle: 'medium' })));
    assert.match(title, /GMT\+9|JST/);
  });
});

describe('the invite list', () => {
  onPage('marks administrators, and shows a first name as plain text', async (page) => {
    const root = page.locator('#people tbody tr', { hasText: ADMINISTRATOR });
    assert.equal(await textOf(root.locator('.badge')), 'Admin');
    assert.equal(await page.locator('#people .badge').count(), 1);
    await page.locator('#people td', { hasText: '<b>Cleo</b>' }).waitFor();
    for (const status of ['Pending', 'Logged in', 'Viewed', 'Joined'])
      await page.locator('#people tbody .status', { hasText: status }).first().waitFor();
  });
});

describe('joins, clicks and events', () => {
  onPage('come newest first, in pages', async (page) => {
    for (const [list, start] of [
      ['#joins', /^ada@example\.com\s+Ada\s+105\s/],
      ['#clicks', /^ada@example\.com\s+Ada\s/],
    ] as const)
      assert.match((await textsOf(page, `${list} tbody tr`))[0] ?? '', start);
    for (const [list, count] of [
      ['clicks', 105],
      ['events', 124],
    ] as const) {
      const id = page.locator(`#${list} td[data-label=Id]`).first();
      assert.equal(await id.isVisible(), false, 'ids are shown to those who want them');
      await page.locator(`#${list}`).getByLabel('Show IDs and sessions').check();
      assert.ok(await id.isVisible());
      await page.locator(`#${list} .more`).click();
      await shows(page, list, 'Showing all');
      const shown = (await textsOf(page, `#${list} tbody td[data-label=Id]`)).map(Number);
      assert.ok(shown.length >= count);
      const sorted = shown.toSorted((a, b) => b - a);
      assert.deepEqual(shown, sorted);
    }
  });

  onPage('events are filtered by type and by person', async (page) => {
    await page.locator('#events-type').selectOption('login');
    await page.waitForFunction(() => !document.querySelector('#events tbody .timeline_view'));
    for (const email of ['eva@ü.1', 'ada\u0000@example.com', 'cle']) {
      await page.locator('#events-email').fill(email);
      await page.locator('#events-hint', { hasText: 'full email address' }).waitFor();
    }
    const offered = page.locator('#events-people option[value="cleo@example.com"]');
    await offered.waitFor({ state: 'attached' });
    await page.locator('#events-email').fill('CLEO@example.com');
    await shows(page, 'events', 'Showing all 1');
    assert.equal(await textOf(page.locator('#trouble')), '');
    await hasRow(page, 'events', 'cleo@example.com');
    const href = await page.locator('#events .export').getAttribute('href');
    assert.match(href ?? '', /type=login&email=cleo%40example.com&format=csv/);
  });
});
