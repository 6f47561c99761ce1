/** The administrator page for everybody: by keyboard, in small windows, with little or odd data. */
import assert from 'node:assert/strict';
import { findViolations } from '../support/accessibility.ts';
import { addInvite, recordJoin } from '../support/rows.ts';
import { boxOf, textsOf } from './page.ts';
import { clipboard, disconnect, hasRow, NOW, openSvcops } from './svcops-page.ts';

const LONG = `${'long'.repeat(50)}@example.com`;

/** Not a date: for example, nanoseconds of another program. */
const ODD_TIME = 9_000_000_000_000_000;

const short = await openSvcops('short');
const empty = await openSvcops('none');
const onPage = short.ownPage();
const onEmptyPage = empty.ownPage();
const onStillPage = short.ownPage({ reducedMotion: 'reduce' });
short.installation.write((writer) => {
  addInvite(writer, LONG, { invitedBy: LONG });
  recordJoin(writer, LONG, ODD_TIME);
});

/** The element with the focus, if another element covers it. */
const hiddenFocus = `(() => {
  const focused = document.activeElement;
  const { left, right, top, bottom } = focused.getBoundingClientRect();
  const y = (Math.max(0, top) + Math.min(innerHeight, bottom)) / 2;
  const seen = [left + 3, (left + right) / 2, right - 3].some((x) =>
    focused.contains(document.elementFromPoint(x, y)));
  return seen ? null : focused.outerHTML.slice(0, 200);
})()`;

onPage('axe-core finds nothing in a table, a preview, messages and trouble', async (page) => {
  await page.locator('#overview summary').click();
  await page.locator('#many summary').click();
  await page.locator('#many-list').fill('Nina <nina@example.com>\nbo at example.com');
  await page.getByText('1 new, 1 not an address.').waitFor();
  await page.locator('#invite-email').fill('ada@example.com');
  await page.keyboard.press('Enter');
  await page.locator('#invite-message.failed').waitFor();
  await disconnect(page);
  for (const forcedColors of ['none', 'active'] as const) {
    await page.emulateMedia({ forcedColors });
    assert.deepEqual(await findViolations(page), [], forcedColors);
  }
});

onEmptyPage('without any guest it is complete, and says whom it counts', async (page) => {
  await page.getByText('No one joined for the first time').waitFor();
  await page.getByText('No join clicks in this period.').waitFor();
  assert.equal(await page.locator('#people tbody tr').count(), 1);
  assert.deepEqual(await findViolations(page), []);

  const email = 'no.longer.invited@example.com';
  empty.installation.write((writer) => recordJoin(writer, email, NOW));
  await page.locator('#refresh').click();
  await hasRow(page, 'joins', email);
  assert.match((await textsOf(page, '#funnel li')).at(-1) ?? '', /^Joined\s+0\s/);
  for (const text of ['currently on the invite list', 'including people no longer invited'])
    assert.equal(await page.getByText(text).isVisible(), true);
});

onPage('an address of 212 characters is wrapped, an impossible time a number', async (page) => {
  const link = page.locator('#people tbody a', { hasText: LONG }).first();
  const { width, height: lines } = await boxOf(link);
  assert.ok(width > 100 && width < 400 && lines > 50, `${width} × ${lines} px`);
  const { height } = await boxOf(page.locator('#people tbody tr', { hasText: 'ada@' }));
  assert.ok(height > 10 && height < 40, 'a short address stays on one line');
  await link.click();
  await page.locator('#person-activity li li', { hasText: String(ODD_TIME) }).waitFor();
});

onStillPage(
  'the Tab key never leads to a covered element, in a small window either',
  async (page) => {
    await disconnect(page);
    for (const [width, height, key, start] of [
      [1280, 720, 'Shift+Tab', '#events .scroll'],
      [500, 280, 'Shift+Tab', '#joins .scroll'],
      [500, 280, 'Tab', '#overview'],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.locator(start).focus();
      let stops = 0;
      for (; await page.evaluate('document.activeElement !== document.body'); stops += 1) {
        assert.equal(await page.evaluate(hiddenFocus), null, `${width} px, ${key}, stop ${stops}`);
        await page.keyboard.press(key);
      }
      assert.ok(stops > 30);
    }
  },
);

onPage('the keyboard alone invites, looks at a day, and copies a letter', async (page) => {
  const { keyboard } = page;
  /** Presses Tab until this element has the focus. */
  const tabTo = async (selector: string) => {
    const focused = `document.activeElement.matches('${selector}')`;
    for (let presses = 0; presses < 150 && !(await page.evaluate(focused)); presses += 1)
      await keyboard.press('Tab');
    assert.ok(await page.evaluate(focused), selector);
  };
  await tabTo('#period');
  await keyboard.press('ArrowUp');
  await page.waitForURL(/\?days=30$/);
  await tabTo('#overview summary');
  await keyboard.press('Enter');
  await tabTo('#days tbody a');
  await keyboard.press('Enter');
  const today = new Date(NOW).toISOString().slice(0, 10);
  await page.waitForURL(({ search }) => search === `?from=${today}&to=${today}`);

  await page.locator('#overview').focus();
  await tabTo('#many summary');
  await keyboard.press('Enter');
  await tabTo('#many-list');
  await keyboard.insertText('First name;E-Mail\nNina;nina@example.com\nBo;bo at example.com');
  await page.getByText('1 new, 1 not an address.').waitFor();
  await tabTo('#many-start');
  await keyboard.press('Enter');
  await page.getByText('1 invited. Left in the list: 1 not an address.').waitFor();

  await page.locator('#people').focus();
  await tabTo('#people-status');
  await keyboard.press('ArrowDown');
  await page.locator('#people .status:not(.not_come)').first().waitFor({ state: 'detached' });
  await hasRow(page, 'people', 'nina@');
  await tabTo('#people tbody a[href*=nina]');
  await keyboard.press('Enter');
  await tabTo('#person-reminder summary');
  await keyboard.press('Enter');
  await tabTo('#person-reminder button');
  await keyboard.press('Enter');
  await page.locator('#person-reminder').getByText('Copied.').waitFor();
  assert.match(await clipboard(page), /#nina@example\.com/);
  await keyboard.press('Escape');
  await page.locator('#person').waitFor({ state: 'hidden' });
});
