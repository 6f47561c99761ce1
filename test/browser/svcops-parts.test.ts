/** The administrator page where a part of its program cannot start: the page says so, and the other parts work. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { findViolations } from '../support/accessibility.ts';
import { anotherClient } from '../support/client.ts';
import { install, type Server } from '../support/installation.ts';
import { launchBrowser } from './chromium.ts';
import { ADMINISTRATOR, fillSite, textOf } from './svcops-page.ts';

const site = install();
let server: Server;
let browser: Browser;

before(async () => {
  site.invite(ADMINISTRATOR, 'Root');
  site.setAdmin(ADMINISTRATOR);
  site.write((writer) => fillSite(writer, 'short'));
  [server, browser] = await Promise.all([site.start(), launchBrowser()]);
});
after(async () => {
  await browser.close();
  await site.remove();
});

/** Opens the page as the administrator, after a preparation. */
async function open(prepare: (page: Page) => Promise<unknown>): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.origin });
  const login = { data: { email: ADMINISTRATOR }, headers: anotherClient() };
  await context.request.post('/auth/login', login);
  const page = await context.newPage();
  await prepare(page);
  await page.goto('/svcops');
  return page;
}

/** Without the part of that name. */
const without = (file: string) =>
  open((page) => page.route(`**/${file}`, (route) => route.abort()));

const lists = (page: Page) => page.locator('#people tbody tr', { hasText: 'ada@' }).waitFor();
const numbers = (page: Page) => page.locator('#totals .count').first().waitFor();

/** Waits for the line that names what is missing, and expects these parts in it, in any order. */
async function missing(page: Page, ...parts: readonly string[]): Promise<void> {
  const said = page.getByRole('alert').filter({ hasText: 'Not working: ' });
  await said.waitFor();
  const [, named = ''] = /^Not working: (.*)\. Please/.exec(await textOf(said)) ?? [];
  assert.deepEqual(named.split(', ').toSorted(), parts);
}

it('without a locale, as WebKit under LANG=C, the chart alone is missing, and its table has its numbers', async () => {
  const page = await open((page) =>
    page.addInitScript("Object.defineProperty(navigator, 'language', { value: 'C' })"),
  );
  await page.getByText('This browser cannot draw the chart.').waitFor();
  await page.locator('#updated time').waitFor();
  await Promise.all([lists(page), numbers(page)]);
  await page.getByText('The same as a table').click();
  assert.equal(await page.locator('#days tbody tr:visible').count(), 90);
  assert.deepEqual(await findViolations(page), []);
  await page.context().close();
});

it('without the numbers, the lists and the form work', async () => {
  const page = await without('svcops/overview.js');
  await missing(page, 'the numbers', 'the story of a person');
  await page.locator('#updated time').waitFor();
  await lists(page);
  await page.locator('#invite-email').fill('new.guest@example.com');
  await page.keyboard.press('Enter');
  await page.locator('#people tbody tr', { hasText: 'new.guest@' }).waitFor();
  await page.context().close();
});

it('without the lists, the numbers and the form work', async () => {
  const page = await without('svcops/tables.js');
  await missing(page, 'the filters', 'the lists', 'the story of a person');
  await page.locator('#updated time').waitFor();
  await numbers(page);
  await page.locator('#invite-email').fill('ada@example.com');
  await page.keyboard.press('Enter');
  await page.getByText('Already on the invite list').waitFor();
  await page.context().close();
});

it('without what keeps it up to date, it is read once', async () => {
  const page = await without('svcops/live.js');
  await missing(
    page,
    'reading again by itself',
    'the filters',
    'the lists',
    'the story of a person',
  );
  await numbers(page);
  await page.context().close();
});
