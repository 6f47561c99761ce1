/** The numbers and lists of the administrator page. Each number leads to its people. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { hasFocus, textOf, textsOf } from './page.ts';
import { ADMINISTRATOR, CROWD, NOW, openSvcops, shows } from './svcops-page.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Days from today back to the one with all activity, which is the first with data. */
const BUSY = Math.floor(NOW / DAY) - Math.floor((NOW - 49 * HOUR) / DAY);

const { open, visit } = await openSvcops('long');

it('at a glance, it shows people, percent and devices, and days as a chart and as a table', async () => {
  const page = await open();
  const wordsOf = async (selector: string) =>
    (await textsOf(page, selector)).map((text) => text.trim().split(/\s+/).join(' '));
  assert.deepEqual(await wordsOf('#totals > div'), [
    `Invited all time ${CROWD + 4} 1 administrator`,
    'Logged in last 90 days 4',
    'Viewed last 90 days 2',
    'Joined last 90 days 1',
  ]);
  assert.deepEqual(await wordsOf('#funnel li'), [
    'Invited 134 100% 130 haven’t logged in',
    'Logged in 4 3% 2 logged in but didn’t view',
    'Viewed 2 1.5% 1 viewed but didn’t join',
    'Joined 1 0.7%',
  ]);
  const [first = ''] = await wordsOf('#devices li');
  assert.match(first, /^Mobile 104 8\d%$/);
  assert.match((await textsOf(page, '#os li')).join(), /iOS[\s\S]*Windows/);
  assert.match((await textsOf(page, '#browsers li')).join(), /Mobile Safari[\s\S]*Firefox/);
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

it('each number of people leads to exactly these people, then to letters to them', async () => {
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
  const letters = page.getByText('Download for mail merge:');
  await letters.waitFor();
  await page.locator('#people-status').selectOption('Joined');
  await page.waitForURL(/#status=joined$/);
  await letters.waitFor({ state: 'hidden' });
});

it('the list behind a number opens in a new tab, and after a person, a reload or a period', async () => {
  const page = await open({ address: '?days=30' });
  const tab = await visit();
  const name = / viewed, last 30 days$/;
  const link = page.getByRole('link', { name });
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
  await tab.locator('#people-text').fill('bo@');
  await shows(tab, 'people', 'Showing all 1');
  await tab.getByRole('link', { name }).click();
  await isThere();
  await tab.locator('#period').selectOption('Last 7 days');
  await tab.waitForURL(/\?days=7#did=view$/);
  await tab.locator('#people-title', { hasText: 'last 7 days' }).waitFor();
  await tab.goBack();
  await isThere();
});

it('lists come newest first, in pages, with names as plain text and times of the viewer', async () => {
  const page = await open();
  const root = page.locator('#people tbody tr', { hasText: ADMINISTRATOR });
  assert.equal(await textOf(root.locator('.badge')), 'Admin');
  assert.equal(await page.locator('#people .badge').count(), 1);
  await page.locator('#people td', { hasText: '<b>Cleo</b>' }).waitFor();
  for (const status of ['Pending', 'Logged in', 'Viewed', 'Joined'])
    await page.locator('#people tbody .status', { hasText: status }).first().waitFor();
  const [joined = ''] = await textsOf(page, '#joins tbody tr');
  assert.match(joined, /^ada@example\.com\s+Ada\s+105\s/);

  const time = page.locator('#clicks tbody time').first();
  const at = NOW - 49 * HOUR + 304;
  assert.equal(await time.getAttribute('datetime'), new Date(at).toISOString());
  const zoned = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Tokyo', ...options }).format(at);
  assert.match(await textOf(time), new RegExp(zoned({ hour: 'numeric', minute: '2-digit' })));
  const title = (await time.getAttribute('title')) ?? '';
  assert.match(title, new RegExp(`${zoned({ timeStyle: 'medium' })}.*(GMT\\+9|JST)`));

  for (const [list, count] of [
    ['clicks', 105],
    ['events', 124],
  ] as const) {
    const id = page.locator(`#${list} td[data-label=ID]`).first();
    assert.equal(await id.isVisible(), false, 'ids are shown to those who want them');
    await page.locator(`#${list}`).getByLabel('Show IDs and sessions').check();
    assert.ok(await id.isVisible());
    const more = page.locator(`#${list} .more`);
    for (let rows = 50; await more.isVisible(); rows += 25) {
      await more.click();
      await shows(page, list, new RegExp(`Showing (all|.*${rows})`));
    }
    const shown = (await textsOf(page, `#${list} tbody td[data-label=ID]`)).map(Number);
    assert.ok(shown.length >= count);
    assert.deepEqual(
      shown,
      shown.toSorted((a, b) => b - a),
    );
  }

  await page.locator('#events-type').selectOption('login');
  await page.waitForFunction(() => !document.querySelector('#events tbody .timeline_view'));
  assert.equal(await textOf(page.locator('#trouble')), '');
  const href = await page.locator('#events .export').getAttribute('href');
  assert.match(href ?? '', /type=login&from=.*&format=csv/);
});
