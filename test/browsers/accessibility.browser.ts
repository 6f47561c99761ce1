/** What assistive technology gets of each page is what a reviewer has read. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { describePages, FILE } from './accessibility.ts';

test('the accessibility trees of all pages are those in accessibility.txt', async () => {
  const trees = await describePages();
  assert.equal(
    trees,
    fs.readFileSync(FILE, 'utf8'),
    `read, then run ${FILE.replace('.txt', '.ts')}`,
  );
});
