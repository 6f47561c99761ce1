/** The invite list of the administrator page, reminders, and the panel of one person. */
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { recordJoin } from '../support/rows.ts';
import { boxOf, hasFocus, hold, textOf, textsOf } from './page.ts';
import { halfAMinute, NOW, openSvcops, shows } from './svcops-page.ts';

const short = await openSvcops('short');
const { installation: site, open } = await openSvcops('long');

/** Waits until the list has these people, in this order. */
const lists = (page: Page, ...names: readonly string[]) =>
  page.waitForFunction((expected) => {
    const cells = [...document.querySelectorAll('#people tbody td:first-child')];
    return cells.map((each) => each.textContent?.split('@')[0]).join() === expected;
  }, names.join());

it('the invite list is sorted by each column, by keyboard as well, and filtered with its export', async () => {
  const page = await short.open();
  const headings = await page.locator('#people th button').all();
  assert.ok(headings.length > 5);
  for (const heading of headings) {
    const answered = page.waitForResponse('**/api/svcops/invites?**');
    await heading.press('Enter');
    const sort = await heading.getAttribute('data-sort');
    assert.match((await answered).url(), new RegExp(`sort=${sort}&`));
    const cell = page.locator('#people th[aria-sort]:not([aria-sort=none])');
    assert.equal(await cell.locator('button').getAttribute('data-sort'), sort);
  }
  await page.locator('[data-sort=email]').click();
  await lists(page, 'ada', 'bo', 'cleo', 'crowd0', 'crowd1', 'crowd2', 'root');
  await page.locator('[data-sort=email]').click();
  await lists(page, 'root', 'crowd2', 'crowd1', 'crowd0', 'cleo', 'bo', 'ada');
  const heading = page.locator('th', { has: page.locator('[data-sort=email]') });
  assert.equal(await heading.getAttribute('aria-sort'), 'descending');

  // A control character is no error.
  await page.locator('#people-text').fill('\u0001 CROWD1\t');
  await lists(page, 'crowd1');
  await page.locator('#people-status').selectOption('Joined');
  await page.locator('#people .empty').waitFor();
  await page.locator('#people-text').fill('');
  await lists(page, 'ada');
  const download = page.waitForEvent('download');
  await page.locator('#people .export').click();
  const text = await fs.readFile(await (await download).path(), 'utf8');
  assert.match(text, /^.+\r\nada@example\.com,Ada,false,cli,.*\r\n$/);
});

it('following up leads from reminder to reminder, and keeps the place', async () => {
  const page = await short.open();
  const remind = page.locator('#people-remind');
  await page.locator('#people-status').selectOption('Joined');
  assert.equal(await remind.isVisible(), false, 'not for those who have joined');
  await page.locator('#people-status').selectOption('Pending');
  // The list is the same without this filter, and the messages of a former list go.
  const filtered = page.waitForResponse('**/api/svcops/invites?**q=crowd**');
  await page.locator('#people-text').fill('crowd');
  await (await filtered).finished();
  await shows(page, 'people', 'Showing all 3');
  await page.getByText('Send reminders').click();
  const isAt = async (number: number, name: string) => {
    await remind.getByText(`Letter ${number} of 3, to ${name}@example.com.`).waitFor();
    const letter = await remind.getByLabel(`Reminder for ${name}@example.com`).inputValue();
    assert.match(letter, new RegExp(`^Hello,\n[^]*still open[^]*/#${name}@example\\.com\n`));
  };
  await isAt(1, 'crowd2');
  await remind.getByRole('button', { name: 'Next letter, 2 of 3' }).click();
  await isAt(2, 'crowd1');
  await page.getByText('Send reminders').click();
  await page.getByText('Send reminders').click();
  await isAt(2, 'crowd1');
  await remind.getByRole('button', { name: 'Next letter, 3 of 3' }).click();
  await isAt(3, 'crowd0');
  await remind.getByRole('button', { name: 'Back to letter 1 of 3' }).waitFor();
  const download = page.waitForEvent('download');
  await remind.getByRole('button', { name: 'Save all as CSV for a mail merge' }).click();
  const merge = await fs.readFile(await (await download).path(), 'utf8');
  assert.equal(merge.match(/^crowd\d@example\.com,,"Hello,$/gm)?.length, 3);
  await remind.getByText('3 letters saved.').waitFor();
});

/** Opens the panel of `<name>@example.com`. */
const show = (page: Page, name: string) => page.goto(`/svcops#person=${name}%40example.com`);

it('a person opens from each list, with visits and devices, and closes by a click beside', async () => {
  const page = await open({ frozen: true });
  const panel = page.locator('#person');
  const more = page.locator('#person-more');
  for (const list of ['people', 'joins', 'clicks', 'events']) {
    const link = page.locator(`#${list} tbody a`, { hasText: /^(ada|bo)@example\.com$/ }).first();
    const email = await textOf(link);
    await link.click();
    await page.locator('#person-activity time').first().waitFor();
    await page.locator('#person-marks', { hasText: email }).waitFor();
    assert.match(page.url(), /#person=\w+%40example\.com$/);
    await page.goBack();
    await panel.waitFor({ state: 'hidden' });
    assert.doesNotMatch(page.url(), /#/);
  }

  await show(page, 'bo');
  await page.locator('#person-activity time').first().waitFor();
  const { x, y } = await boxOf(panel);
  const title = await boxOf(page.locator('#person-title'));
  await page.mouse.click(x + 5, y + 300);
  for (const [fromX, fromY] of [
    [title.x + 40, title.y + title.height / 2],
    [x + 5, y + 300],
  ] as const) {
    await page.mouse.move(fromX, fromY);
    await page.mouse.down();
    await page.mouse.move(x - 100, y + 300, { steps: 3 });
    await page.mouse.up();
  }
  assert.ok(await panel.isVisible(), 'a click or drag from the panel does not close it');
  await page.mouse.click(x - 100, y + 300);
  await panel.waitFor({ state: 'hidden' });

  await show(page, 'ada');
  await page.locator('#person-activity .join').first().waitFor();
  const summary = await textOf(page.locator('#person-known'));
  assert.match(summary, /ada@\S+ Joined[\s\S]*Command line[\s\S]*Invited by/);
  const devices = (await textsOf(page, '#person-devices li')).join();
  assert.match(devices, /mobile, iOS, Mobile Safari[\s\S]*desktop, Windows, Firefox/);
  while (await more.isVisible()) {
    const entries = await page.locator('#person-activity li').count();
    await more.click();
    await page.locator('#person-activity li').nth(entries).waitFor();
  }
  const visits = await textsOf(page, '#person-activity .device');
  assert.deepEqual(visits, ['mobile, iOS, Mobile Safari', 'desktop, Windows, Firefox']);
  for (const [kind, count] of Object.entries({ join: 105, timeline_view: 119, login: 2 }))
    assert.equal(await page.locator(`#person-activity .${kind}`).count(), count);

  await show(page, 'nobody');
  await page.getByText('No record of this email address.').waitFor();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'hidden' });
  // The browser reports its new address later.
  await page.waitForURL(({ hash }) => hash === '');
  for (const text of ['nobody', `a@xn--${'9'.repeat(320)}b.com`, `${'x'.repeat(250)}@b.com`]) {
    await show(page, 'nobody');
    await panel.waitFor();
    await page.goto(`/svcops#person=${text}`);
    await panel.waitFor({ state: 'hidden' });
  }
});

it('a person has letters to copy: an invitation, and a reminder before the first visit', async () => {
  const page = await open({ address: '#person=crowd3%40example.com' });
  for (const [name, words] of [
    ['invitation', /^Hello,\n[\s\S]*crowd3@example\.com/],
    ['reminder', /^Hello,\n[\s\S]*still open[\s\S]*crowd3@example\.com/],
  ] as const) {
    const letter = page.locator(`#person-${name}`);
    await letter.locator('summary').click();
    const text = await letter.getByRole('textbox').inputValue();
    assert.match(text, words);
    const mail = letter.getByRole('link', { name: 'Open in mail' });
    assert.match((await mail.getAttribute('href')) ?? '', /^mailto:crowd3@example\.com\?sub/);
    await letter.getByRole('button', { name: `Copy ${name}` }).click();
    await letter.getByText('Copied.').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, text);
  }
  assert.equal(await textOf(page.locator('#person-devices')), 'No devices yet.');
  await show(page, 'ada');
  await page.locator('#person-marks', { hasText: 'Joined' }).waitFor();
  assert.ok(await page.getByText('Invitation', { exact: true }).isVisible());
  assert.equal(await page.getByText('Reminder', { exact: true }).isVisible(), false);
});

it('during a refresh, the panel keeps its letter, focus, selection and rows', async () => {
  const page = await open({ frozen: true });
  await show(page, 'crowd2');
  await page.getByText('Invitation', { exact: true }).click();
  const copy = page.locator('#person').getByRole('button', { name: 'Copy invitation' });
  await copy.focus();
  site.write(({ invites }) => invites.setFirstName('crowd2@example.com', 'Second'));
  await halfAMinute(page);
  await page.locator('#person-title', { hasText: 'Second' }).waitFor();
  const text = page.locator('#person-invitation textarea');
  assert.match(await text.inputValue(), /^Hello Second,\n/);
  assert.ok(await hasFocus(copy));

  await show(page, 'bo');
  await page.locator('#person-marks', { hasText: 'bo@' }).waitFor();
  const selected = () => page.evaluate(() => String(getSelection()));
  await page.locator('#person-activity .what').first().selectText();
  assert.match(await selected(), /^Viewed/);
  site.write((writer) => recordJoin(writer, 'bo@example.com', NOW));
  await halfAMinute(page);
  await page.locator('#person-activity .join').waitFor();
  assert.match(await selected(), /^Viewed/);
  await page.locator('#person-facts', { hasText: 'First join click' }).waitFor();

  await show(page, 'ada');
  await page.locator('#person-marks', { hasText: 'ada@' }).waitFor();
  const entries = page.locator('#person-activity li');
  await entries.first().waitFor();
  const before = await entries.count();
  const release = await hold(page, '**/api/svcops/events?**');
  const more = page.locator('#person-more');
  await more.click();
  await halfAMinute(page);
  release();
  await entries.nth(before).waitFor();
  const shown = page.locator('#person-shown');
  while (await more.isVisible()) {
    const before = await textOf(shown);
    await more.press('Enter');
    await shown.filter({ hasNotText: before }).waitFor();
  }
  await shown.filter({ hasText: 'Showing all' }).waitFor();
  assert.ok(await hasFocus(page.locator('#person-activity')));
});
