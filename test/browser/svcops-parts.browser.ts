/** A part of the administrator page does not load: the page says so, and the other parts work. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { textOf } from './page.ts';
import { hasRow, openSvcops, troubleOf } from './svcops-page.ts';

const { visit } = await openSvcops('short');

const PROVOKED =
  /^(TypeError: Failed to fetch dynamically|RangeError: Invalid language tag: C|request to https:)/;

/** Prepares a page, and opens the administrator page in it. */
async function open(prepare: (page: Page) => Promise<unknown>): Promise<Page> {
  const page = await visit({ prepare, expected: PROVOKED });
  await page.goto('/svcops');
  return page;
}

const lists = (page: Page) => hasRow(page, 'people', 'ada@');
const numbers = (page: Page) => page.locator('#totals .count').first().waitFor();
const read = (page: Page) => page.locator('#updated time').waitFor();

async function invite(page: Page, email: string): Promise<void> {
  await page.locator('#invite-email').fill(email);
  await page.keyboard.press('Enter');
}

it('without a locale, as in WebKit with LANG=C, only the chart is missing, and its table is there', async () => {
  const page = await open((page) =>
    page.addInitScript("Object.defineProperty(navigator, 'language', { value: 'C' })"),
  );
  await page.getByText('This browser cannot draw the chart.').waitFor();
  await Promise.all([read(page), lists(page), numbers(page)]);
  await page.getByText('Show as table').click();
  assert.ok((await page.locator('#days tbody tr:visible').count()) > 1);
});

for (const [file, parts, works] of [
  [
    'overview.js',
    ['overview'],
    async (page) => {
      await Promise.all([read(page), lists(page)]);
      await invite(page, 'new.guest@example.com');
      await hasRow(page, 'people', 'new.guest@');
    },
  ],
  [
    'tables.js',
    ['filters', 'tables'],
    async (page) => {
      await Promise.all([read(page), numbers(page)]);
      await invite(page, 'ada@example.com');
      await page.getByText('Already on the invite list').waitFor();
      await page.goto('/svcops#person=ada%40example.com');
      await page.locator('#person-activity .join').first().waitFor();
    },
  ],
  [
    'invitation.js',
    ['invite form'],
    async (page) => {
      await lists(page);
      await page.goto('/svcops#person=crowd1%40example.com');
      await page.getByText('Invitation', { exact: true }).click();
      await page.getByRole('button', { name: 'Copy invitation' }).waitFor();
    },
  ],
  ['live.js', ['automatic refresh', 'filters', 'guest details', 'tables'], numbers],
] satisfies [string, string[], (page: Page) => Promise<void>][])
  it(`without ${file} it names ${parts.join(', ')}, and the rest works`, async () => {
    const page = await open((page) => page.route(`**/svcops/${file}`, (route) => route.abort()));
    const said = await textOf(troubleOf(page, 'Not working: '));
    const [, named = ''] = /^Not working: (.*)\. Please/.exec(said) ?? [];
    assert.deepEqual(named.split(', ').toSorted(), parts);
    await works(page);
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
