/** What a phone does to the pages: it covers parts of its screen, and zooms into small fields. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { ADA, LAYOUTS, openSite } from '../browser/site.ts';

const site = await openSite();
after(() => site.close());
site.installation.invite('root@example.com');
site.installation.setAdmin('root@example.com');

const LYING = { viewport: { width: 844, height: 390 }, isMobile: true, hasTouch: true };

/** As on a phone that lies on its side. */
const INSETS = { left: 47, right: 47, bottom: 21 };

/** The words and controls of a page that a covered part of the screen hides. */
async function hiddenParts(page: Page): Promise<readonly string[]> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setSafeAreaInsetsOverride', { insets: INSETS });
  return page.evaluate<string[]>(
    `[...document.querySelectorAll('h1, h2, h3, p, time, button, input, header a')]
      .filter((each) => !each.closest('.visually-hidden') && each.matches('input, :not(:empty)') && each.checkVisibility())
      .filter((each) => {
        const { left, right } = each.getBoundingClientRect();
        const { paddingLeft, paddingRight } = getComputedStyle(each);
        return left + parseFloat(paddingLeft) < 47 || right - parseFloat(paddingRight) > innerWidth - 47;
      })
      .map((each) => each.outerHTML)`,
  );
}

for (const target of ['/', ...LAYOUTS.map((view) => `/timeline?view=${view}`)])
  test(`the camera of a phone on its side covers no words of ${target}`, async () => {
    const { page } = await (target === '/' ? site.visit(LYING) : site.visitAs(ADA, LYING));
    await page.goto(target);
    assert.deepEqual(await hiddenParts(page), []);
  });

test('the home bar of a phone covers no message at the lower edge', async () => {
  const { page } = await site.visitAs(ADA, LYING);
  await page.goto('/timeline?view=mobile');
  await hiddenParts(page);
  await page.evaluate("document.querySelector('#ended').textContent = 'Your session has ended.'");
  const padding = await page.evaluate<string>(
    "getComputedStyle(document.querySelector('#ended')).paddingBottom",
  );
  assert.equal(padding, '21px');
});

for (const [target, email] of [
  ['/', ADA],
  ['/svcops', 'root@example.com'],
] as const)
  test(`the letters of each field of ${target} are large enough for iOS not to zoom`, async () => {
    const { page } = await (target === '/' ? site.visit(LYING) : site.visitAs(email, LYING));
    await page.goto(target);
    const sizes = await page.evaluate<number[]>(
      `[...document.querySelectorAll('input, select, textarea')]
        .map((each) => parseFloat(getComputedStyle(each).fontSize))`,
    );
    assert.ok(sizes.length > 0 && sizes.every((size) => size >= 16), String(sizes));
  });
