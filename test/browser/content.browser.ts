/** Other content in a real browser: long words, portrait pictures, paragraphs, a single entry. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { overflow } from './page.ts';
import { ADA, LAYOUTS, openSite } from './site.ts';

/** 63 letters. */
const WORD = 'Rindfleischetikettierungsueberwachungsaufgabenuebertragungsgesetz';

const TEXT = `Before ${WORD} after.\n\nA second paragraph,\non two lines.`;

/** A site with one entry. */
function contentOf(title: string, headline: string): object {
  const image = { src: 'portrait.svg', alt: WORD };
  return {
    entry: { title: WORD, sentence: `This ${WORD} is by invitation.`, description: WORD },
    title,
    tagline: `A lamp, ${WORD}`,
    timeline: [{ date: '2025-01-21', headline, text: TEXT, image }],
    join: { headline: WORD, text: TEXT, button: WORD },
  };
}

const site = await openSite((root) => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 1600"/>';
  fs.writeFileSync(path.join(root, 'pages/sample/images/portrait.svg'), svg);
  return contentOf(WORD, WORD);
});
site.installation.write(({ invites }) => {
  invites.setFirstName(ADA, WORD);
  invites.setAdmin(ADA, true);
});

/** Shows another site. */
async function show(title: string, headline: string): Promise<void> {
  const file = path.join(site.installation.root, 'pages/sample/content.json');
  fs.writeFileSync(file, JSON.stringify(contentOf(title, headline)));
  const { process, stdout } = site.server;
  const { length } = stdout;
  process.kill('SIGHUP');
  while (stdout.length === length) await once(process.stdout ?? process, 'data');
}

/** Opens a page, with a login unless it is the entry page. */
async function visit(url: string): Promise<Page> {
  const { page } = await (url === '/' ? site.visit() : site.visitAs(ADA));
  await page.goto(url);
  return page;
}

for (const url of ['/', ...LAYOUTS.map((layout) => `/timeline?view=${layout}`), '/svcops'])
  test(`a long word never makes ${url} scroll sideways`, async () => {
    const page = await visit(url);
    await page.getByText(WORD).first().waitFor();
    for (const width of [320, 390, 768, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      assert.equal(await overflow(page), 0, `${width} px`);
    }
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
  });

  test(`paragraphs and lines stand apart on the ${layout} layout`, async () => {
    const page = await visit(`/timeline?view=${layout}`);
    const paragraphs = page.getByRole('article').getByRole('paragraph');
    assert.deepEqual(await paragraphs.allInnerTexts(), TEXT.split('\n\n'));
    assert.equal(await page.locator('#question p', { hasText: 'A second' }).count(), 1);
  });
}

for (const layout of LAYOUTS)
  test(`a name of ten letters stands in one line on the ${layout} layout, at every width`, async () => {
    const page = await visit(`/timeline?view=${layout}`);
    for (const name of ['Bergwind', 'Lighthouse']) {
      await show(name, WORD);
      await page.reload();
      for (const width of [320, 390, 768, 1440]) {
        await page.setViewportSize({ width, height: 800 });
        const lines = await page.evaluate<number>(`(() => {
          const range = document.createRange();
          range.selectNodeContents(document.querySelector('h1'));
          return new Set([...range.getClientRects()].map(({ top }) => top)).size;
        })()`);
        assert.equal(lines, 1, `${name} at ${width} px`);
      }
    }
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
});

test('a single entry has no hint about keys to move between entries', async () => {
  const page = await visit('/timeline?view=desktop');
  assert.equal(await page.locator('.rail time').count(), 1);
  assert.equal(await page.getByText('to move').count(), 0);
});
