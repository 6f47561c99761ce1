/** The part of a driver that is the same for every browser with the commands of W3C WebDriver. */
import { type Driver, KEYS } from './driver.ts';

/** The commands in use: as Marionette names them, and as an HTTP request within the session. */
export const COMMANDS = {
  'WebDriver:Navigate': 'POST /url',
  'WebDriver:ExecuteScript': 'POST /execute/sync',
  'WebDriver:FindElement': 'POST /element',
  'WebDriver:ElementClick': 'POST /element/{id}/click',
  'WebDriver:ElementSendKeys': 'POST /element/{id}/value',
  'WebDriver:PerformActions': 'POST /actions',
  'WebDriver:SetWindowRect': 'POST /window/rect',
  'WebDriver:TakeScreenshot': 'GET /screenshot',
  'WebDriver:DeleteAllCookies': 'DELETE /cookie',
} as const;

/** Sends a command. @returns its value; @throws if the browser answers with an error */
export type Send = (command: keyof typeof COMMANDS, parameters?: object) => Promise<unknown>;

type Common = Pick<
  Driver,
  'open' | 'evaluate' | 'click' | 'type' | 'press' | 'screenshot' | 'forget'
>;

export function webDriver(send: Send): Common {
  const find = async (value: string): Promise<string> => {
    const found = await send('WebDriver:FindElement', { using: 'css selector', value });
    return String(Object.values(Object(found))[0]);
  };
  const evaluate = async <T>(body: string): Promise<T> => {
    const script = `return (async () => { ${body} })()`;
    const value = await send('WebDriver:ExecuteScript', { script, args: [] });
    return value as T;
  };
  return {
    evaluate,
    async open(url) {
      await send('WebDriver:Navigate', { url });
    },
    async click(selector) {
      // The browser clicks at once, also while the page scrolls smoothly.
      const scroll = "scrollIntoView({ behavior: 'instant', block: 'center' })";
      await evaluate(`document.querySelector('${selector}').${scroll}`);
      await send('WebDriver:ElementClick', { id: await find(selector) });
    },
    async type(selector, text) {
      await send('WebDriver:ElementSendKeys', { id: await find(selector), text });
    },
    async press(key) {
      const actions = ['keyDown', 'keyUp'].map((type) => ({ type, value: KEYS[key] }));
      const keyboard = { type: 'key', id: 'keyboard', actions };
      await send('WebDriver:PerformActions', { actions: [keyboard] });
    },
    async screenshot() {
      return Buffer.from(String(await send('WebDriver:TakeScreenshot', { full: false })), 'base64');
    },
    async forget() {
      await send('WebDriver:DeleteAllCookies');
    },
  };
}
