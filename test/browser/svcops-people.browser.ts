/** The lists of the administrator page, letters, and the panel of one person. */
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { recordJoin } from '../support/rows.ts';
import { boxOf, hasFocus, textOf, textsOf } from './page.ts';
import { ADMINISTRATOR, halfAMinute, NOW, openSvcops, shows } from './svcops-page.ts';

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
  await email.click();
  await lists(page, 'ada', 'bo', 'cleo', 'crowd0', 'crowd1', 'crowd2', 'root');
  await email.click();
  await lists(page, 'root', 'crowd2', 'crowd1', 'crowd0', 'cleo', 'bo', 'ada');
  const sorted = page.locator('#people th[aria-sort=descending]');
  assert.deepEqual(await sorted.allInnerTexts(), ['Email']);

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

it('lists come newest first, in steps, with names as plain text and times of the viewer', async () => {
  const page = await open();
  assert.match((await textsOf(page, '#people tbody tr')).join(), /<b>Cleo<\/b>/);
  const badges = page.locator('#people tr', { has: page.locator('.badge') });
  assert.match((await badges.allInnerTexts()).join(), new RegExp(`^${ADMINISTRATOR} Admin`));
  const states = new Set(await textsOf(page, '#people tbody .status'));
  assert.deepEqual([...states].sort(), ['Joined', 'Logged in', 'Pending', 'Viewed']);
  const [joined = ''] = await textsOf(page, '#joins tbody tr');
  assert.match(joined, /^ada@example\.com\s+Ada\s+105\s/);

  const time = page.locator('#clicks tbody time').first();
  const at = NOW - 49 * 3_600_000 + 304;
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
    const more = page.locator(`#${list} .more`);
    for (let rows = 50; await more.isVisible(); rows += 25) {
      await more.click();
      await shows(page, list, new RegExp(`Showing (all|.*${rows})`));
    }
    const shown = (await textsOf(page, `#${list} tbody td[data-label=ID]`)).map(Number);
    assert.ok(shown.length >= count);
    const sorted = shown.toSorted((a, b) => b - a);
    assert.deepEqual(shown, sorted);
  }
  await page.locator('#events-type').selectOption('login');
  await page.waitForFunction(() => !document.querySelector('#events tbody .timeline_view'));
  const href = await page.locator('#events .export').getAttribute('href');
  assert.match(href ?? '', /type=login&from=.*&format=csv/);
});

it('the guests of a filter can be written to, one by one or by a mail merge', async () => {
  const page = await short.open();
  const letters = page.getByText('Download for mail merge:');
  const choose = (status: string) => page.locator('#people-status').selectOption(status);
  await choose('Joined');
  await shows(page, 'people', 'Showing all 1');
  const write = page.getByRole('link', { name: /^Write to / });
  assert.deepEqual([await letters.isVisible(), await write.count()], [false, 0]);
  for (const [status, name, href] of [
    ['Logged in, not viewed', 'cleo', /^mailto:cleo@example\.com\?subject=Rem/],
    ['Pending', 'crowd2', /\?subject=Your%20inv.*body=Hello/],
  ] as const) {
    await choose(status);
    const link = page.getByRole('link', { name: `Write to ${name}@example.com` });
    await link.waitFor();
    assert.match((await link.getAttribute('href')) ?? '', href);
  }
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

it('a person opens from each list, with activity and devices, and closes by a click beside', async () => {
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

  await show(page, 'ada');
  await page.locator('#person-activity .join').first().waitFor();
  const { x, y } = await boxOf(panel);
  await page.mouse.click(x + 5, y + 300);
  await page.mouse.move(x + 5, y + 300);
  await page.mouse.down();
  await page.mouse.move(x - 100, y + 300, { steps: 3 });
  await page.mouse.up();
  assert.ok(await panel.isVisible(), 'a click or drag from the panel does not close it');
  const summary = await textOf(page.locator('#person-known'));
  assert.match(summary, /ada@\S+ Joined[\s\S]*Command line[\s\S]*Invited by/);
  const devices = (await textsOf(page, '#person-devices li')).join();
  assert.match(devices, /Mobile, iOS, Mobile Safari[\s\S]*Desktop, Windows, Firefox/);
  while (await more.isVisible()) {
    const entries = await page.locator('#person-activity li').count();
    await more.press('Enter');
    await page.locator('#person-activity li').nth(entries).waitFor();
  }
  assert.ok(await hasFocus(page.locator('#person-activity')));
  for (const [kind, count] of Object.entries({ join: 105, timeline_view: 119, login: 2 }))
    assert.equal(await page.locator(`#person-activity .${kind}`).count(), count);
  await page.mouse.click(x - 100, y + 300);
  await panel.waitFor({ state: 'hidden' });

  for (const text of ['x', `a@xn--${'9'.repeat(320)}b.com`, `${'x'.repeat(250)}@b.com`]) {
    await show(page, 'nobody');
    await page.getByText('No record of this email address.').waitFor();
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
    await letter.getByRole('button', { name: `Copy ${kind}` }).click();
    await letter.getByText('Copied.').waitFor();
    const text = await letter.getByRole('textbox').inputValue();
    assert.match(text, words);
    const mail = letter.getByRole('link', { name: 'Open in mail' });
    const href = (await mail.getAttribute('href')) ?? '';
    assert.ok(href.startsWith(`mailto:${name}@example.com?sub`));
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), text);
  }
  await show(page, 'ada');
  await page.locator('#person-marks', { hasText: 'Joined' }).waitFor();
  assert.equal(await letter.isVisible(), false);
});

it('during a refresh, the panel keeps its letter, focus and selection', async () => {
  const page = await open({ frozen: true });
  await show(page, 'crowd2');
  const copy = page.locator('#person').getByRole('button', { name: 'Copy invitation' });
  await copy.focus();
  site.write(({ invites }) => invites.setFirstName('crowd2@example.com', 'Second'));
  await halfAMinute(page);
  await page.locator('#person-title', { hasText: 'Second' }).waitFor();
  assert.match(await page.locator('#person-letter textarea').inputValue(), /^Hello Second,\n/);
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
});
