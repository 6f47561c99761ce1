/** Without scripts and styles, as in a browser that is too old for them, the timeline is text. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { ADA, LAYOUTS, openSite } from '../browser/site.ts';

const site = await openSite();
after(() => site.close());

const sample = path.join(site.installation.root, 'pages/sample/content.json');
const content = JSON.parse(fs.readFileSync(sample, 'utf8'));

/** A page without scripts and styles, as text. */
async function readPlain(target: string): Promise<string> {
  const { page } = await site.visitAs(ADA, { javaScriptEnabled: false });
  await page.route(/\.(css|js)$/, (route) => route.abort());
  await page.goto(target);
  return page.locator('body').innerText();
}

for (const layout of LAYOUTS)
  test(`the ${layout} layout is readable text, in the order of the story`, async () => {
    const text = await readPlain(`/timeline?view=${layout}`);
    const years = new Set<string>();
    let rest = text.slice(text.indexOf(content.tagline));
    for (const entry of content.timeline) {
      for (const part of [entry.headline, ...[entry.text].flat()]) {
        const at = rest.indexOf(part);
        assert.ok(at >= 0, `${part} is missing or out of order`);
        rest = rest.slice(at + part.length);
      }
      years.add(entry.date.slice(0, 4));
    }
    assert.ok(rest.includes(content.join.headline));
    for (const year of years) assert.ok(text.includes(year));
    assert.match(text, /JavaScript is off\. Without it you can read this page/);
    assert.doesNotMatch(text, /Still loading|\{\{/);
  });

test('the entry page says what it needs', async () => {
  assert.match(await readPlain('/'), /To let you in, this page needs JavaScript, and a cookie/);
});
