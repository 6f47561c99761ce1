/// <reference lib="dom" />
/** The administrator page in a real browser, of a service with activity, with a list of faults. */
import type { Locator, Page } from 'playwright-core';
import type { Writer } from '../../lib/store/tables.ts';
import { stoppedClock } from '../support/clock.ts';
import { addInvite, FORCED, PHONE, recordLogin, recordView, withSession } from '../support/rows.ts';
import { stopClock } from './page.ts';
import { openService, type VisitOptions } from './visitors.ts';

export const ADMINISTRATOR = 'root@example.com';

/** Invited people: more than the page loads at first. */
export const CROWD = 130;

/** The time of the servers and of the pages, in epoch ms. */
export const NOW = Date.UTC(2026, 4, 20, 12);
const HOUR = 3_600_000;

/** Ada has joined, Bo has viewed, Cleo has logged in; a crowd has not. `long` lists need paging. */
export function fillSite(writer: Writer, lists: 'long' | 'short'): void {
  const [crowd, views, clicks] = lists === 'long' ? [CROWD, 120, 105] : [3, 4, 2];
  const invite = (email: string, firstName: string | null, invitedAt: number) =>
    addInvite(writer, email, { firstName, invitedAt });
  for (let i = 0; i < crowd; i++) invite(`crowd${i}@example.com`, null, NOW - 90 * HOUR + i);
  invite('cleo@example.com', '<b>Cleo</b>', NOW - 80 * HOUR);
  invite('bo@example.com', 'Bo', NOW - 79 * HOUR);
  invite('ada@example.com', 'Ada', NOW - 78 * HOUR);
  const desk = { deviceType: 'desktop', os: 'Windows', browser: 'Firefox' };
  const day = NOW - 49 * HOUR;
  recordLogin(writer, 'cleo@example.com', day);
  recordLogin(writer, 'bo@example.com', day + 1);
  recordView(writer, 'bo@example.com', day + 10);
  withSession(writer, 'ada@example.com', (phone) =>
    withSession(writer, 'ada@example.com', (session) => {
      const onPhone = { ...PHONE, session: phone };
      const onDesk = { ...desk, session };
      const { events, joins } = writer;
      const login = { type: 'login', meta: null } as const;
      events.record({ ...login, ...onPhone, occurredAt: day + 2 });
      events.record({ ...login, ...onDesk, occurredAt: day + 3 });
      for (let i = 1; i < views; i++) {
        const device = i > Math.max(0, views - 20) ? onDesk : onPhone;
        const occurredAt = day + 10 + i;
        events.record({ type: 'timeline_view', meta: FORCED, ...device, occurredAt });
      }
      for (let i = 0; i < clicks; i++) joins.record({ session: phone, clickedAt: day + 200 + i });
    }),
  );
}

export type PageOptions = VisitOptions & {
  /** Follows the path of the page: a query, a fragment or both. */
  readonly address?: string;
  /** Stops the timers of the page too, until the test moves its clock. */
  readonly frozen?: boolean;
};

/**
 * Starts a service with an administrator and a browser for a file. Do not call it in a hook.
 *
 * @param now the time of the server and of the pages, in epoch ms
 */
export async function openSvcops(
  lists: 'long' | 'short' | 'none',
  env: Readonly<Record<string, string>> = {},
  now = NOW,
) {
  const service = await openService({
    env: { ...env, ...stoppedClock(now) },
    fill(writer) {
      const root = { email: ADMINISTRATOR, firstName: 'Root', invitedBy: 'cli', invitedAt: NOW };
      writer.invites.add(root);
      writer.invites.setAdmin(ADMINISTRATOR, true);
      if (lists !== 'none') fillSite(writer, lists);
    },
  });

  /** Logs the administrator in, and opens the page. */
  async function open({ address = '', frozen, ...options }: PageOptions = {}): Promise<Page> {
    const { page } = await service.visitAs(ADMINISTRATOR, {
      timezoneId: 'Asia/Tokyo',
      permissions: ['clipboard-read', 'clipboard-write'],
      ...options,
    });
    await (frozen ? stopClock(page, now) : page.clock.setFixedTime(now));
    await page.goto(`/svcops${address}`);
    await page.locator('#updated time').waitFor({ state: 'attached' });
    return page;
  }

  return { installation: service.installation, open };
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

/** Waits until a list says this about the rows that it shows. */
export const shows = (page: Page, list: string, hasText: string | RegExp): Promise<void> =>
  page.locator(`#${list} .shown`, { hasText }).waitFor();

/** The message of the page when it cannot be read again. */
export const troubleOf = (page: Page, hasText: string): Locator =>
  page.getByRole('alert').filter({ hasText });

/** Cuts the connection of a page, and waits until it says so. */
export async function disconnect(page: Page): Promise<void> {
  await page.context().setOffline(true);
  await troubleOf(page, 'No connection').waitFor();
}
