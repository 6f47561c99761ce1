/** The administrator page for everybody: small windows, paper, keyboard, little or odd data. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { findViolations } from '../support/accessibility.ts';
import { addInvite, recordJoin } from '../support/rows.ts';
import { boxOf, overflow, styleOf } from './page.ts';
import { disconnect, hasRow, NOW, openSvcops } from './svcops-page.ts';

const LONG = `${'long'.repeat(50)}@example.com`;

/** Not a valid date: for example, nanoseconds from another program. */
const ODD_TIME = 9_000_000_000_000_000;

const short = await openSvcops('short');
const empty = await openSvcops('none');

/** The element with the focus, if another element covers it. */
const hiddenFocus = `(() => {
  const focused = document.activeElement;
  const { left, right, top, bottom } = focused.getBoundingClientRect();
  const y = (Math.max(0, top) + Math.min(innerHeight, bottom)) / 2;
  const seen = [left + 3, (left + right) / 2, right - 3].some((x) =>
    focused.contains(document.elementFromPoint(x, y)));
  return seen ? null : focused.outerHTML.slice(0, 200);
})()`;

it('at 390 px, rows are cards with labels and large controls', async () => {
  const page = await short.open({ viewport: { width: 390, height: 800 } });
  for (const each of await page.locator('.unfold').all()) await each.click();
  for (const each of await page.locator('.details').all()) await each.check();
  await page.getByRole('cell', { name: 'Joins 2', exact: true }).waitFor();
  await page.getByText('Show as table').click();
  const rows = page.locator('main tbody tr:visible');
  const heights = await rows.evaluateAll((all) => all.map((row) => row.clientHeight));
  assert.ok(heights.length > 10 && heights.every((px) => px >= 25 && px < 130), `${heights}`);
  // Its rule target-size is that of WCAG.
  assert.deepEqual(await findViolations(page), []);
  assert.equal(await overflow(page), 0);
});

it('prints numbers, chart and funnel on one page, without addresses', async () => {
  const page = await short.open();
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const text = await page.locator('body').innerText();
  assert.match(text, /In the last 90 days[\s\S]*UTC[\s\S]*Where everyone stands today/);
  assert.doesNotMatch(text, /@|Custom range|Refresh/);
  assert.equal(await styleOf(page, 'body', 'background-color'), 'rgb(255, 255, 255)');
  // Bars are backgrounds. Browsers do not print backgrounds unless a page asks for it.
  assert.equal(await styleOf(page, '#funnel .share', 'print-color-adjust'), 'exact');
  const sheet = (await page.pdf({ format: 'A4' })).toString('latin1');
  assert.equal(sheet.match(/\/Type \/Page\b/g)?.length, 1);
});

it('with odd data and in trouble, axe-core finds nothing', async () => {
  short.installation.write((writer) => {
    addInvite(writer, LONG, { invitedBy: LONG, firstName: 'a'.repeat(100) });
    recordJoin(writer, LONG, ODD_TIME);
  });
  const page = await short.open();
  const link = page.locator('#people tbody a', { hasText: LONG }).first();
  const { width, height } = await boxOf(link);
  assert.ok(width > 100 && width < 400 && height > 50, `${width} × ${height} px`);
  for (const width of [720, 1120, 1200, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    assert.equal(await overflow(page), 0, `${width} px`);
  }
  await link.click();
  await page.locator('#person-activity li', { hasText: String(ODD_TIME) }).waitFor();
  await page.keyboard.press('Escape');

  await page.getByText('Show as table').click();
  // extra: bulk
  await page.locator('#many > summary').click();
  await page.locator('#many-list').fill('Nina <nina@example.com>\nbo at example.com');
  await page.getByText('1 new, 1 invalid address.').waitFor();
  // end: bulk
  await page.locator('#invite-email').fill('ada@example.com');
  await page.keyboard.press('Enter');
  await page.locator('#invite-message.failed').waitFor();
  await disconnect(page);
  for (const forcedColors of ['none', 'active'] as const) {
    await page.emulateMedia({ forcedColors });
    assert.deepEqual(await findViolations(page), [], forcedColors);
  }
});

it('without any guest, it lists people no longer invited', async () => {
  const page = await empty.open();
  await page.getByRole('heading', { name: 'Invite your first guest' }).waitFor();
  assert.equal(await page.locator('#joins').isVisible(), false);

  const email = 'no.longer.invited@example.com';
  empty.installation.write((writer) => recordJoin(writer, email, NOW));
  await page.goto('/svcops#did=join');
  await page.reload();
  await hasRow(page, 'joins', email);
  await hasRow(page, 'people', email);
  assert.equal(await page.locator('#joins').isVisible(), true);
});

it('the Tab key never leads to a covered element', async () => {
  const page = await short.open({ reducedMotion: 'reduce' });
  await disconnect(page);
  for (const [width, height, key, start] of [
    [1280, 720, 'Shift+Tab', '#events-type'],
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
});
