/** Several pictures, and the one at the head of the timeline, in a real browser. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { findViolations } from '../support/accessibility.ts';
import { overflow } from './page.ts';
import { ADA, LAYOUTS, openSite } from './site.ts';

const WIDE = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 } };

const site = await openSite((installed) => {
  for (const [name, size] of Object.entries({ wide: '1600 900', tall: '900 1600' }))
    fs.writeFileSync(
      path.join(installed, 'pages/sample/images', `${name}.svg`),
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size}"><rect width="9999" height="9999" fill="#86a08e"/></svg>`,
    );
  const wide = { src: 'wide.svg', alt: 'A wide picture.' };
  const cut = { src: 'tall.svg', alt: 'A tall picture.', position: 'center top' };
  const entry = { date: '2025-01-21', headline: 'An entry', text: 'A text.' };
  return {
    title: 'Lamp',
    tagline: 'A lamp.',
    opening: { image: { ...wide, position: '70% bottom' } },
    timeline: [
      { ...entry, images: [wide, cut] },
      { ...entry, images: [wide, wide, cut] },
    ],
    join: { headline: 'Join?', text: 'Say so.', button: 'Yes' },
  };
});

const { page } = await site.visitAs(ADA, WIDE);
await page.goto('/timeline?view=desktop');

const boxesOf = async (n: number, selector: string) =>
  Promise.all(
    (await page.getByRole('article').nth(n).locator(selector).all()).map(
      async (each) => (await each.boundingBox()) ?? assert.fail(selector),
    ),
  );

test('several pictures have one shape, in pairs below the first where their number is odd', async () => {
  for (const n of [0, 1])
    for (const { width, height } of await boxesOf(n, 'img'))
      assert.equal((width / height).toFixed(2), '1.33');
  const [left, right] = await boxesOf(0, 'img');
  const [first, second, third] = await boxesOf(1, 'img');
  assert.ok(left && right && first && second && third);
  assert.ok(left.y === right.y && right.x > left.x + left.width);
  assert.ok(first.width > 2 * second.width && second.y > first.y + first.height);
  assert.equal(second.y, third.y);
  assert.equal(
    await page
      .locator('[src="/images/tall.svg"]')
      .first()
      .evaluate((image) => getComputedStyle(image).objectPosition),
    '50% 0%',
  );
});

test('beside several pictures the words stay in view', async () => {
  const [words] = await boxesOf(1, '.words');
  const [first] = await boxesOf(1, 'img');
  assert.ok(words && first && words.y - first.y < 1);
  await page.evaluate(
    "document.querySelectorAll('.several')[1].lastChild.scrollIntoView({ behavior: 'instant', block: 'end' })",
  );
  const [stuck] = await boxesOf(1, '.words');
  assert.ok(stuck && stuck.y >= 0 && stuck.y + stuck.height <= 800, JSON.stringify(stuck));
});

for (const layout of LAYOUTS)
  test(`on a phone the words come after the first of several pictures on the ${layout} layout`, async () => {
    await page.goto(`/timeline?view=${layout}`);
    await page.setViewportSize(PHONE.viewport);
    const [first, second, third] = await boxesOf(1, 'img');
    const [headline] = await boxesOf(1, 'h2, h3');
    assert.ok(first && second && third && headline);
    const order = [first, headline, second, third].map(({ y }) => y);
    assert.deepEqual(
      order,
      order.toSorted((a, b) => a - b),
    );
    await page.setViewportSize(WIDE.viewport);
  });

test('the picture at the head fills the first screen of a phone, and shows its subject', async () => {
  const { page } = await site.visitAs(ADA, PHONE);
  await page.goto('/timeline?view=mobile');
  const picture = page.locator('.opening img');
  const box = await picture.boundingBox();
  assert.ok(box && box.x === 0 && box.width === 390 && Math.abs(box.y + box.height - 844) < 1);
  assert.equal(
    await picture.evaluate((image) => getComputedStyle(image).objectPosition),
    '70% 100%',
  );
});

for (const layout of LAYOUTS)
  test(`pictures have no fault on the ${layout} layout, and fit every width`, async () => {
    const { page, troubles } = await site.read(layout);
    for (const width of [2560, 768, 320]) {
      await page.setViewportSize({ width, height: 800 });
      assert.equal(await overflow(page), 0, `${width} px`);
    }
    assert.deepEqual(await findViolations(page), []);
    assert.deepEqual(troubles, []);
  });
