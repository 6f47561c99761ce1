/** Chromium, driven by playwright-core. */
import { launchBrowser } from '../browser/chromium.ts';
import { DOMAIN, type Driver } from './driver.ts';

/** @param dark whether pages see a dark colour scheme */
export async function openChromium(dark: boolean): Promise<Driver> {
  const browser = await launchBrowser([`--host-resolver-rules=MAP ${DOMAIN} 127.0.0.1`]);
  const context = await browser.newContext({
    colorScheme: dark ? 'dark' : 'light',
    // Without a window, nobody can be asked.
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    // Refusals and outages are answers that the story provokes.
    const expected = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !expected) faults.push(message.text());
  });
  return {
    name: `Chromium ${browser.version()}`,
    plainHost: DOMAIN,
    async open(url) {
      await page.goto(url);
    },
    evaluate: <T>(body: string) => page.evaluate<T>(`(async () => { ${body} })()`),
    click: (selector) => page.click(selector),
    type: (selector, text) => page.locator(selector).pressSequentially(text),
    press: (key) => page.keyboard.press(key),
    async select(selector, value) {
      await page.selectOption(selector, value);
    },
    paste: () => page.keyboard.press('Control+V'),
    resize: (width, height) => page.setViewportSize({ width, height }),
    screenshot: () => page.screenshot(),
    forget: () => context.clearCookies(),
    faults: async () => faults,
    print: () => page.pdf({ format: 'A4' }),
    close: () => browser.close(),
  };
}
