/// <reference lib="dom" />
/** Chromium, and the service with a site, for tests of the pages. All ends with the file of tests. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after } from 'node:test';
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { root } from '../../lib/config.ts';
import { loadSite, SAMPLE_SITE } from '../../lib/site/site.ts';
import { type App, enter, ORIGIN, openTestStore, startApp } from '../service.ts';

/** Where systems install it. */
const INSTALLED = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const executablePath = process.env.CHROMIUM ?? INSTALLED.find((file) => fs.existsSync(file));
if (executablePath === undefined)
  throw new Error('these tests need Chromium: install it, or set CHROMIUM to its path');

// Chromium's sandbox refuses to run as root.
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
const browser = await chromium.launch({ executablePath, args });
after(() => browser.close());

const AXE = fs.readFileSync(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');

export type Visit = {
  readonly page: Page;
  /** What the page has written into the console, other than logs. */
  readonly troubles: readonly string[];
};

/** The service with a site: by default the sample. */
export function startSite(folder = SAMPLE_SITE): Promise<App> {
  return startApp(openTestStore(), loadSite(folder, ORIGIN));
}

/** Opens a page in a browser of its own. @param cookie of a visitor */
export async function open(
  { port }: App,
  options: BrowserContextOptions = {},
  cookie = '',
): Promise<Visit> {
  const baseURL = `http://127.0.0.1:${port}`;
  const context = await browser.newContext({ baseURL, ...options });
  const [name = '', value = ''] = cookie.split('=');
  if (cookie !== '') await context.addCookies([{ name, value, url: baseURL }]);
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on('console', (message) => {
    if (message.type() !== 'log') troubles.push(message.text());
  });
  page.on('pageerror', ({ message }) => {
    // Chromium's, for a page that is left during its transition.
    if (!message.startsWith('Transition was aborted')) troubles.push(message);
  });
  return { page, troubles };
}

/** Opens a page for a new visitor. */
export function openAs(
  app: App,
  email: string,
  firstName: string | null,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  return open(app, options, enter(app.db, email, firstName));
}

/** Waits until a guest is told something. */
export async function said(page: Page, message: string): Promise<void> {
  await page.locator('[role="status"]', { hasText: message }).waitFor({ state: 'attached' });
}

/** @param state of the page, for the message */
export async function expectNoSidewaysScrolling(page: Page, state: string): Promise<void> {
  const tooWide = await page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('table')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ parentElement, scrollWidth }) => `${parentElement?.id} ${scrollWidth}`),
  );
  assert.deepEqual(tooWide, [], state);
}

/** What axe-core finds against WCAG 2.2 AA, in the light and in the dark scheme. */
export async function findViolations(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const violations = await page.evaluate<readonly string[]>(`${AXE};
      axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
        violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(', ')))`);
    found.push(...violations.map((violation) => `${colorScheme}: ${violation}`));
  }
  return found;
}
