/** Long lists of the administrator page in a real browser: in steps, and how they end. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { addInvite, recordJoin, recordLogin } from '../support/rows.ts';
import { hasFocus, textOf } from './page.ts';
import { NOW, openSvcops, shows } from './svcops-page.ts';

/** Guests: the administrator is one more on the list. */
const GUESTS = 2139;
const ACTS = 600;

const { installation, open } = await openSvcops('none');
installation.write((writer) => {
  for (let i = 0; i < GUESTS; i += 1) addInvite(writer, `guest${i}@example.com`);
  for (let i = 0; i < ACTS; i += 1) {
    recordLogin(writer, 'guest0@example.com', NOW - i);
    recordJoin(writer, 'guest0@example.com', NOW - i);
  }
});

it('a list of thousands ends with a link to all rows', async () => {
  const page = await open();
  const list = page.locator('#people');
  const more = list.locator('.more');
  for (const [shown, rows] of [
    ['Showing 25 of 2,140', 25],
    ['Showing 100 of 2,140', 100],
  ] as const) {
    await shows(page, 'people', shown);
    assert.equal(await list.locator('tbody tr').count(), rows);
    await more.press('Enter');
  }
  await shows(page, 'people', 'Showing the first 500 of 2,140. ');
  assert.ok(await more.isHidden());
  assert.ok(await hasFocus(list.locator('tbody tr').nth(100).locator('.person')));
  // extra: export
  const range = list.getByRole('status').filter({ hasText: 'Showing' });
  assert.equal(await textOf(range), 'Showing the first 500 of 2,140. Export CSV for all.');
  const all = range.getByRole('link', { name: 'Export CSV for all' });
  assert.equal(await all.getAttribute('href'), await list.locator('.export').getAttribute('href'));
  // end: export
});

it('a log says how many of its newest rows are shown', async () => {
  const page = await open();
  for (const [log, words] of [
    ['events', /^Showing the newest 500\. /],
    ['clicks', /^Showing the newest 500 of 600\. /],
    ['changes', /^Showing the newest 500\. /],
  ] as const) {
    const more = page.locator(`#${log} .more`);
    await shows(page, log, /25/);
    await more.press('Enter');
    await shows(page, log, /100/);
    await more.press('Enter');
    await shows(page, log, words);
    assert.ok(await more.isHidden());
  }
});

it('the panel of a busy guest ends by saying so', async () => {
  const page = await open({ address: '#person=guest0%40example.com' });
  const words = page.locator('#person-shown');
  for (const count of [25, 100]) {
    await words.filter({ hasText: `Showing ${count} of 1,200 logins, views and joins` }).waitFor();
    await page.locator('#person-more').press('Enter');
  }
  await words.filter({ hasText: /^Showing the newest 500 of 1,200 / }).waitFor();
});

it('a double click on a person adds one step to the history', async () => {
  const page = await open({ address: '#status=pending' });
  await shows(page, 'people', /^Showing 25 of/);
  const before = await page.evaluate(() => history.length);
  // The second press falls on the link, or beside the panel that has opened.
  await page.locator('#people .person').first().dblclick({ delay: 60 });
  await page.locator('#person-facts dd').first().waitFor();
  assert.equal(await page.evaluate(() => history.length), before + 1);
  await page.keyboard.press('Escape');
  await page.locator('#person').waitFor({ state: 'hidden' });
  await page.waitForURL(/#status=pending$/);
});

// extra: bulk
it('the review of a long list begins with its mistakes, and says so', async () => {
  const page = await open();
  await page.getByText('Invite a list').click();
  const lines = Array.from({ length: 600 }, (_, i) => `new${i}@example.com`);
  await page.locator('#many-list').fill([...lines, 'bad at example.com'].join('\n'));
  const words = page.locator('#many-shown');
  await words.filter({ hasText: 'Showing 25 of 601' }).waitFor();
  assert.match(await textOf(page.locator('#many-preview tbody tr').first()), /invalid address/);
  await page.locator('#many-all').press('Enter');
  await words.filter({ hasText: 'Showing the first 500 of 601' }).waitFor();
  assert.equal(await page.locator('#many-preview tbody tr').count(), 500);
  assert.ok(await page.locator('#many-all').isHidden());
});
// end: bulk
