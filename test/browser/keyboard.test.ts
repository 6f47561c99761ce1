/** The whole visit by keyboard alone: entering, reading, joining and leaving. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { holdGreeting } from './page.ts';
import { ADA, LAYOUTS, openSite } from './site.ts';

const site = await openSite();
after(() => site.close());

for (const view of LAYOUTS)
  test(`the keyboard alone does the whole story on the ${view} layout`, async () => {
    const { page, troubles } = await site.visit();
    const { keyboard } = page;
    const focused = () =>
      page.evaluate<string>(
        '(document.activeElement.id || document.activeElement.textContent).trim()',
      );
    /** Presses Tab until this element has the focus. */
    const tabTo = async (name: string) => {
      for (let i = 0; i < 30 && (await focused()) !== name; i += 1) await keyboard.press('Tab');
      assert.equal(await focused(), name);
    };

    const leadOn = await holdGreeting(page);
    await page.goto('/');
    await tabTo('email');
    await keyboard.type(ADA);
    await keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'Welcome, Ada.' }).waitFor();
    leadOn();
    await keyboard.press('Enter');
    await page.waitForURL('/timeline');
    if (view === 'mobile') {
      await tabTo('View mobile layout');
      await keyboard.press('Enter');
      await page.waitForURL('/timeline?view=mobile');
    } else {
      for (let i = 0; i < 13; i += 1) await keyboard.press('ArrowRight');
      assert.equal(await focused(), 'end');
    }
    await tabTo('join');
    await keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'Recorded.' }).waitFor();
    assert.equal(await focused(), 'join', 'the focus stays, to press again');

    while ((await focused()) !== 'logout') await keyboard.press('Shift+Tab');
    await keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'You are logged out.' }).waitFor();
    assert.deepEqual(troubles, []);
  });
