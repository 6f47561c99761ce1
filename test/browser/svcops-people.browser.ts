/**
 * The lists of the administrator page, letters, the panel of one person, and all of it over time.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs/promises'; // extra: export
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { recordJoin, recordView } from '../support/rows.ts';
import { answerOnce, boxOf, hasFocus, hold, textOf, textsOf } from './page.ts';
import {
  ADMINISTRATOR,
  CROWD,
  disconnect,
  halfAMinute,
  NOW,
  openSvcops,
  shows,
  troubleOf,
} from './svcops-page.ts';

const { installation, open } = await openSvcops('long');

/** Waits until the list begins with these people, in this order. */
const lists = (page: Page, ...names: readonly string[]) =>
  page.waitForFunction((expected) => {
    const cells = [...document.querySelectorAll('#people tbody td:first-child')];
    const shown = cells.map((each) => each.textContent?.split('@')[0]);
    return shown.join().startsWith(expected);
  }, names.join());

// extra: export
/** What a link downloads: the file's name, and its text. */
async function download(page: Page, name: string | RegExp): Promise<string> {
  const downloaded = page.waitForEvent('download');
  await page
    .locator('#people')
    .getByRole('link', typeof name === 'string' ? { name, exact: true } : { name })
    .click();
  const file = await downloaded;
  return `${file.suggestedFilename()} ${await fs.readFile(await file.path(), 'utf8')}`;
}
// end: export

it('the invite list is sorted, filtered, exported, and written to', async () => {
  const page = await open();
  const email = page.getByRole('button', { name: 'Email' });
  await email.click();
  await lists(page, 'ada', 'bo', 'cleo', 'crowd0');
  await email.click();
  await lists(page, 'root', 'crowd9');
  const sorted = page.locator('#people th[aria-sort=descending]');
  assert.deepEqual(await sorted.allInnerTexts(), ['Email']);

  // The service refuses control characters, so the page removes them.
  await page.locator('#people-text').fill('\u0001 CROWD12\t');
  await lists(page, 'crowd12');
  const choose = (status: string) => page.locator('#people-status').selectOption(status);
  await choose('Joined');
  await page.locator('#people .empty').waitFor();
  await page.locator('#people-text').fill('');
  await lists(page, 'ada');
  // extra: letters
  const letters = page.getByText('A file for a mail merge.');
  const write = page.locator('#people').getByRole('button', { name: / to \S+@/ });
  assert.deepEqual([await letters.isVisible(), await write.count()], [false, 0]);
  // end: letters
  // extra: export
  const csv = await download(page, 'Export CSV');
  assert.match(csv, /^\S+\.csv .+\r\nada@example\.com,Ada,false,cli,.*\r\n$/);
  // end: export

  // extra: letters
  for (const [status, kind, name, words, href] of [
    [
      'Logged in, not viewed',
      'Reminder',
      'cleo',
      'is still open',
      /^mailto:cleo@example\.com\?subject=Rem/,
    ],
    ['Pending', 'Invitation', 'crowd9', 'You’re invited', /\?subject=Your%20inv.*body=Hello/],
  ] as const) {
    await choose(status);
    await page.getByRole('button', { name: `${kind} to ${name}@example.com` }).click();
    const letter = page.getByRole('dialog', { name: `${kind} to ${name}@example.com` });
    assert.match(await letter.getByRole('textbox').inputValue(), new RegExp(words));
    const mail = letter.getByRole('link', { name: 'Open in mail app' });
    assert.match((await mail.getAttribute('href')) ?? '', href);
    await letter.getByRole('button', { name: 'Close' }).click();
  }
  // extra: export
  const invitations = await download(page, 'Download 130 invitations');
  assert.ok(invitations.startsWith('invitations.csv \uFEFFemail,'));
  assert.equal(invitations.split('You’re invited to').length, 131);
  await choose('Logged in, not viewed');
  const reminders = await download(page, /^Download \d+ reminders?$/);
  assert.ok(reminders.startsWith('reminders.csv \uFEFFemail,'));
  assert.match(reminders, /is still open/);
  // end: export
  // end: letters
});

it('lists come newest first, in steps, with the viewer’s times', async () => {
  const page = await open();
  assert.match((await textsOf(page, '#people tbody tr')).join(), /<b>Cleo<\/b>/);
  const badges = page.locator('#people tr', { has: page.locator('.badge') });
  assert.match((await badges.allInnerTexts()).join(), new RegExp(`^${ADMINISTRATOR} Admin`));

  const time = page.locator('#clicks tbody time').first();
  const at = NOW - 49 * 3_600_000 + 304;
  assert.equal(await time.getAttribute('datetime'), new Date(at).toISOString());
  assert.match(await textOf(time), /20:00/);

  const id = page.locator('#events td[data-label=ID]');
  assert.equal(await id.first().isVisible(), false, 'ids are shown to those who want them');
  await page.locator('#events').getByLabel('Show IDs and sessions').check();
  await shows(page, 'events', 'Showing the newest 25');
  const more = page.locator('#events .more');
  await more.press('Enter');
  await shows(page, 'events', 'Showing the newest 100');
  assert.ok(await hasFocus(more));
  await more.press('Enter');
  await shows(page, 'events', 'Showing all');
  // The focus is on the link of the first row that was added.
  assert.ok(await hasFocus(page.locator('#events tbody tr').nth(100).locator('a')));
  assert.ok((await id.count()) >= 124);
  await page.locator('#events-type').selectOption('login');
  await page.waitForFunction(() => !document.querySelector('#events tbody .timeline_view'));
  // extra: export
  const href = await page.locator('#events .export').getAttribute('href');
  assert.match(href ?? '', /type=login&from=.*&format=csv/);
  // end: export
});

/** Opens the panel of `<name>@example.com`. */
const show = (page: Page, name: string) => page.goto(`/svcops#person=${name}%40example.com`);

it('a person opens from each list, with activity, devices and a letter', async () => {
  const page = await open({ frozen: true });
  const panel = page.locator('#person');
  const more = page.locator('#person-more');
  for (const list of ['people', 'joins', 'clicks', 'events']) {
    const link = page.locator(`#${list} tbody a`, { hasText: /^(ada|bo)@example\.com$/ }).first();
    const email = await textOf(link);
    await link.click();
    await page.locator('#person-activity .date').first().waitFor();
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
  assert.match(devices, /Mobile Safari on iOS \(phone\)[\s\S]*Firefox on Windows/);
  const range = page.locator('#person-shown');
  await range.filter({ hasText: /^Showing 25 of 226 logins, views and joins$/ }).waitFor();
  assert.match((await textsOf(page, '#person-activity > li')).join(), /Joined at least \d+ times/);
  for (const words of ['Showing 100 of 226', 'Showing all 226']) {
    await more.press('Enter');
    await range.filter({ hasText: words }).waitFor();
  }
  assert.ok(await hasFocus(page.locator('#person-activity')));
  const lines = await textsOf(page, '#person-activity li li');
  assert.deepEqual(
    lines.map((line) => line.replace(/ [\d:]+(–[\d:]+)?$/, '')),
    [
      'Joined 105 times',
      '19 views in the phone layout (from a link), logged in, Firefox on Windows',
      '100 views in the phone layout (from a link), logged in, Mobile Safari on iOS (phone)',
    ],
  );
  await page.mouse.click(x - 100, y + 300);
  await panel.waitFor({ state: 'hidden' });

  for (const text of ['x', `a@xn--${'9'.repeat(320)}b.com`, `${'x'.repeat(250)}@b.com`]) {
    await show(page, 'nobody');
    await page.getByText('No record of this email address.').waitFor();
    await page.goto(`/svcops#person=${text}`);
    await panel.waitFor({ state: 'hidden' });
  }

  await show(page, 'bo');
  // extra: letters
  const letter = panel.getByRole('button', { name: 'Reminder to bo@example.com' });
  await letter.click();
  const mail = page.getByRole('link', { name: 'Open in mail app' });
  assert.match((await mail.getAttribute('href')) ?? '', /subject=Rem.*body=Hello%20Bo/);
  await page.keyboard.press('Escape');
  // end: letters
  await page.locator('#person-activity .timeline_view').first().selectText();
  await letter.focus(); // extra: letters
  installation.write((writer) => recordView(writer, 'bo@example.com', NOW));
  await halfAMinute(page);
  await page.locator('#person-activity > li').nth(1).waitFor();
  assert.match(await page.evaluate(() => String(getSelection())), /^Viewed/);
  assert.ok(await hasFocus(letter), 'a refresh keeps the focus too'); // extra: letters
});

it('reading again after 30 s keeps scroll, sort, filters and typed text', async () => {
  // Smooth scrolling could still run when the test looks.
  const page = await open({ frozen: true, reducedMotion: 'reduce' });
  await page.getByRole('button', { name: 'Email' }).click();
  await lists(page, 'ada');
  // The reply to an earlier request comes after that of a later one. It must change nothing.
  const release = await hold(page, '**/api/svcops/invites?**limit=25');
  const late = page.waitForResponse('**/api/svcops/invites?**q=crowd**limit=25');
  const filtered = page.waitForRequest('**/api/svcops/invites?**q=crowd**');
  await page.locator('#people-text').fill('crowd');
  await page.clock.runFor(300);
  await filtered;
  await page.locator('#people .more').click();
  await shows(page, 'people', `Showing 100 of ${CROWD}`);
  release();
  await (await late).finished();
  await shows(page, 'people', `Showing 100 of ${CROWD}`);
  await page.locator('#people .more').click();
  await shows(page, 'people', `Showing all ${CROWD}`);
  await page.locator('#invite-email').fill('half.typed@');
  await page.locator('#people tbody a.person').nth(90).focus();
  const place = () =>
    page.evaluate(() => [
      scrollY,
      document.activeElement?.textContent,
      document.querySelectorAll('#people tbody tr').length,
      document.querySelector('#people th')?.ariaSort,
      document.querySelector<HTMLInputElement>('#people-text')?.value,
      document.querySelector<HTMLInputElement>('#invite-email')?.value,
    ]);
  const before = await place();
  installation.write((writer) => recordJoin(writer, 'bo@example.com', NOW));
  await halfAMinute(page);
  await page.locator('#day', { hasText: '106 join' }).waitFor();
  await page.locator('#clicks tbody tr', { hasText: 'bo@' }).waitFor({ state: 'attached' });
  assert.deepEqual(await place(), before);
});

it('it reads nothing while hidden, and recovers from a failed read', async () => {
  // Replies without numbers are faults. The page also reports them on the console.
  const page = await open({ frozen: true, expected: /^(Type|Syntax)Error/ });
  const show = (state: string) =>
    page.evaluate((state) => {
      Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  let asked = 0;
  page.on('request', () => asked++);
  await show('hidden');
  await page.clock.runFor(120_000);
  assert.equal(asked, 0);
  const before = await textOf(page.locator('#updated'));
  await show('visible');
  await page.locator('#updated').filter({ hasNotText: before }).waitFor();

  await disconnect(page);
  const lost = troubleOf(page, 'No connection');
  assert.match(await textOf(lost), /Last updated at \d\d:\d\d:\d\d/);
  assert.equal(await textOf(page.locator('#updated')), 'Out of date');
  await page.context().setOffline(false);
  await lost.waitFor({ state: 'hidden' });
  for (const [reply, words] of [
    [{ status: 503 }, 'temporarily unavailable'],
    [{ body: '{}' }, 'Retrying every 30 seconds'],
    [{ body: '{' }, 'Retrying every 30 seconds'],
  ] as const) {
    await answerOnce(page, '**/api/svcops/stats?**', reply);
    await halfAMinute(page);
    await troubleOf(page, words).waitFor();
    await page.locator('#refresh').click();
    await page.locator('#updated time').waitFor();
    await troubleOf(page, words).waitFor({ state: 'hidden' });
  }

  await page.context().request.post('/auth/logout');
  await halfAMinute(page);
  const link = troubleOf(page, 'Your session has ended').getByRole('link', {
    name: 'Log in again',
  });
  assert.equal(await link.getAttribute('href'), '/');
  assert.equal(await link.getAttribute('target'), '_blank', 'what is typed here is not lost');
});

// extra: letters
it('at another origin than PUBLIC_ORIGIN, the page says where letters link to', async () => {
  const page = await open({ expected: /^request to https:/ });
  assert.equal(await textOf(page.locator('#origin')), '');
  const { host, port } = new URL(page.url());
  await page.route(/^https:/, async (route) => {
    const url = route.request().url().replace('https:', 'http:');
    await route.fulfill({ response: await route.fetch({ url }) });
  });
  await page.goto(`https://${host}/svcops`);
  const words = `Letters link to http://localhost:${port}. Set PUBLIC_ORIGIN to https://${host}`;
  await page.getByText(words).waitFor();
  // The page may still wait for a reply.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});
// end: letters
