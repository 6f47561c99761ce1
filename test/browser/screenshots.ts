/**
 * `npm run screenshots`: takes the README's pictures again, into docs/images/. Data and clock are
 * always the same, so a picture changes only if its page changes.
 */
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { root } from '../../lib/config.ts';
import { DEMO_ADMINISTRATOR, DEMO_VISITOR } from '../../scripts/demo-store.ts';
import { stoppedClock } from '../support/clock.ts';
import { DEMO_NOW, installDemo } from '../support/demo-installation.ts';
import { until } from '../support/limit.ts';
import { launchBrowser } from './chromium.ts';

/** A fixed name, because the browser's own name contains its version. */
const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/** The file, the page, who sees it, and what it waits for. */
const PICTURES = [
  ['entry.png', '/', undefined, 'true'],
  [
    'timeline.jpg',
    '/timeline?view=desktop',
    DEMO_VISITOR,
    `Promise.all([...document.images].map((image) => {
      image.loading = 'eager';
      return image.decode();
    }))`,
  ],
  ['svcops.png', '/svcops', DEMO_ADMINISTRATOR, "document.querySelector('#updated time')"],
] as const;

async function take(browser: Browser, origin: string, picture: (typeof PICTURES)[number]) {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width: 1280, height: 780 },
    userAgent: BROWSER,
    colorScheme: 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
  });
  const [file, address, email, isComplete] = picture;
  if (email) await context.request.post('/auth/login', { data: { email } });
  const page = await context.newPage();
  await page.clock.setFixedTime(DEMO_NOW);
  await page.goto(address);
  await until(`the picture ${file}`, () => page.evaluate<boolean>(isComplete));
  await page.evaluate('document.fonts.ready');
  const to = path.join(root, 'docs', 'images', file);
  await page.screenshot({ path: to, animations: 'disabled', caret: 'hide' });
  await context.close();
}

const browser = await launchBrowser();
const installation = installDemo();
try {
  const { origin } = await installation.start(stoppedClock(DEMO_NOW));
  for (const picture of PICTURES) await take(browser, origin, picture);
} finally {
  await installation.remove();
  await browser.close();
}
