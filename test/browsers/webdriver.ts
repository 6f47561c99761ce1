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

const CONTROL = '\uE009';

/** Sends a command. @returns its value; @throws if the browser answers with an error */
export type Send = (command: keyof typeof COMMANDS, parameters?: object) => Promise<unknown>;

type Common = Pick<
  Driver,
  'open' | 'evaluate' | 'click' | 'type' | 'press' | 'select' | 'paste' | 'screenshot' | 'forget'
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
  const keys = async (...actions: readonly { type: 'keyDown' | 'keyUp'; value: string }[]) => {
    await send('WebDriver:PerformActions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
  };
  /** The browser clicks at once, also while the page scrolls smoothly, or does not know of it yet. */
  const show = (selector: string): Promise<void> =>
    evaluate(
      `document.querySelector('${selector}').scrollIntoView({ behavior: 'instant', block: 'center' });
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));`,
    );
  const click = async (selector: string): Promise<void> => {
    await show(selector);
    await send('WebDriver:ElementClick', { id: await find(selector) });
  };
  return {
    evaluate,
    click,
    async open(url) {
      await send('WebDriver:Navigate', { url });
    },
    async type(selector, text) {
      await send('WebDriver:ElementSendKeys', { id: await find(selector), text });
    },
    press: (key) =>
      keys({ type: 'keyDown', value: KEYS[key] }, { type: 'keyUp', value: KEYS[key] }),
    async select(selector, value) {
      await show(selector);
      const option = await find(`${selector} option[value="${value}"]`);
      await send('WebDriver:ElementClick', { id: option });
    },
    paste: () =>
      keys(
        { type: 'keyDown', value: CONTROL },
        { type: 'keyDown', value: 'v' },
        { type: 'keyUp', value: 'v' },
        { type: 'keyUp', value: CONTROL },
      ),
    async screenshot() {
      return Buffer.from(String(await send('WebDriver:TakeScreenshot', { full: false })), 'base64');
    },
    async forget() {
      await send('WebDriver:DeleteAllCookies');
    },
  };
}
