/**
 * `npm run screenshots`: takes the README's pictures again, into docs/images/. Data and clock are
 * always the same, so that a picture changes only with its page.
 */
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { root } from '../../lib/config.ts';
import { DEMO_ADMINISTRATOR, DEMO_VISITOR } from '../../scripts/demo-store.ts';
import { stoppedClock } from '../support/clock.ts';
import { DEMO_NOW, installDemo } from '../support/demo-site.ts';
import { launchBrowser } from './chromium.ts';

/** A fixed name: the browser's own one contains its version. */
const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

type Picture = {
  readonly file: string;
  readonly path: string;
  readonly visitor?: string;
  /** Waits until the page is complete, and scrolls to the part to show. */
  readonly settle?: (page: Page) => Promise<unknown>;
};

const PICTURES: readonly Picture[] = [
  { file: 'entry.png', path: '/' },
  {
    file: 'timeline.jpg',
    path: '/timeline?view=desktop',
    visitor: DEMO_VISITOR,
    settle: (page) =>
      page.evaluate(`Promise.all([...document.images].map((image) => {
        image.loading = 'eager';
        return image.decode();
      }))`),
  },
  {
    file: 'svcops.png',
    path: '/svcops',
    visitor: DEMO_ADMINISTRATOR,
    settle: (page) => page.locator('#updated time').waitFor({ state: 'attached' }),
  },
];

const folder = path.join(root, 'docs', 'images');

async function take(browser: Browser, origin: string, picture: Picture) {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width: 1280, height: 780 },
    userAgent: BROWSER,
    colorScheme: 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
  });
  const { file, visitor, settle } = picture;
  if (visitor) await context.request.post('/auth/login', { data: { email: visitor } });
  const page = await context.newPage();
  await page.clock.setFixedTime(DEMO_NOW);
  await page.goto(picture.path);
  await settle?.(page);
  await page.evaluate('document.fonts.ready');
  await page.screenshot({ path: path.join(folder, file), animations: 'disabled', caret: 'hide' });
  await context.close();
}

const browser = await launchBrowser();
const site = installDemo();
try {
  const { origin } = await site.start(stoppedClock(DEMO_NOW));
  for (const picture of PICTURES) await take(browser, origin, picture);
} finally {
  await site.remove();
  await browser.close();
}
