/** The administrator page where a browser, a reply or the origin is not as expected. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { textOf } from './page.ts';
import { hasRow, openSvcops } from './svcops-page.ts';

const { visit } = await openSvcops('short');

const PROVOKED = /^(RangeError: Invalid language tag: C|request to https:)/;

/** Prepares a page, and opens the administrator page in it. */
async function open(prepare: (page: Page) => Promise<unknown>): Promise<Page> {
  const page = await visit({ prepare, expected: PROVOKED });
  await page.goto('/svcops');
  return page;
}

it('without a locale, as in WebKit with LANG=C, only the chart is missing, and its table is there', async () => {
  const page = await open((page) =>
    page.addInitScript("Object.defineProperty(navigator, 'language', { value: 'C' })"),
  );
  await page.getByText('This browser cannot draw the chart.').waitFor();
  await page.locator('#updated time').waitFor();
  await hasRow(page, 'people', 'ada@');
  await page.getByText('Show as table').click();
  assert.ok((await page.locator('#days tbody tr:visible').count()) > 1);
});

it('at another origin than PUBLIC_ORIGIN, the page says where letters link to', async () => {
  const page = await open((page) =>
    page.route(/^https:/, async (route) => {
      const url = route.request().url().replace('https:', 'http:');
      await route.fulfill({ response: await route.fetch({ url }) });
    }),
  );
  assert.equal(await textOf(page.locator('#origin')), '');
  const { host } = new URL(page.url());
  await page.goto(`https://${host}/svcops`);
  await page
    .getByText(`Letters link to http://localhost:0. Set PUBLIC_ORIGIN to https://${host}`)
    .waitFor();
});
