/** The story in Chromium, without interfaces later than those of 2021 on the visitors' pages. */
import { ENTER, type Send, SHIFT_TAB, TAB, webDriver } from '../browsers/driver.ts';
import { sharedBrowser } from './chromium.ts';
import { tell } from './story.ts';

const WITHOUT_INTERFACES = `if (!location.pathname.startsWith('/svcops')) {
  delete AbortSignal.timeout;
  delete AbortSignal.any;
  delete Array.prototype.at;
  delete Array.prototype.findLastIndex;
  delete globalThis.structuredClone;
}`;

const KEYS: Readonly<Record<string, string>> = {
  [TAB]: 'Tab',
  [SHIFT_TAB]: 'Shift+Tab',
  [ENTER]: 'Enter',
};

const browser = await sharedBrowser();

tell('Chromium', false, async () => {
  const page = await browser.newPage({ locale: 'en-GB' });
  await page.addInitScript(WITHOUT_INTERFACES);
  const type = async (selector: string, text: string) => {
    await page.locator(selector).first().focus();
    // Keys are private characters.
    for (const [part] of text.matchAll(/\p{Co}+|\P{Co}+/gu)) {
      const key = KEYS[part];
      await (key ? page.keyboard.press(key) : page.keyboard.type(part));
    }
  };
  const send: Send = async (command, parameters = {}) => {
    const { url, script, value, id, text, width, height } = Object(parameters);
    switch (command) {
      case 'WebDriver:Navigate':
        return page.goto(url);
      case 'WebDriver:ExecuteScript':
        return page.evaluate(`(() => { ${script} })()`);
      case 'WebDriver:FindElement':
        return { selector: value };
      case 'WebDriver:ElementClick':
        return page.locator(id).first().click();
      case 'WebDriver:ElementSendKeys':
        return type(id, text);
      case 'WebDriver:SetWindowRect':
        return page.setViewportSize({ width, height });
      case 'WebDriver:DeleteAllCookies':
        return page.context().clearCookies();
    }
  };
  return webDriver(`Chromium ${browser.version()}`, send, () => page.close());
});
