/** A part of the administrator page does not load: the page says so, and the other parts work. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { findViolations } from '../support/accessibility.ts';
import { textOf } from './page.ts';
import { openSvcops } from './svcops-page.ts';

const { visit } = await openSvcops('short');

const PROVOKED = /^(TypeError: Failed to fetch dynamically|RangeError: Invalid language tag: C)/;

/** Prepares a page, and opens the administrator page in it. */
async function open(prepare: (page: Page) => Promise<unknown>): Promise<Page> {
  const page = await visit({ prepare, expected: PROVOKED });
  await page.goto('/svcops');
  return page;
}

/** Opens the page without one of its files, and expects these parts to be missing, sorted. */
async function without(file: string, ...parts: readonly string[]): Promise<Page> {
  const page = await open((page) => page.route(`**/svcops/${file}`, (route) => route.abort()));
  const said = page.getByRole('alert').filter({ hasText: 'Not working: ' });
  await said.waitFor();
  const [, named = ''] = /^Not working: (.*)\. Please/.exec(await textOf(said)) ?? [];
  assert.deepEqual(named.split(', ').toSorted(), parts);
  return page;
}

const lists = (page: Page) => page.locator('#people tbody tr', { hasText: 'ada@' }).waitFor();
const numbers = (page: Page) => page.locator('#totals .count').first().waitFor();

it('without a locale, as in WebKit with LANG=C, only the chart is missing, and its table is there', async () => {
  const page = await open((page) =>
    page.addInitScript("Object.defineProperty(navigator, 'language', { value: 'C' })"),
  );
  await page.getByText('This browser cannot draw the chart.').waitFor();
  await page.locator('#updated time').waitFor();
  await Promise.all([lists(page), numbers(page)]);
  await page.getByText('Show as table').click();
  assert.ok((await page.locator('#days tbody tr:visible').count()) > 1);
  assert.deepEqual(await findViolations(page), []);
});

it('without the numbers, the lists and the form work', async () => {
  const page = await without('overview.js', 'the numbers');
  await page.locator('#updated time').waitFor();
  await lists(page);
  await page.locator('#invite-email').fill('new.guest@example.com');
  await page.keyboard.press('Enter');
  await page.locator('#people tbody tr', { hasText: 'new.guest@' }).waitFor();
});

it('without the lists, the numbers, the form and the story of a person work', async () => {
  const page = await without('tables.js', 'the filters', 'the lists');
  await page.locator('#updated time').waitFor();
  await numbers(page);
  await page.locator('#invite-email').fill('ada@example.com');
  await page.keyboard.press('Enter');
  await page.getByText('Already on the invite list').waitFor();
  await page.goto('/svcops#person=ada%40example.com');
  await page.locator('#person-activity .join').first().waitFor();
});

it('without the form, the story of a person has the invitation to send', async () => {
  const page = await without('invitation.js', 'the form to invite');
  await lists(page);
  await page.goto('/svcops#person=crowd1%40example.com');
  await page.getByText('Invitation to send').click();
  await page.getByRole('button', { name: 'Copy the invitation' }).waitFor();
});

it('without live.js it is read once', async () => {
  const page = await without(
    'live.js',
    'reading again by itself',
    'the filters',
    'the lists',
    'the story of a person',
  );
  await numbers(page);
});

it('a reply without rows or without a cursor is not requested again', async () => {
  for (const reply of [{ invites: [] }, { invites: [], next: 'x' }]) {
    let asked = 0;
    const page = await open((page) =>
      page.route('**/api/svcops/invites?**', (route) => {
        asked += 1;
        return asked > 5 ? route.abort() : route.fulfill({ json: reply });
      }),
    );
    await page.getByText('Nobody on the invite list matches.').waitFor();
    assert.equal(asked, 1);
  }
});
