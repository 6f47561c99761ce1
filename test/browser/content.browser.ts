/** Other content in a real browser: long words, portrait pictures, paragraphs, a single entry. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { anotherClient } from '../support/client.ts';
import { install, type Server } from '../support/installation.ts';
import { launchBrowser } from './chromium.ts';
import { overflow } from './page.ts';
import { LAYOUTS } from './site.ts';

const ADA = 'ada@example.com';

/** 63 letters. */
const WORD = 'Rindfleischetikettierungsueberwachungsaufgabenuebertragungsgesetz';

const TEXT = `Before ${WORD} after.\n\nA second paragraph,\non two lines.`;

const site = install();
let server: Server;
let browser: Browser;

before(async () => {
  const pages = path.join(site.root, 'pages', 'sample');
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 1600"/>';
  fs.writeFileSync(path.join(pages, 'images', 'portrait.svg'), svg);
  const content = {
    entry: { title: WORD, sentence: `This ${WORD} is by invitation.`, description: WORD },
    title: WORD,
    tagline: `A lamp, ${WORD}`,
    timeline: [
      {
        date: '2025-01-21',
        headline: WORD,
        text: TEXT,
        image: { src: 'portrait.svg', alt: WORD },
      },
    ],
    join: { headline: WORD, text: TEXT, button: WORD },
  };
  fs.writeFileSync(path.join(pages, 'content.json'), JSON.stringify(content));
  site.invite(ADA, WORD);
  site.setAdmin(ADA);
  [server, browser] = await Promise.all([site.start(), launchBrowser()]);
});
after(async () => {
  await browser.close();
  await site.remove();
});

/** Opens a page, with a login unless `email` is empty. */
async function visit(url: string, email = ADA): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.origin });
  if (email !== '')
    await context.request.post('/auth/login', { data: { email }, headers: anotherClient() });
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

for (const [name, url, email] of [
  ['entry page', '/', ''],
  ['desktop layout', '/timeline?view=desktop', ADA],
  ['mobile layout', '/timeline?view=mobile', ADA],
  ['administrator page', '/svcops', ADA],
] as const)
  test(`a long word never makes the ${name} scroll sideways`, async () => {
    const page = await visit(url, email);
    await page.getByText(WORD).first().waitFor();
    for (const width of [320, 360, 390, 768, 1280, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      assert.equal(await overflow(page), 0, `${width} px`);
    }
    await page.context().close();
  });

for (const layout of LAYOUTS) {
  test(`a portrait picture fits into the window on the ${layout} layout`, async () => {
    const page = await visit(`/timeline?view=${layout}`);
    for (const [width, height] of [
      [1440, 900],
      [390, 500],
    ] as const) {
      await page.setViewportSize({ width, height });
      // Without the scale of its animation.
      const shown = await page.evaluate<number>(
        "document.querySelector('.scene img').offsetHeight",
      );
      assert.ok(shown > height / 2 && shown <= height, `${shown} px of ${height}`);
    }
    await page.context().close();
  });

  test(`paragraphs and lines stand apart on the ${layout} layout`, async () => {
    const page = await visit(`/timeline?view=${layout}`);
    const paragraphs = page.getByRole('article').getByRole('paragraph');
    assert.deepEqual(await paragraphs.allInnerTexts(), TEXT.split('\n\n'));
    assert.equal(await page.locator('.join > p', { hasText: 'A second' }).count(), 1);
    await page.context().close();
  });
}

test('a single entry has no hint about keys to move between entries', async () => {
  const page = await visit('/timeline?view=desktop');
  assert.equal(await page.locator('.rail a').count(), 1);
  assert.equal(await page.getByText('to move').count(), 0);
  await page.context().close();
});
