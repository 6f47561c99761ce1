/** Accessibility of the administrator page, in small windows, and without data or with odd data. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findViolations } from '../support/accessibility.ts';
import { openSvcops } from './svcops-page.ts';

const LONG = `${'long'.repeat(50)}@example.com`;

/** Not a date: for example, nanoseconds of another program. */
const ODD_TIME = 9_000_000_000_000_000;

const long = await openSvcops('long');
const short = await openSvcops('short');
const empty = await openSvcops('none');
short.installation.write(({ invites, joins }) => {
  invites.add({ email: LONG, firstName: null, invitedBy: LONG, invitedAt: 1 });
  joins.record({ email: LONG, session: 'odd', clickedAt: ODD_TIME });
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

describe('for everybody', () => {
  for (const colorScheme of ['light', 'dark'] as const)
    it(`axe-core finds nothing, ${colorScheme}, with tables, a message and the panel`, async () => {
      const { page, close } = await short.open({ colorScheme });
      await page.getByText('Show as table').click();
      await page.locator('#invite-email').fill('ada@example.com');
      await page.keyboard.press('Enter');
      await page.locator('#invite-message.failed').waitFor();
      assert.deepEqual(await findViolations(page), []);
      await page.locator('#people tbody a', { hasText: 'ada@' }).click();
      await page.locator('#person-activity time').first().waitFor();
      assert.deepEqual(await findViolations(page), []);
      await close();
    });

  it('axe-core finds nothing in forced colours, and in trouble', async () => {
    const { page, close } = await short.open({
      forcedColors: 'active',
      reducedMotion: 'reduce',
    });
    await page.context().setOffline(true);
    await page.getByRole('alert').filter({ hasText: 'No connection' }).waitFor();
    assert.deepEqual(await findViolations(page), []);
    await page.context().setOffline(false);
    await close();
  });

  it('at 320 px nothing scrolls sideways, and tables take the focus', async () => {
    const { page, close } = await short.open({
      viewport: { width: 320, height: 640 },
    });
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    assert.equal(await width(), 320);
    const regions = await page.locator('main .scroll').all();
    assert.ok(regions.length > 0);
    for (const region of regions) assert.equal(await region.getAttribute('tabindex'), '0');
    await page.locator('#people tbody a', { hasText: 'ada@' }).click();
    await page.locator('#person-activity time').first().waitFor();
    assert.equal(await width(), 320);
    const panel = await page
      .locator('#person')
      .evaluate((each) => each.scrollWidth - each.clientWidth);
    assert.equal(panel, 0);
    await close();
  });

  it('an address of 212 characters is wrapped, and an impossible time is a number', async () => {
    const { page, close } = await short.open();
    for (const [section, email] of [
      ['#people', LONG],
      ['#clicks', LONG],
    ] as const) {
      const link = page.locator(`${section} tbody a`, { hasText: email }).first();
      const { width = 0, height = 0 } = (await link.boundingBox()) ?? {};
      assert.ok(width > 100 && width < 400, `${width} px wide`);
      assert.ok(height > 50);
    }
    const { height = 0 } =
      (await page.locator('#people tbody tr', { hasText: 'ada@' }).boundingBox()) ?? {};
    assert.ok(height > 10 && height < 40, 'a short address stays on one line');
    await page.locator('#clicks tbody tr', { hasText: String(ODD_TIME) }).waitFor();
    await page.locator('#joins tbody a', { hasText: LONG }).click();
    await page.locator('#person-activity li li', { hasText: String(ODD_TIME) }).waitFor();
    await close();
  });

  for (const [width, height, key, start] of [
    [1280, 720, 'Shift+Tab', '#people .more'],
    [500, 280, 'Shift+Tab', '#events .scroll'],
    [500, 280, 'Tab', '#overview'],
  ] as const)
    it(`at ${width} × ${height} ${key} never leads to a covered element`, async () => {
      const { page, close } = await (height > 500 ? long : short).open({
        viewport: { width, height },
        reducedMotion: 'reduce',
      });
      await page.context().setOffline(true);
      await page.getByRole('alert').filter({ hasText: 'No connection' }).waitFor();
      await page.locator(start).focus();
      let stops = 0;
      for (; await page.evaluate('document.activeElement !== document.body'); stops += 1) {
        assert.equal(await page.evaluate(hiddenFocus), null, `stop ${stops}`);
        await page.keyboard.press(key);
      }
      assert.ok(stops > 30);
      await page.context().setOffline(false);
      await close();
    });

  it('a page without any guest is complete', async () => {
    const { page, close } = await empty.open();
    assert.deepEqual(await page.locator('#totals .count').allInnerTexts(), ['1', '1', '0', '0']);
    await page
      .getByText('Nobody pressed the join button for the first time in this period.')
      .waitFor();
    await page.getByText('Every press of the join button will be a line here.').waitFor();
    assert.equal(await page.locator('#people tbody tr').count(), 1);
    assert.deepEqual(await findViolations(page), []);
    await close();
  });
});

it('with reduced motion, scrolling is not smooth', async () => {
  for (const [reducedMotion, expected] of [
    ['reduce', 'auto'],
    ['no-preference', 'smooth'],
  ] as const) {
    const { page, close } = await short.open({ reducedMotion });
    const behaviour = await page.evaluate(
      () => getComputedStyle(document.documentElement).scrollBehavior,
    );
    assert.equal(behaviour, expected);
    await close();
  }
});
