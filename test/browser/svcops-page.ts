/// <reference lib="dom" />
/** The administrator page opened in a real browser, on a site with some activity; whatever goes wrong in it is noted. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { Writer } from '../../lib/store/open.ts';
import { anotherClient } from '../support/client.ts';

export const ADMINISTRATOR = 'root@example.com';

/** Invited people: more than the page loads at first. */
export const CROWD = 130;

export const NOW = Date.now();
const HOUR = 3_600_000;

/** Ada has joined, Bo has viewed, Cleo has logged in; a crowd has not come. Long lists have more than one page. */
export function fillSite({ invites, events, joins }: Writer, lists: 'long' | 'short'): void {
  const [crowd, views, clicks] = lists === 'long' ? [CROWD, 120, 105] : [3, 4, 2];
  const invite = (email: string, firstName: string | null, invitedAt: number) =>
    invites.add({ email, firstName, invitedBy: 'cli', invitedAt });
  for (let i = 0; i < crowd; i++) invite(`crowd${i}@example.com`, null, NOW - 90 * HOUR + i);
  invite('cleo@example.com', '<b>Cleo</b>', NOW - 80 * HOUR);
  invite('bo@example.com', 'Bo', NOW - 79 * HOUR);
  invite('ada@example.com', 'Ada', NOW - 78 * HOUR);
  const phone = { session: 'phone', deviceType: 'mobile', os: 'iOS', browser: 'Mobile Safari' };
  const desk = { session: 'desk', deviceType: 'desktop', os: 'Windows', browser: 'Firefox' };
  const day = NOW - 49 * HOUR;
  for (const [i, name] of ['cleo', 'bo', 'ada', 'ada'].entries())
    events.record({
      ...(i === 3 ? desk : phone),
      type: 'login',
      email: `${name}@example.com`,
      occurredAt: day + i,
      meta: null,
    });
  for (let i = 0; i < views; i++)
    events.record({
      ...(i > 0 && i < 20 ? desk : phone),
      type: 'timeline_view',
      email: i === 0 ? 'bo@example.com' : 'ada@example.com',
      occurredAt: day + 10 + i,
      meta: { view: 'mobile', forced: false },
    });
  for (let i = 0; i < clicks; i++)
    joins.record({ email: 'ada@example.com', session: 'phone', clickedAt: day + 200 + i });
}

export type OpenedPage = {
  readonly page: Page;
  /** Ends the visit; fails where the page logged an error, broke its policy or called elsewhere. */
  close(): Promise<void>;
};

/** Logs the administrator in, and opens the page. */
export async function openPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions & { readonly fragment?: string; readonly frozen?: boolean } = {},
): Promise<OpenedPage> {
  const { fragment = '', frozen = false, ...rest } = options;
  const context = await browser.newContext({
    locale: 'en-GB',
    timezoneId: 'Asia/Tokyo',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...rest,
  });
  const login = await context.request.post(`${origin}/auth/login`, {
    data: { email: ADMINISTRATOR },
    headers: anotherClient(),
  });
  assert.equal(login.status(), 200);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error.stack)));
  page.on('console', (message) => {
    // A failed request is reported by the browser itself, not by the page.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) faults.push(`request to ${request.url()}`);
  });
  await page.addInitScript(() =>
    addEventListener('securitypolicyviolation', ({ violatedDirective }) =>
      console.error(`violates ${violatedDirective}`),
    ),
  );
  if (frozen) await page.clock.install({ time: Date.now() });
  await page.goto(`${origin}/svcops${fragment}`);
  await page.locator('#updated time').waitFor({ state: 'attached' });
  return {
    page,
    async close() {
      assert.deepEqual(faults, []);
      await context.close();
    },
  };
}

/** Makes a test on a freshly opened page of the site that `where` tells once it runs. */
export function pageTests(where: () => { readonly browser: Browser; readonly origin: string }) {
  return (
    name: string,
    use: (page: Page) => Promise<void>,
    options: Parameters<typeof openPage>[2] = {},
  ): void => {
    it(name, async () => {
      const { browser, origin } = where();
      const { page, close } = await openPage(browser, origin, options);
      await use(page);
      await close();
    });
  };
}

/** Holds back what the page asks of an address, until the function that comes back is called. */
export async function hold(page: Page, url: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(url, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** Waits until the page has read everything again, half a minute later by its own clock. */
export async function halfAMinute(page: Page): Promise<void> {
  const answered = page.waitForResponse('**/api/svcops/stats?');
  await page.clock.fastForward(30_000);
  await answered;
}

export const textOf = async (locator: Locator): Promise<string> =>
  (await locator.textContent()) ?? '';

export const textsOf = (page: Page, selector: string): Promise<string[]> =>
  page.locator(selector).allInnerTexts();
