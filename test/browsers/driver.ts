/** What the story needs of a browser, by the commands of W3C WebDriver. */
import { setTimeout as sleep } from 'node:timers/promises';

export type Driver = Readonly<ReturnType<typeof webDriver>>;

/** The commands in use: as Marionette names them, and as an HTTP request within the session. */
export const COMMANDS = {
  'WebDriver:Navigate': 'POST /url',
  'WebDriver:ExecuteScript': 'POST /execute/sync',
  'WebDriver:FindElement': 'POST /element',
  'WebDriver:ElementClick': 'POST /element/{id}/click',
  'WebDriver:ElementSendKeys': 'POST /element/{id}/value',
  'WebDriver:DeleteAllCookies': 'DELETE /cookie',
} as const;

/** Sends a command. @returns its value; @throws if the browser answers with an error */
export type Send = (command: keyof typeof COMMANDS, parameters?: object) => Promise<unknown>;

/** Keys, in the code points of WebDriver. */
export const TAB = '\uE004';
export const SHIFT_TAB = '\uE008\uE004';
export const ENTER = '\uE007';

/** How long a page may take to become what the story waits for, and a script in it, in ms. */
export const PATIENCE = 60_000;

const TEXT = 'return document.body.innerText';

/** An element, as an expression in the page. */
export const find = (selector: string): string => `document.querySelector('${selector}')`;

/** @param name of the browser and its version; @param close ends it */
export function webDriver(name: string, send: Send, close: () => Promise<void>) {
  /** Runs the body of a function in the page. @returns what it returns, or its promise gives */
  const evaluate = (body: string): Promise<unknown> =>
    send('WebDriver:ExecuteScript', { script: `return (async () => { ${body} })()`, args: [] });
  /** Waits until an expression is true in the page, also while it changes from page to page. */
  const until = async (condition: string): Promise<void> => {
    const end = Date.now() + PATIENCE;
    // Between two pages, no page can answer.
    while (!(await evaluate(`return !!(${condition})`).catch(() => false))) {
      if (Date.now() > end) throw new Error(`not so: ${condition}\n${await evaluate(TEXT)}`);
      await sleep(50);
    }
  };
  /** Brings an element into view at once, also where the page scrolls smoothly. @returns its id */
  const show = async (value: string): Promise<string> => {
    await evaluate(
      `${find(value)}.scrollIntoView({ behavior: 'instant', block: 'center' });
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));`,
    );
    const found = await send('WebDriver:FindElement', { using: 'css selector', value });
    return String(Object.values(Object(found))[0]);
  };
  return {
    name,
    evaluate,
    until,
    close,
    open: (url: string) => send('WebDriver:Navigate', { url }),
    click: async (selector: string) => send('WebDriver:ElementClick', { id: await show(selector) }),
    /** Types into an element, which gets the focus. */
    type: async (selector: string, text: string) =>
      send('WebDriver:ElementSendKeys', { id: await show(selector), text }),
    /** Forgets all cookies: the next page belongs to a new visitor. */
    deleteCookies: () => send('WebDriver:DeleteAllCookies'),
  };
}
