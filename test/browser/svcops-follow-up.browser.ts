/** Following up on the administrator page in a real browser: whom to write to, cards and print. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { overflow, styleOf } from './page.ts';
import { clipboard, NOW, openSvcops, saved } from './svcops-page.ts';

const { installation: site, onPage, sharedPage } = await openSvcops('short');
const onSharedPage = sharedPage();

describe('following up', () => {
  onSharedPage('copies the addresses that the filters show', async (page) => {
    await page.locator('#people-status').selectOption('Viewed and not joined');
    await page.locator('#people .shown', { hasText: /^1 shown/ }).waitFor();
    await page.getByRole('button', { name: 'Copy addresses' }).click();
    await page.locator('#people-copied', { hasText: '1 address copied.' }).waitFor();
    assert.equal(await clipboard(page), 'bo@example.com');
    await page.locator('#people').getByText('Copy names and addresses', { exact: true }).click();
    // The page says the same of both copies.
    await page.waitForFunction(
      async () => (await navigator.clipboard.readText()) === 'Bo <bo@example.com>',
    );
    await page.locator('#people-copied', { hasText: '1 address copied.' }).waitFor();
    await page.locator('#people-status').selectOption('Joined');
    await page.locator('#people-copied:empty').waitFor({ state: 'attached' });
  });

  onSharedPage('offers reminders for those who have not come, and for them alone', async (page) => {
    const remind = page.locator('#people-remind');
    assert.equal(await remind.isVisible(), false);
    await page.locator('#people-status').selectOption('Not yet come');
    // The list is the same without this filter, and the messages of a former list go.
    const filtered = page.waitForResponse('**/api/svcops/invites?**q=crowd**');
    await page.locator('#people-text').fill('crowd');
    await (await filtered).finished();
    await page.locator('#people .shown', { hasText: /^3 shown, that is all/ }).waitFor();
    await page.getByText('Remind these people').click();
    const letter = await remind.getByLabel('Reminder for all, without names').inputValue();
    assert.match(letter, /^Hello,\n[\s\S]*still open/);
    const people = (await saved(page, remind)).match(/^crowd\d@example\.com,,"Hello,$/gm);
    assert.equal(people?.length, 3);
    await remind.getByText('3 letters saved.').waitFor();
    await page.locator('#people-text').fill('');
  });

  onSharedPage('finds those who were invited over a week ago and have not come', async (page) => {
    const invitedAt = NOW - 20 * 86_400_000;
    const late = { email: 'late@example.com', firstName: null, invitedBy: 'cli', invitedAt };
    site.write(({ invites }) => invites.add(late));
    await page.locator('#people-status').selectOption('Not yet come, invited over a week ago');
    await page.locator('#people tbody tr', { hasText: 'late@example.com' }).waitFor();
    await page.locator('#people .shown', { hasText: /^1 shown, that is all/ }).waitFor();
    assert.match((await page.locator('#people .export').getAttribute('href')) ?? '', /to=20/);
  });

  onPage(
    'asks for another week on the next day',
    async (page) => {
      const link = page.locator('#people .export');
      await page.locator('#people-status').selectOption('Not yet come, invited over a week ago');
      const before = await link.getAttribute('href');
      await page.clock.fastForward('24:00:30');
      await page.waitForFunction(
        (before) => document.querySelector('#people .export')?.getAttribute('href') !== before,
        before,
      );
    },
    { frozen: true },
  );
});

onPage(
  'at 390 px the rows are cards with labels, and nothing scrolls sideways',
  async (page) => {
    await page.getByText('Invite many').click();
    await page.locator('#many-list').fill('ada@example.com\nNina <nina@example.com>');
    await page.locator('#many-preview tbody tr').nth(1).waitFor();
    for (const each of await page.locator('.details').all()) await each.check();
    assert.equal(await overflow(page), 0);
    await page.getByRole('cell', { name: 'Clicks 2', exact: true }).waitFor();
    for (const row of await page.locator('main tbody tr:visible').all()) {
      const { height = 0 } = (await row.boundingBox()) ?? {};
      assert.ok(height > 24 && height < 130, `${height} px: ${await row.innerText()}`);
    }
    await page.getByText('Show as table').click();
    const { height: headings = 0 } = (await page.locator('#days thead').boundingBox()) ?? {};
    assert.ok(headings > 24 && headings < 60, `${headings} px`);
    for (const target of await page
      .locator(':is(main, nav) :is(a, button, summary):visible')
      .all()) {
      const { height = 0 } = (await target.boundingBox()) ?? {};
      assert.ok(height >= 24, `${height} px: ${await target.innerText()}`);
    }
    for (const scroll of await page.locator('main .scroll:visible').all())
      assert.equal(await scroll.evaluate((each) => each.scrollWidth - each.clientWidth), 0);
  },
  { viewport: { width: 390, height: 800 } },
);

onPage('prints numbers, chart and funnel on one page, and no address', async (page) => {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const text = await page.locator('body').innerText();
  assert.match(text, /UTC[\s\S]*How far people have come[\s\S]*1 of them is an administrator/);
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
