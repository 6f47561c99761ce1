/// <reference lib="dom" />
/** Questions to a page in a real browser, and waits for it. */
import type { Locator, Page, Route } from 'playwright-core';

export type Reply = NonNullable<Parameters<Route['fulfill']>[0]>;

export const textOf = async (locator: Locator): Promise<string> =>
  (await locator.textContent()) ?? '';

/** The id of the element with the focus. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate<string>('document.activeElement.id');

export const hasFocus = (locator: Locator): Promise<boolean> =>
  locator.evaluate((element) => element === document.activeElement);

export const textsOf = (page: Page, selector: string): Promise<string[]> =>
  page.locator(selector).allInnerTexts();

/** Waits until a live region has this text. */
export const said = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByRole('status').filter({ hasText: text }).waitFor();

/**
 * Delays requests of the page to an address, or only those of a method.
 *
 * @returns a function that sends them, and delays no more
 */
export async function hold(page: Page, url: string, method?: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(url, async (route) => {
    if (method === undefined || route.request().method() === method) await released;
    await route.continue();
  });
  return release;
}

/** Answers the next request to an address instead of the service. No reply: a lost connection. */
export const answerOnce = (page: Page, url: string, reply?: Reply): Promise<unknown> =>
  page.route(url, (route) => (reply ? route.fulfill(reply) : route.abort()), { times: 1 });

/** The URLs that a page requests after this call, or only those of a method. */
export function requestsOf(page: Page, method?: string): readonly string[] {
  const urls: string[] = [];
  page.on('request', (request) => {
    if (method === undefined || request.method() === method) urls.push(request.url());
  });
  return urls;
}

/** Keeps the greeting on the page: the page tries to go on, but gets a reply without content. */
export const holdGreeting = (page: Page): Promise<unknown> =>
  page.route('**/timeline', (route) =>
    route.request().method() === 'GET' ? route.fulfill({ status: 204 }) : route.continue(),
  );

/** The position and size of an element, in px. @throws if it is not shown */
export async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error(`${locator} is not shown`);
  return box;
}

/**
 * Stops the clock of a page before it is opened: its timers act when the test moves the clock on.
 */
export async function stopClock(page: Page, at = 3_600_000): Promise<void> {
  // A clock runs until it is stopped. The time of the stop must be later than its time.
  await page.clock.install({ time: at - 3_600_000 });
  await page.clock.pauseAt(at);
}

/** How far the page scrolls sideways, in px. Observers of sizes act in the frame after a change. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate<number>(
    `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))).then(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth)`,
  );
}

/**
 * The computed value of a CSS property, for the first element that the selector matches, or for the
 * pseudo-element `::before` or `::after` of it.
 */
export function styleOf(
  page: Page,
  selector: string,
  property: string,
  pseudo = '',
): Promise<string> {
  return page.evaluate<string>(
    `getComputedStyle(document.querySelector('${selector}'), '${pseudo}')
      .getPropertyValue('${property}')`,
  );
}
