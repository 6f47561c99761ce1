/** The top of the timeline in a real browser: its header, and the first screen of a phone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ADA, openSite } from './site.ts';

const site = await openSite();

const { page: readerPage } = await site.visitAs(ADA, { viewport: { width: 1440, height: 900 } });

test('a link with the words of the button leads to the question, in the header and in the rail', async () => {
  const page = readerPage;
  for (const [layout, places] of [
    ['desktop', ['header', '.rail']],
    ['mobile', ['header']],
  ] as const)
    for (const place of places) {
      await page.goto(`/timeline?view=${layout}`);
      await page.locator(place).getByRole('link', { name: 'Count me in' }).click();
      await page.waitForURL(/#end$/);
      await page.waitForFunction(() => {
        const button = document.querySelector('#join')?.getBoundingClientRect();
        return button && button.top > 0 && button.bottom < innerHeight;
      });
    }
});

test('on a phone the first screen is one row, the title, a sentence and the first picture', async () => {
  const { page } = await site.visitAs(ADA, { viewport: { width: 390, height: 844 } });
  await page.goto('/timeline?view=mobile');
  const box = async (selector: string) =>
    (await page.locator(selector).first().boundingBox()) ?? assert.fail(selector);
  assert.ok((await box('header')).height <= 72);
  const picture = await box('.scene img');
  assert.ok(picture.y + picture.height <= 844, 'the picture is whole');
  const texts = await page.locator('h1, .opening p, h2, time').evaluateAll(
    (all, y) =>
      all
        .filter((each) => {
          const { top, width } = each.getBoundingClientRect();
          return top < y && width > 1;
        })
        .map((each) => each.textContent),
    picture.y,
  );
  assert.deepEqual(texts, ['Halden', 'A desk lamp that keeps the sun’s hours.']);
});

test('what stands at the end of the header ends with the text below it', async () => {
  const page = readerPage;
  await page.goto('/timeline?view=desktop');
  const edges = await page.evaluate<number[]>(`(() => {
    const header = document.querySelector('header');
    const end = header.getBoundingClientRect().right - parseFloat(getComputedStyle(header).paddingRight);
    return [end, document.querySelector('#logout').getBoundingClientRect().right];
  })()`);
  assert.equal(edges[0], edges[1]);
});
