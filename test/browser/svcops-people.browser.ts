/** The panel of one person on the administrator page, in a real browser. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import { recordJoin } from '../support/rows.ts';
import { boxOf, hasFocus, hold, textOf, textsOf } from './page.ts';
import { clipboard, halfAMinute, NOW, openSvcops } from './svcops-page.ts';

const { installation: site, sharedPage } = await openSvcops('long');
const onPage = sharedPage({ frozen: true });

/** Declares a test on the shared page, with the panel of `<name>@example.com` open. */
const onPanel = (name: string, what: string, use: (page: Page) => Promise<void>) =>
  onPage(what, async (page) => {
    await page.goto(`/svcops#person=${name}%40example.com`);
    await use(page);
  });

describe("a person's story", () => {
  onPage('opens from an address in each list', async (page) => {
    for (const list of ['people', 'joins', 'clicks', 'events']) {
      const link = page.locator(`#${list} tbody a`, { hasText: /^(ada|bo)@example.com$/ }).first();
      const email = await textOf(link);
      await link.click();
      await page.locator('#person-activity time').first().waitFor();
      await page.locator('#person-marks', { hasText: email }).waitFor();
      assert.match(page.url(), /#person=\w+%40example\.com$/);
      await page.goBack();
      await page.locator('#person').waitFor({ state: 'hidden' });
      assert.doesNotMatch(page.url(), /#/);
    }
  });

  onPanel('ada', 'has logins, views, clicks and devices', async (page) => {
    const summary = await textOf(page.locator('#person-known'));
    assert.match(summary, /ada@\S+ Joined[\s\S]*Command line[\s\S]*Invited by/);
    await page.locator('#person-activity .join').first().waitFor();
    const devices = (await textsOf(page, '#person-devices li')).join();
    assert.match(devices, /mobile, iOS, Mobile Safari[\s\S]*desktop, Windows, Firefox/);
    const more = page.locator('#person-more');
    while (await more.isVisible()) {
      const entries = await page.locator('#person-activity li').count();
      await more.click();
      await page.locator('#person-activity li').nth(entries).waitFor();
    }
    const visits = await textsOf(page, '#person-activity .device');
    assert.deepEqual(visits, ['mobile, iOS, Mobile Safari', 'desktop, Windows, Firefox']);
    assert.equal(await page.locator('#person-activity .join').count(), 105);
    assert.equal(await page.locator('#person-activity .timeline_view').count(), 119);
    assert.equal(await page.locator('#person-activity .login').count(), 2);
    await page.keyboard.press('Escape');
    await page.locator('#person').waitFor({ state: 'hidden' });
    // The browser reports its new address later.
    await page.waitForURL(({ hash }) => hash === '');
  });

  onPanel('crowd3', 'offers an invitation, and a reminder before the first visit', async (page) => {
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
      assert.equal(await clipboard(page), text);
    }
    assert.equal(await textOf(page.locator('#person-devices')), 'No devices yet.');
    await page.goto('/svcops#person=ada%40example.com');
    await page.locator('#person-marks', { hasText: 'Joined' }).waitFor();
    assert.ok(await page.getByText('Invitation', { exact: true }).isVisible());
    assert.equal(await page.getByText('Reminder', { exact: true }).isVisible(), false);
  });

  onPanel('crowd2', 'keeps an open invitation and its focus during a change', async (page) => {
    await page.getByText('Invitation', { exact: true }).click();
    const copy = page.locator('#person').getByRole('button', { name: 'Copy invitation' });
    await copy.focus();
    site.write(({ invites }) => invites.setFirstName('crowd2@example.com', 'Second'));
    await halfAMinute(page);
    await page.locator('#person-title', { hasText: 'Second' }).waitFor();
    const text = page.locator('#person-invitation textarea');
    assert.match(await text.inputValue(), /^Hello Second,\n/);
    assert.ok(await hasFocus(copy));
  });

  onPanel('bo', 'keeps a selection when a new entry appears above it', async (page) => {
    const selected = () => page.evaluate(() => String(getSelection()));
    await page.locator('#person-activity .what').first().selectText();
    assert.match(await selected(), /^Viewed/);
    site.write((writer) => recordJoin(writer, 'bo@example.com', NOW));
    await halfAMinute(page);
    await page.locator('#person-activity .join').waitFor();
    assert.match(await selected(), /^Viewed/);
    await page.locator('#person-facts', { hasText: 'First join click' }).waitFor();
  });

  onPanel('ada', 'is closed by a click beside it, not by a click or drag from it', async (page) => {
    const panel = page.locator('#person');
    await page.locator('#person-activity time').first().waitFor();
    const { x, y } = await boxOf(panel);
    const title = await boxOf(page.locator('#person-title'));
    await page.mouse.click(x + 5, y + 300);
    await page.mouse.move(title.x + 40, title.y + title.height / 2);
    await page.mouse.down();
    await page.mouse.move(x - 100, y + 300, { steps: 3 });
    await page.mouse.up();
    await page.mouse.move(x + 5, y + 300);
    await page.mouse.down();
    await page.mouse.move(x - 100, y + 300);
    await page.mouse.up();
    assert.ok(await panel.isVisible());
    await page.mouse.click(x - 100, y + 300);
    await panel.waitFor({ state: 'hidden' });
  });

  onPanel('ada', 'keeps its rows during a refresh, and the focus at the end', async (page) => {
    const entries = page.locator('#person-activity li');
    await entries.first().waitFor();
    const more = page.locator('#person-more');
    const before = await entries.count();
    const release = await hold(page, '**/api/svcops/events?**');
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

  onPanel('nobody', 'says that an address is unknown, and closes if it is none', async (page) => {
    await page.getByText('No record of this email address.').waitFor();
    const long = [`a@xn--${'9'.repeat(320)}b.com`, `${'x'.repeat(250)}@b.com`];
    for (const text of ['', 'nobody', ...long]) {
      await page.goto(`/svcops#person=${text}`);
      await page.locator('#person').waitFor({ state: 'hidden' });
    }
  });
});
