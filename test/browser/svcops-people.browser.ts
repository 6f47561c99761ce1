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
    assert.match((await answered).url(), /sort=\w+&order=(asc|desc)&/);
  }
  const email = page.getByRole('button', { name: 'Email' });
  const heading = page.getByRole('columnheader').filter({ has: email });
  await email.click();
  await lists(page, 'ada', 'bo', 'cleo', 'crowd0', 'crowd1', 'crowd2', 'root');
  await email.click();
  await lists(page, 'root', 'crowd2', 'crowd1', 'crowd0', 'cleo', 'bo', 'ada');
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

it('the guests of a filter can be written to, one by one or by a mail merge', async () => {
  const page = await short.open();
  const letters = page.getByText('Download for mail merge:');
  await page.locator('#people-status').selectOption('Joined');
  await shows(page, 'people', 'Showing all 1');
  const write = page.getByRole('link', { name: /^Write to / });
  assert.deepEqual([await letters.isVisible(), await write.count()], [false, 0]);
  await page.locator('#people-status').selectOption('Logged in, not viewed');
  const cleo = page.getByRole('link', { name: 'Write to cleo@example.com' });
  await cleo.waitFor();
  assert.match((await cleo.getAttribute('href')) ?? '', /^mailto:cleo@example\.com\?subject=Rem/);
  await page.locator('#people-status').selectOption('Pending');
  await page.locator('#people-text').fill('crowd');
  await page.getByRole('link', { name: 'Write to crowd2@example.com' }).waitFor();
  assert.match(
    (await write.first().getAttribute('href')) ?? '',
    /\?subject=Your%20inv.*body=Hello/,
  );
  for (const [name, file, words] of [
    ['Invitations', 'invitations.csv', 'You are invited to'],
    ['Reminders', 'reminders.csv', 'is still open'],
  ] as const) {
    const download = page.waitForEvent('download');
    await letters.getByRole('link', { name }).click();
    assert.equal((await download).suggestedFilename(), file);
    const merge = await fs.readFile(await (await download).path(), 'utf8');
    assert.match(merge, /^\uFEFFemail,firstName,link,subject,message\r\n/);
    assert.equal(merge.match(/^crowd\d@example\.com,,http\S+#crowd\d@\S+ /gm)?.length, 3);
    assert.equal(merge.split(words).length, 4);
  }
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
  assert.match(devices, /Mobile, iOS, Mobile Safari[\s\S]*Desktop, Windows, Firefox/);
  while (await more.isVisible()) {
    const entries = await page.locator('#person-activity li').count();
    await more.click();
    await page.locator('#person-activity li').nth(entries).waitFor();
  }
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

it('a person has a letter to copy: an invitation, or a reminder once logged in', async () => {
  const page = await open({ address: '#person=crowd3%40example.com' });
  const letter = page.locator('#person-letter');
  for (const [name, kind, words] of [
    ['crowd3', 'invitation', /^Hello,\n[\s\S]*crowd3@example\.com/],
    ['bo', 'reminder', /^Hello Bo,\n[\s\S]*still open[\s\S]*bo@example\.com/],
  ] as const) {
    await show(page, name);
    const copy = letter.getByRole('button', { name: `Copy ${kind}` });
    await copy.click();
    await letter.getByText('Copied.').waitFor();
    const text = await letter.getByRole('textbox').inputValue();
    assert.match(text, words);
    const mail = letter.getByRole('link', { name: 'Open in mail' });
    const href = (await mail.getAttribute('href')) ?? '';
    assert.ok(href.startsWith(`mailto:${name}@example.com?sub`));
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, text);
  }
  await show(page, 'ada');
  await page.locator('#person-marks', { hasText: 'Joined' }).waitFor();
  assert.equal(await letter.isVisible(), false);
});

it('during a refresh, the panel keeps its letter, focus, selection and rows', async () => {
  const page = await open({ frozen: true });
  await show(page, 'crowd2');
  const copy = page.locator('#person').getByRole('button', { name: 'Copy invitation' });
  await copy.focus();
  site.write(({ invites }) => invites.setFirstName('crowd2@example.com', 'Second'));
  await halfAMinute(page);
  await page.locator('#person-title', { hasText: 'Second' }).waitFor();
  const text = page.locator('#person-letter textarea');
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
  await page.locator('#person-facts', { hasText: 'First join' }).waitFor();

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
