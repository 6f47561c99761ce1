/** A refusal at the entry and a greeting keep the door where it is, in real Chromium. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arabic, talwind } from './contents.ts';
import { answerOnce, hold } from './page.ts';
import { ADA, openService } from './visitors.ts';

/** Where the headline, the field and the door or its picture are, in px. */
const PLACES = `['h1', '#email', '.art', '.art img, .drawing'].map((selector) => {
  const { left, top, height } = document.querySelector(selector).getBoundingClientRect();
  return [selector, left, top + scrollY, height].join(' ');
})`;

const SIZES = [
  [320, 640],
  [390, 844],
  [1280, 800],
] as const;

const NOT_INVITED = { status: 403, body: '{"error":"not_invited"}' };

for (const [name, content] of [
  ['the sample', undefined],
  ['Talwind', talwind],
  ['Arabic', arabic],
] as const) {
  const { visit, visitAs } = await openService({ content });
  test(`${name}: a returning visitor is greeted in the place of the form`, async () => {
    const { page } = await visitAs(ADA);
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      const letGo = await hold(page, '**/timeline');
      await page.goto('/');
      await page.locator('#enter button:enabled').waitFor();
      const before = await page.evaluate(PLACES);
      letGo();
      await page.locator('#onward a').waitFor();
      assert.deepEqual(await page.evaluate(PLACES), before, `${width} px`);
      await page.unroute('**/timeline');
    }
  });

  test(`${name}: a refusal at the entry moves nothing`, async () => {
    const { page } = await visit();
    await page.goto('/');
    await page.locator('#enter button:enabled').waitFor();
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      await page.fill('#email', '');
      const before = await page.evaluate(PLACES);
      for (const [email, reply] of [
        ['ada', undefined],
        ['ada.lovelace@example.com', NOT_INVITED],
        ['maximiliane.von-und-zu-hohenlohe-langenburg@theatre.example', NOT_INVITED],
        ['ada.lovelace@example.com', { status: 429, headers: { 'Retry-After': '3600' } }],
        ['ada.lovelace@example.com', { status: 503 }],
      ] as const) {
        if (reply) await answerOnce(page, '**/auth/login', reply);
        await page.fill('#email', email);
        await page.press('#email', 'Enter');
        await page.locator('#message.failed').waitFor();
        assert.deepEqual(await page.evaluate(PLACES), before, `${width} px: ${reply?.status}`);
      }
    }
  });
}
