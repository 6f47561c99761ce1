/// <reference lib="dom" />
/** The administrator page in a real browser, on a site with activity, with a list of faults. */
import fs from 'node:fs/promises';
import { it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import type { Writer } from '../../lib/store/open.ts';
import { stoppedClock } from '../support/clock.ts';
import { stopClock } from './page.ts';
import { openSite, type VisitOptions } from './site.ts';

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

export type PageOptions = VisitOptions & {
  /** Follows the path of the page: a query, a fragment or both. */
  readonly address?: string;
  /** Stops the timers of the page too, until the test moves its clock. */
  readonly frozen?: boolean;
  /** Called before the page is opened. */
  readonly prepare?: (page: Page) => Promise<unknown>;
};

type PageTest = (name: string, use: (page: Page) => Promise<void>) => void;

/** Starts a site with an administrator and a browser for a file. Do not call it in a hook. */
export async function openSvcops(
  lists: 'long' | 'short' | 'none',
  env: Readonly<Record<string, string>> = {},
) {
  const site = await openSite({
    env: { ...env, ...stoppedClock(NOW) },
    fill(writer) {
      const root = { email: ADMINISTRATOR, firstName: 'Root', invitedBy: 'cli', invitedAt: NOW };
      writer.invites.add(root);
      writer.invites.setAdmin(ADMINISTRATOR, true);
      if (lists !== 'none') fillSite(writer, lists);
    },
  });

  /** Logs the administrator in. @returns a page that has opened nothing yet */
  async function visit({ frozen, prepare, ...options }: PageOptions = {}): Promise<Page> {
    const { page } = await site.visitAs(ADMINISTRATOR, {
      timezoneId: 'Asia/Tokyo',
      permissions: ['clipboard-read', 'clipboard-write'],
      ...options,
    });
    await (frozen ? stopClock(page, NOW) : page.clock.setFixedTime(NOW));
    await prepare?.(page);
    return page;
  }

  /** Logs the administrator in, and opens the page. */
  async function open({ address = '', ...options }: PageOptions = {}): Promise<Page> {
    const page = await visit(options);
    await page.goto(`/svcops${address}`);
    await page.locator('#updated time').waitFor({ state: 'attached' });
    return page;
  }

  return {
    installation: site.installation,
    visit,
    /** Declares tests with a page of their own. */
    ownPage:
      (options?: PageOptions): PageTest =>
      (name, use) =>
        void it(name, async () => use(await open(options))),
    /**
     * Declares tests that share one page and leave it as they found it, replies of their own aside.
     * The first one opens it.
     */
    sharedPage(options?: PageOptions): PageTest {
      let page: Page | undefined;
      return (name, use) =>
        void it(name, async () => {
          page ??= await open({ ...options, kept: true });
          await use(page);
          await page.unrouteAll();
        });
    },
  };
}

/** Waits until the page has read everything again, half a minute later by its own clock. */
export async function halfAMinute(page: Page): Promise<void> {
  const answered = page.waitForResponse('**/api/svcops/stats?**');
  await page.clock.fastForward(30_000);
  await answered;
}

/** Waits until a list has a row with this text. */
export const hasRow = (page: Page, list: string, hasText: string): Promise<void> =>
  page.locator(`#${list} tbody tr`, { hasText }).first().waitFor();

/** Waits until a list says so of the rows that it shows. */
export const shows = (page: Page, list: string, hasText: string | RegExp): Promise<void> =>
  page.locator(`#${list} .shown`, { hasText }).waitFor();

/** What the page says when it cannot be read again. */
export const troubleOf = (page: Page, hasText: string): Locator =>
  page.getByRole('alert').filter({ hasText });

/** Cuts the connection of a page, and waits until it says so. */
export async function disconnect(page: Page): Promise<void> {
  await page.context().setOffline(true);
  await troubleOf(page, 'No connection').waitFor();
}

/** Saves the CSV file for a mail merge. @returns its text */
export async function saved(page: Page, within: Locator): Promise<string> {
  const download = page.waitForEvent('download');
  await within.getByRole('button', { name: 'Save all as CSV for a mail merge' }).click();
  return fs.readFile(await (await download).path(), 'utf8');
}

export const clipboard = (page: Page): Promise<string> =>
  page.evaluate(() => navigator.clipboard.readText());
