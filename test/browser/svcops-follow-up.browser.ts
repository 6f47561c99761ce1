/** The invite list of the administrator page in a real browser: order, follow-ups, cards, print. */
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import { boxOf, overflow, styleOf } from './page.ts';
import { clipboard, openSvcops, saved, shows } from './svcops-page.ts';

const { ownPage, sharedPage } = await openSvcops('short');
const onPage = ownPage();
const onPhone = ownPage({ viewport: { width: 390, height: 800 } });
const onSharedPage = sharedPage();

describe('the invite list', () => {
  /** Waits until the list has these people, in this order. */
  const lists = (page: Page, ...names: readonly string[]) =>
    page.waitForFunction((expected) => {
      const cells = [...document.querySelectorAll('#people tbody td:first-child')];
      return cells.map((each) => each.textContent?.split('@')[0]).join() === expected;
    }, names.join());

  onPage('is sorted by each column, by keyboard as well', async (page) => {
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
  });

  onPage('is filtered by text and by status, and its export too', async (page) => {
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
});

describe('following up', () => {
  onSharedPage('leads from reminder to reminder, and keeps the place', async (page) => {
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
      const mail = await remind
        .getByRole('link', { name: 'Open in mail app' })
        .getAttribute('href');
      assert.match(
        mail ?? '',
        new RegExp(`^mailto:${name}@example\\.com\\?subject=Your%20invitation`),
      );
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
    await remind.getByRole('button', { name: 'Copy letter' }).click();
    await remind.getByText('Copied.').waitFor();
    assert.match(await clipboard(page), /\/#crowd0@example\.com\n/);
    const people = (await saved(page, remind)).match(/^crowd\d@example\.com,,"Hello,$/gm);
    assert.equal(people?.length, 3);
    await remind.getByText('3 letters saved.').waitFor();
    await page.locator('#people-text').fill('');
  });
});

onPhone('at 390 px the rows are cards with labels, and nothing scrolls sideways', async (page) => {
  await page.getByText('Invite many').click();
  await page.locator('#many-list').fill('ada@example.com\nNina <nina@example.com>');
  await page.locator('#many-preview tbody tr').nth(1).waitFor();
  for (const each of await page.locator('.unfold').all()) await each.click();
  for (const each of await page.locator('.details').all()) await each.check();
  assert.equal(await overflow(page), 0);
  await page.getByRole('cell', { name: 'Clicks 2', exact: true }).waitFor();
  for (const row of await page.locator('main tbody tr:visible').all()) {
    const { height } = await boxOf(row);
    assert.ok(height > 24 && height < 130, `${height} px: ${await row.innerText()}`);
  }
  await page.getByText('Show as table').click();
  const { height: headings } = await boxOf(page.locator('#days thead'));
  assert.ok(headings > 24 && headings < 60, `${headings} px`);
  const targets = page.locator(':is(main, nav) :is(a, button, summary):visible');
  for (const target of await targets.all()) {
    const { height } = await boxOf(target);
    assert.ok(height >= 24, `${height} px: ${await target.innerText()}`);
  }
  for (const scroll of await page.locator('main .scroll:visible').all())
    assert.equal(await scroll.evaluate((each) => each.scrollWidth - each.clientWidth), 0);
});

onPage('prints numbers, chart and funnel on one page, and no address', async (page) => {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const text = await page.locator('body').innerText();
  assert.match(text, /UTC[\s\S]*Conversion[\s\S]*including 1 administrator/);
  assert.doesNotMatch(text, /@|Period|Refresh/);
  const color = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(color, 'rgb(255, 255, 255)');
  // Bars are backgrounds, which browsers do not print otherwise.
  assert.equal(await styleOf(page, '#funnel .share', 'print-color-adjust'), 'exact');
  for (const landscape of [false, true]) {
    const sheet = (await page.pdf({ format: 'A4', landscape })).toString('latin1');
    assert.equal(sheet.match(/\/Type \/Page\b/g)?.length, 1);
  }
});
