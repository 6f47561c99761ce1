/// <reference lib="dom" />
/** The administrator page in a real browser, on a site with activity, with a list of faults. */
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import { after, it } from 'node:test';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { Writer } from '../../lib/store/open.ts';
import { anotherClient } from '../support/client.ts';
import { stoppedClock } from '../support/clock.ts';
import { type Installation, install } from '../support/installation.ts';
import { sharedBrowser } from './chromium.ts';
import { watch } from './site.ts';

export const ADMINISTRATOR = 'root@example.com';

/** Invited people: more than the page loads at first. */
export const CROWD = 130;

/** The time of the servers and of the pages, in epoch ms. */
export const NOW = Date.UTC(2026, 4, 20, 12);
const HOUR = 3_600_000;

/** Ada has joined, Bo has viewed, Cleo has logged in; a crowd has not. `long` lists need paging. */
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
  /** Console errors, exceptions and requests to other origins, so far. */
  readonly faults: readonly string[];
  /** Ends the visit; fails if there are faults. */
  close(): Promise<void>;
};

export type PageOptions = BrowserContextOptions & {
  /** Follows the path of the page: a query, a fragment or both. */
  readonly address?: string;
  /** Stops the timers of the page too, until the test moves its clock. */
  readonly frozen?: boolean;
  /** Called before the page is opened. */
  readonly prepare?: (page: Page) => Promise<unknown>;
};

type PageTest = (name: string, use: (page: Page) => Promise<void>, options?: PageOptions) => void;

export type SvcopsSite = {
  readonly installation: Installation;
  readonly origin: string;
  /** Logs the administrator in. @returns a page that has opened nothing yet */
  visit(options?: BrowserContextOptions & Pick<PageOptions, 'frozen'>): Promise<Page>;
  /** Logs the administrator in, and opens the page. */
  open(options?: PageOptions): Promise<OpenedPage>;
  /** Declares a test with a page of its own. */
  readonly onPage: PageTest;
  /** Declares tests that share one page and leave it as they found it. The first one opens it. */
  sharedPage(options?: PageOptions): (name: string, use: (page: Page) => Promise<void>) => void;
};

/** Starts a site with an administrator and a browser for a file. Do not call it in a hook. */
export async function openSvcops(
  lists: 'long' | 'short' | 'none',
  env: Readonly<Record<string, string>> = {},
): Promise<SvcopsSite> {
  const installation = install();
  installation.write(({ invites }) => {
    const invite = { email: ADMINISTRATOR, firstName: 'Root', invitedBy: 'cli', invitedAt: NOW };
    invites.add(invite);
    invites.setAdmin(ADMINISTRATOR, true);
  });
  if (lists !== 'none') installation.write((writer) => fillSite(writer, lists));
  const [{ origin }, browser] = await Promise.all([
    installation.start({ ...env, ...stoppedClock(NOW) }),
    sharedBrowser(),
  ]);
  after(() => installation.remove());

  const visit: SvcopsSite['visit'] = async ({ frozen, ...options } = {}) => {
    const context = await browser.newContext({
      baseURL: origin,
      locale: 'en-GB',
      timezoneId: 'Asia/Tokyo',
      permissions: ['clipboard-read', 'clipboard-write'],
      ...options,
    });
    const login = { data: { email: ADMINISTRATOR }, headers: anotherClient() };
    assert.equal((await context.request.post('/auth/login', login)).status(), 200);
    const page = await context.newPage();
    // Before a time that stands still, the clock must have run.
    if (frozen) await page.clock.install({ time: NOW - 1 });
    await (frozen ? page.clock.pauseAt(NOW) : page.clock.setFixedTime(NOW));
    return page;
  };

  const open = async ({ address = '', prepare, ...rest }: PageOptions = {}) => {
    const page = await visit(rest);
    const faults = watch(page, origin);
    await prepare?.(page);
    await page.goto(`/svcops${address}`);
    await page.locator('#updated time').waitFor({ state: 'attached' });
    const close = async () => {
      assertFaultless(faults);
      await page.context().close();
    };
    return { page, faults, close };
  };

  return {
    installation,
    origin,
    visit,
    open,
    onPage: (name, use, options) =>
      void it(name, async () => {
        const { page, close } = await open(options);
        await use(page);
        await close();
      }),
    sharedPage: (options) => {
      let opened: OpenedPage | undefined;
      return (name, use) =>
        void it(name, async () => {
          opened ??= await open(options);
          await use(opened.page);
          assertFaultless(opened.faults);
        });
    },
  };
}

/** Fails if something went wrong in a page. Requests may fail: that is what tests are about. */
function assertFaultless(faults: readonly string[]): void {
  assert.deepEqual(
    faults.filter((fault) => !/^(\d{3} |Failed to load resource)/.test(fault)),
    [],
  );
}

/** Waits until the page has read everything again, half a minute later by its own clock. */
export async function halfAMinute(page: Page): Promise<void> {
  const answered = page.waitForResponse('**/api/svcops/stats?**');
  await page.clock.fastForward(30_000);
  await answered;
}

/** Saves the CSV file for a mail merge. @returns its text */
export async function saved(page: Page, within: Locator): Promise<string> {
  const download = page.waitForEvent('download');
  await within.getByRole('button', { name: 'Save a CSV for a mail merge' }).click();
  return fs.readFile(await (await download).path(), 'utf8');
}

export const clipboard = (page: Page): Promise<string> =>
  page.evaluate(() => navigator.clipboard.readText());
