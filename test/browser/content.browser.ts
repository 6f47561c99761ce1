/** Other content in a real browser: long words, portrait pictures, paragraphs, a single entry. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
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

const pages = path.join(site.root, 'pages', 'sample');
const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 1600"/>';

/** Writes a site with one entry. */
function write(title: string, headline: string): void {
  const image = { src: 'portrait.svg', alt: WORD };
  const content = {
    entry: { title: WORD, sentence: `This ${WORD} is by invitation.`, description: WORD },
    title,
    tagline: `A lamp, ${WORD}`,
    timeline: [{ date: '2025-01-21', headline, text: TEXT, image }],
    join: { headline: WORD, text: TEXT, button: WORD },
  };
  fs.writeFileSync(path.join(pages, 'content.json'), JSON.stringify(content));
}

/** Shows another site. */
async function show(title: string, headline: string): Promise<void> {
  write(title, headline);
  const { length } = server.stdout;
  server.process.kill('SIGHUP');
  while (server.stdout.length === length)
    await once(server.process.stdout ?? server.process, 'data');
}

before(async () => {
  fs.writeFileSync(path.join(pages, 'images', 'portrait.svg'), svg);
  write(WORD, WORD);
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
    assert.equal(await page.locator('#question p', { hasText: 'A second' }).count(), 1);
    await page.context().close();
  });
}

for (const layout of LAYOUTS)
  test(`a name of ten letters stands in one line on the ${layout} layout, at every width`, async () => {
    const page = await visit(`/timeline?view=${layout}`);
    for (const name of ['Bergwind', 'Lighthouse']) {
      await show(name, WORD);
      await page.reload();
      for (const width of [320, 360, 390, 430, 768, 1440]) {
        await page.setViewportSize({ width, height: 800 });
        const lines = await page.evaluate<number>(`(() => {
          const range = document.createRange();
          range.selectNodeContents(document.querySelector('h1'));
          return new Set([...range.getClientRects()].map(({ top }) => top)).size;
        })()`);
        assert.equal(lines, 1, `${name} at ${width} px`);
      }
    }
    await page.context().close();
  });

test('a soft hyphen divides a headline, with a hyphen', async () => {
  await show('Halden', 'Unfaehigkeits\u00adbescheinigung');
  const page = await visit('/timeline?view=mobile');
  await page.setViewportSize({ width: 320, height: 800 });
  const tops = await page.evaluate<number[]>(`(() => {
    const text = document.querySelector('h3').firstChild;
    const at = text.data.indexOf('\u00ad');
    return [at - 1, at + 1].map((i) => {
      const range = document.createRange();
      range.setStart(text, i);
      range.setEnd(text, i + 1);
      return [...range.getClientRects()].at(-1).top;
    });
  })()`);
  assert.ok(tops[0] !== undefined && tops[1] !== undefined && tops[1] > tops[0], String(tops));
  await page.context().close();
});

test('a single entry has no hint about keys to move between entries', async () => {
  const page = await visit('/timeline?view=desktop');
  assert.equal(await page.locator('.rail time').count(), 1);
  assert.equal(await page.getByText('to move').count(), 0);
  await page.context().close();
});
