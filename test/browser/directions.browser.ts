/**
 * Texts of the other direction than their page are shown in their own direction, in real Chromium.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withEnglish, withHebrew } from './contents.ts';
import { ADA, openService } from './visitors.ts';

const DESKTOP = '/timeline?view=desktop';
const MOBILE = '/timeline?view=mobile';
const DESK = [1440, 900] as const;
const PHONE = [390, 844] as const;

/** The direction of an element, and on which sides of its block the text and its full stop are. */
const DIRECTION = `(each) => {
  const text = each.firstChild;
  const range = document.createRange();
  const boxOf = (from, to) => {
    range.setStart(text, from);
    range.setEnd(text, to);
    return range.getBoundingClientRect();
  };
  const block = each.getBoundingClientRect();
  const all = boxOf(0, text.length);
  const isNearLeft = Math.abs(all.left - block.left) < Math.abs(block.right - all.right);
  const isStopLeft = boxOf(text.length - 1, text.length).left < boxOf(0, 1).left;
  const sides = [isNearLeft, isStopLeft].map((isLeft) => (isLeft ? 'left' : 'right'));
  return [each.dir || 'none', ...sides].join(' ');
}`;

for (const [name, content, other, begin, end] of [
  ['English with Hebrew', withHebrew, 'rtl', 'left', 'right'],
  ['Arabic with English', withEnglish, 'ltr', 'right', 'left'],
] as const) {
  const service = await openService({ content });
  test(`${name}: a text has its direction, a heading its place`, async () => {
    const heading = `${other} ${begin} ${begin}`;
    for (const [url, size, expected] of [
      [DESKTOP, DESK, { '#entry-1 h2': heading, '#entry-1 p': `${other} ${end} ${begin}` }],
      [MOBILE, PHONE, { '#entry-1 h3': heading, '#entry-1 p': `${other} ${end} ${begin}` }],
      ['/', DESK, { h1: heading }],
    ] as const) {
      const viewport = { width: size[0], height: size[1] };
      const { page } = await (url === '/'
        ? service.visit({ viewport })
        : service.visitAs(ADA, { viewport }));
      await page.goto(url);
      for (const [selector, said] of Object.entries(expected)) {
        const found = await page.evaluate(`(${DIRECTION})(document.querySelector('${selector}'))`);
        assert.equal(found, said, `${url} ${selector}`);
      }
    }
    const { page } = await service.visitAs(ADA);
    await page.goto(DESKTOP);
    for (const selector of ['#entry-1 p:nth-of-type(2)', '#entry-2 h2'])
      assert.equal(await page.locator(selector).getAttribute('dir'), null, selector);
    for (const selector of ['#join-headline', '.rail [href="#entry-1"] .headline'])
      assert.equal(await page.locator(selector).getAttribute('dir'), other, selector);
    const { page: entry } = await service.visit();
    await entry.goto('/');
    await entry.fill('#email', ADA);
    await entry.press('#email', 'Enter');
    await entry.getByRole('heading', { name: 'Welcome, Ada.' }).waitFor();
    assert.equal(await entry.locator('h1').getAttribute('dir'), '', 'a greeting has none');
  });
}
